/**
 * The events of a file, one page at a time, so that none is cut and a screen reader has no box to scroll in. They can
 * be filtered, and each opens below its row, with its payload and both of its times.
 */
import { el, grouped, openedRow, type Part, payloadParts, section, eventsTable as tableOf } from "@svc/report";
import { Cancelled, type EngineClient } from "../engine/engine-client.ts";
import type { Row } from "../engine/messages.ts";
import { mount } from "./mount.ts";

const PAGE_ROWS = 20;
const [SHOW, HIDE] = ["show", "hide"];
const TYPING_MS = 150;

/** Makes the section. A single event is open from the start. */
export function eventsTable(
  engine: EngineClient,
  events: number,
  types: readonly string[],
  hasBroken: boolean,
): HTMLElement {
  const root = mount(skeleton(events, types, hasBroken)) as HTMLElement;
  new EventsTable(engine, root, events);
  return root;
}

function skeleton(events: number, types: readonly string[], hasBroken: boolean): Part {
  const option = (value: string, text: string) => el("option", { value }, text);
  const button = (to: string, text: string) => el("button", { type: "button", value: to }, text);
  return section(
    "events",
    events === 1 ? "The event" : "Events",
    el(
      "form",
      { class: "filters", role: "search", hidden: events === 1 ? "" : undefined },
      el(
        "label",
        {},
        "Number, type, source or id ",
        el("input", { type: "search", name: "text", autocomplete: "off" }),
      ),
      types.length > 1
        ? el(
            "label",
            {},
            "Type ",
            el("select", { name: "type" }, option("", "all"), ...types.map((type) => option(type, type))),
          )
        : null,
      hasBroken
        ? el("label", { class: "check" }, el("input", { type: "checkbox", name: "broken" }), " only what is wrong")
        : null,
    ),
    el("p", { class: "quiet", role: "status", "data-part": "count", hidden: events === 1 ? "" : undefined }),
    tableOf([]),
    events > PAGE_ROWS
      ? [
          el(
            "nav",
            { class: "pages", "aria-label": "Pages of events" },
            ...["First", "Previous", "Next", "Last"].map((text) => button(text, text)),
          ),
          el("p", { class: "on-paper" }, "These are the events that were in view. The saved report has the first 200."),
        ]
      : null,
  );
}

class EventsTable {
  readonly #engine: EngineClient;
  readonly #root: HTMLElement;
  readonly #body: HTMLElement;
  readonly #form: HTMLFormElement;
  #total: number;
  #first = 0;
  /** These count requests, so that a late answer is dropped. */
  #filters = 0;
  #draws = 0;

  constructor(engine: EngineClient, root: HTMLElement, events: number) {
    this.#engine = engine;
    this.#root = root;
    this.#body = root.querySelector("tbody") as HTMLElement;
    this.#form = root.querySelector("form") as HTMLFormElement;
    this.#total = events;
    let timer = 0;
    this.#form.addEventListener("input", () => {
      clearTimeout(timer);
      timer = window.setTimeout(() => this.#filter(), TYPING_MS);
    });
    this.#form.addEventListener("submit", (event) => event.preventDefault());
    for (const button of this.#buttons()) button.addEventListener("click", () => this.#turn(button));
    this.#draw(events === 1);
  }

  #buttons(): HTMLButtonElement[] {
    return [...this.#root.querySelectorAll<HTMLButtonElement>(".pages button")];
  }

  /** Returns the first row behind a button. */
  #firstAfter(to: string): number {
    const last = Math.max(0, Math.ceil(this.#total / PAGE_ROWS) - 1) * PAGE_ROWS;
    const steps: Readonly<Record<string, number>> = {
      First: 0,
      Previous: this.#first - PAGE_ROWS,
      Next: this.#first + PAGE_ROWS,
      Last: last,
    };
    return Math.min(last, Math.max(0, steps[to] ?? 0));
  }

  #turn({ value }: HTMLButtonElement): void {
    this.#first = this.#firstAfter(value);
    this.#draw();
    this.#root.scrollIntoView();
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
      this.#first = 0;
      this.#draw();
    });
  }

  /** Fetches the rows of the page, and draws them. */
  #draw(isOpen = false): void {
    const asked = ++this.#draws;
    const [first, total] = [this.#first, this.#total];
    quietly(async () => {
      const rows = await this.#engine.call("rows", first, PAGE_ROWS);
      if (asked !== this.#draws) return;
      this.#body.replaceChildren(...rows.map((row) => this.#row(row, isOpen)));
      const range = total > PAGE_ROWS ? `${grouped(first + 1)} to ${grouped(first + rows.length)} of ` : "";
      const count = this.#root.querySelector("[data-part=count]") as HTMLElement;
      count.textContent = `${range}${grouped(total)} shown`;
      // Buttons stay in the document: a removed button would take the keyboard's focus with it.
      for (const button of this.#buttons())
        if (this.#firstAfter(button.value) === first) button.setAttribute("aria-disabled", "true");
        else button.removeAttribute("aria-disabled");
    });
  }

  #row({ index, cells, isBroken, hasPayload }: Row, isOpen: boolean): Node {
    const [number = "", ...texts] = cells;
    const about = el(
      "span",
      { class: "unseen" },
      hasPayload ? ` the payload of event ${number}` : ` of event ${number}`,
    );
    const word = el("span", {}, hasPayload ? SHOW : "left out");
    const button = el("button", { type: "button", class: "link", "aria-expanded": "false" }, word, about);
    const mark = isBroken
      ? [el("span", { class: "mark bad" }, "✗"), el("span", { class: "unseen" }, " wrong, event"), " "]
      : null;
    const row = mount(
      el(
        "tr",
        {},
        el("td", {}, mark, number),
        ...texts.slice(0, -1).map((text) => el("td", {}, text)),
        el("td", {}, button),
      ),
    ) as HTMLElement;
    const [shown] = row.getElementsByTagName("button");
    shown?.addEventListener("click", () => this.#toggle(row, shown, index));
    if (isOpen && shown !== undefined) this.#toggle(row, shown, index);
    return row;
  }

  /** Opens an event below its row, or closes it. */
  #toggle(row: HTMLElement, button: HTMLButtonElement, index: number): void {
    const isOpen = button.getAttribute("aria-expanded") === "true";
    button.setAttribute("aria-expanded", `${!isOpen}`);
    const [word] = button.getElementsByTagName("span");
    if (word !== undefined && [SHOW, HIDE].includes(word.textContent)) word.textContent = isOpen ? SHOW : HIDE;
    if (isOpen) {
      row.nextElementSibling?.remove();
      return;
    }
    quietly(async () => {
      const { facts, payload } = await this.#engine.call("event", index);
      if (button.getAttribute("aria-expanded") !== "true" || row.nextElementSibling?.className === "open") return;
      const parts = payload === null ? el("p", {}, "The file does not hold the payload.") : payloadParts(payload);
      row.after(mount(openedRow(facts, parts)));
    });
  }
}

/** Work that is cancelled while a table is drawn is no longer wanted. */
async function quietly(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Cancelled)) throw error;
  }
}
