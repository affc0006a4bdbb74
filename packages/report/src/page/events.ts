/** The events of a file as a plain table, and what is shown of one alone. */
import type { Contents, EventRow } from "../contents.ts";
import { escapeText } from "../escape.ts";
import { counted, grouped, shorten } from "../numbers.ts";
import { readableTime } from "../times.ts";
import { type Element, el, type Part } from "./element.ts";

/** How many events such a table shows. */
const SHOWN_EVENTS = 200;

/** The columns of every table of events. */
export const EVENT_COLUMNS = ["event", "type", "source", "received", "payload"] as const;

/** The section; null for a file without events. */
export function eventsSection(contents: Contents | null): Element | null {
  if (contents === null || contents.count === 0) return null;
  const shown = Math.min(contents.count, SHOWN_EVENTS);
  const rows = Array.from({ length: shown }, (_, index) => {
    const [number = "", type = "", source = "", received = "", payload = ""] = cellsOf(contents, index);
    const happened = shorten(escapeText(readableTime(contents.row(index).occurredAt)));
    // Nothing can be opened on it, so that the other time stands here.
    const times = [received, happened === "" ? null : el("p", { class: "quiet" }, `happened ${happened}`)];
    return el("tr", {}, ...[number, type, source, times, payload].map((cell) => el("td", {}, cell)));
  });
  const more = contents.count - shown;
  return el(
    "section",
    { id: "events", "aria-labelledby": "events-title" },
    el("h2", { id: "events-title" }, "Events"),
    eventsTable(rows),
    more > 0 ? el("p", {}, `The first ${grouped(shown)}; the file has ${counted(more, "more event")}.`) : null,
  );
}

/** A table of events around its rows. On a narrow screen each row stands as a block. */
export function eventsTable(rows: readonly Part[]): Element {
  const head = el("tr", {}, ...EVENT_COLUMNS.map((name) => el("th", { scope: "col" }, name)));
  return el("table", { class: "blocks" }, el("thead", {}, head), el("tbody", {}, ...rows));
}

/** The texts of a row, in the order of the columns; escaped. */
export function cellsOf(contents: Contents, index: number): string[] {
  const { seqNo, eventType, sourceRef, receivedAt, hasPayload } = contents.row(index);
  const [type = "", source = "", received = ""] = [eventType, sourceRef, readableTime(receivedAt)].map((text) =>
    shorten(escapeText(text)),
  );
  return [seqNo === null ? "" : grouped(seqNo), type, source, received, hasPayload ? "in the file" : "left out"];
}

/** What the table does not show of an event: its id, and both of its times as they were recorded, with whose they are. */
export function eventFacts({ id, occurredAt, receivedAt }: EventRow): Element {
  const facts: readonly (readonly [string, string, string])[] = [
    ["id", id, ""],
    ["happened", occurredAt, ", as the source says"],
    ["received", receivedAt, ", by the service's clock"],
  ];
  return el(
    "dl",
    {},
    ...facts
      .filter(([, value]) => value !== "")
      .flatMap(([name, value, whose]) => [
        el("dt", {}, name),
        el("dd", {}, el("code", {}, shorten(escapeText(value))), whose),
      ]),
  );
}
