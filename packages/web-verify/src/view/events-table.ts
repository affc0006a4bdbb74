/**
 * The events of a file as a table of any length: only the rows in view are there. It can be filtered, scrolled with the keyboard, and shows
 * each payload.
 */
import { EVENT_COLUMNS, el, grouped, type Part } from "@svc/report";
import { Cancelled, type EngineClient } from "../engine/engine-client.ts";
import type { Row } from "../engine/messages.ts";
import { mount } from "./mount.ts";

const ROW_PIXELS = 34;
const SHOWN_ROWS = 12;
/** Rows above and below those in view. */
const SPARE_ROWS = 6;
/** Taller elements than this browsers do not draw. */
const MOST_PIXELS = 8_000_000;
const TYPING_MS = 150;
const PAYLOAD_COLUMN = EVENT_COLUMNS.indexOf("payload");

/** Makes the section. */
export function eventsTable(
  engine: EngineClient,
  events: number,
  types: readonly string[],
  hasBroken: boolean,
): HTMLElement {
  const root = mount(skeleton(types, hasBroken)) as HTMLElement;
  new EventsTable(engine, root, events);
  return root;
}

function skeleton(types: readonly string[], hasBroken: boolean): Part {
  const option = (value: string, text: string) => el("option", { value }, text);
  return el(
    "section",
    { id: "events", "aria-labelledby": "events-title" },
    el("h2", { id: "events-title" }, "Events"),
    el(
      "form",
      { class: "filters", role: "search" },
      el(
        "label",
        {},
        "Find ",
        el("input", { type: "search", name: "text", autocomplete: "off", placeholder: "number, type, source, id" }),
      ),
      el(
        "label",
        {},
        "Type ",
        el("select", { name: "type" }, option("", "all"), ...types.map((type) => option(type, type))),
      ),
      hasBroken
        ? el("label", { class: "check" }, el("input", { type: "checkbox", name: "broken" }), " only what is wrong")
        : null,
      el("span", { class: "quiet", role: "status", "data-part": "count" }),
    ),
    el(
      "div",
      { class: "scroll rows", tabindex: "0", role: "group", "aria-label": "Events, scrolls", "data-part": "view" },
      el(
        "table",
        { "data-part": "table" },
        el("thead", {}, el("tr", {}, ...EVENT_COLUMNS.map((name) => el("th", { scope: "col" }, name)))),
        el("tbody", { "data-part": "body" }),
      ),
    ),
    el("p", { class: "on-paper" }, "These are the events that were in view. The saved report has the first 200."),
    el("div", { "data-part": "payload", "aria-live": "polite" }),
  );
}

class EventsTable {
  readonly #engine: EngineClient;
  readonly #root: HTMLElement;
  readonly #view: HTMLElement;
  readonly #body: HTMLElement;
  readonly #form: HTMLFormElement;
  #total: number;
  /** Count what was asked for, so that an answer that comes late is dropped. */
  #filters = 0;
  #draws = 0;

  constructor(engine: EngineClient, root: HTMLElement, events: number) {
    this.#engine = engine;
    this.#root = root;
    this.#view = part(root, "view");
    this.#body = part(root, "body");
    this.#form = root.querySelector("form") as HTMLFormElement;
    this.#total = events;
    let timer = 0;
    this.#form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => this.#filter(), TYPING_MS);
    });
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    this.#view.addEventListener("scroll", () => this.#draw(), { passive: true });
    this.#draw();
  }

  async #filter(): Promise<void> {
    const data = new FormData(this.#form);
    const filter = {
      text: `${data.get("text") ?? ""}`,
      type: `${data.get("type") ?? ""}`,
      onlyBroken: data.get("broken") !== null,
    };
    const asked = ++this.#filters;
    await quietly(async () => {
      const total = await this.#engine.call("filter", filter);
      if (asked !== this.#filters) return;
      this.#total = total;
      this.#view.scrollTop = 0;
      this.#draw();
    });
  }

  /** Fetches the rows in view, and draws them between two rows that are as high as all the others together. */
  #draw(): void {
    const asked = ++this.#draws;
    const pixels = Math.min(MOST_PIXELS, this.#total * ROW_PIXELS);
    const most = Math.max(1, pixels - SHOWN_ROWS * ROW_PIXELS);
    const share = Math.min(1, this.#view.scrollTop / most);
    const first = Math.max(0, Math.round(share * Math.max(0, this.#total - SHOWN_ROWS)) - SPARE_ROWS);
    const count = Math.min(this.#total - first, SHOWN_ROWS + 2 * SPARE_ROWS);
    quietly(async () => {
      const rows = await this.#engine.call("rows", first, count);
      if (asked !== this.#draws) return;
      const above = Math.min(this.#view.scrollTop, Math.round((first / Math.max(1, this.#total)) * pixels));
      const below = Math.max(0, pixels - above - rows.length * ROW_PIXELS);
      const nodes = rows.map((row, at) => this.#row(row, first + at));
      this.#body.replaceChildren(space(above), ...nodes, space(below));
      part(this.#root, "table").setAttribute("aria-rowcount", `${this.#total + 1}`);
      part(this.#root, "count").textContent = `${grouped(this.#total)} shown`;
    });
  }

  #row({ index, cells, isBroken, hasPayload }: Row, place: number): Node {
    const [number = "", ...texts] = cells;
    const name = `Payload of event ${number}`;
    const button = el(
      "button",
      { type: "button", class: "link", "aria-label": `show the ${name.toLowerCase()}` },
      "show",
    );
    const shown = texts.map((text, column) =>
      el("td", {}, hasPayload && column === PAYLOAD_COLUMN - 1 ? button : text),
    );
    const mark = isBroken
      ? [el("span", { class: "mark bad" }, "✗"), el("span", { class: "unseen" }, " wrong, event ")]
      : [];
    const row = mount(
      el("tr", { "aria-rowindex": `${place + 2}` }, el("td", {}, ...mark, ` ${number}`), ...shown),
    ) as HTMLElement;
    row.querySelector("button")?.addEventListener("click", () => this.#showPayload(index, name));
    return row;
  }

  #showPayload(index: number, name: string): void {
    quietly(async () => {
      const found = await this.#engine.call("payload", index);
      const size = found === null ? "" : `${grouped(found.characters)} characters of canonical JSON`;
      const isCut = found !== null && found.shown < found.characters;
      const cut = isCut ? `, of which the first ${grouped(found.shown)} are shown` : "";
      const text = found === null ? "The file does not hold it." : found.text;
      const box = mount(
        el(
          "div",
          { class: "payload" },
          el("h3", { tabindex: "-1" }, name),
          el("p", { class: "quiet" }, `${size}${cut}`),
          el("pre", { tabindex: "0", "aria-label": name, role: "group" }, text),
        ),
      ) as HTMLElement;
      part(this.#root, "payload").replaceChildren(box);
      box.querySelector("h3")?.focus();
    });
  }
}

function space(pixels: number): HTMLElement {
  const row = document.createElement("tr");
  row.setAttribute("aria-hidden", "true");
  row.className = "space";
  const cell = document.createElement("td");
  cell.colSpan = EVENT_COLUMNS.length;
  // By the object model, which the page's policy allows: an attribute of that name it forbids.
  cell.style.height = `${pixels}px`;
  row.append(cell);
  return row;
}

function part(root: HTMLElement, name: string): HTMLElement {
  return root.querySelector(`[data-part="${name}"]`) as HTMLElement;
}

/** What is cancelled while a table is drawn is no longer wanted. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
  }
}
