/** The events of a file as a plain table, for a page that cannot scroll through all of them. */
import type { Contents } from "../contents.ts";
import { escapeText } from "../escape.ts";
import { counted, grouped, shorten } from "../numbers.ts";
import { type Element, el } from "./element.ts";

/** How many events such a table shows. */
const SHOWN_EVENTS = 200;

/** The columns of every table of events. */
export const EVENT_COLUMNS = ["event", "type", "source", "payload", "happened", "received"] as const;

/** The section; null for a file without events. */
export function eventsSection(contents: Contents | null): Element | null {
  if (contents === null || contents.count === 0) return null;
  const shown = Math.min(contents.count, SHOWN_EVENTS);
  const rows = Array.from({ length: shown }, (_, index) => {
    const cells = cellsOf(contents, index);
    return el("tr", {}, ...cells.map((cell) => el("td", {}, cell)));
  });
  const head = el("tr", {}, ...EVENT_COLUMNS.map((name) => el("th", { scope: "col" }, name)));
  const more = contents.count - shown;
  return el(
    "section",
    { id: "events", "aria-labelledby": "events-title" },
    el("h2", { id: "events-title" }, "Events"),
    el(
      "div",
      { class: "scroll", tabindex: "0", role: "group", "aria-label": "Events" },
      el("table", {}, el("thead", {}, head), el("tbody", {}, ...rows)),
    ),
    more > 0 ? el("p", {}, `The first ${grouped(shown)}; the file has ${counted(more, "more event")}.`) : null,
  );
}

/** The texts of a row, in the order of the columns; escaped. */
export function cellsOf(contents: Contents, index: number): string[] {
  const { seqNo, eventType, sourceRef, occurredAt, receivedAt, hasPayload } = contents.row(index);
  const [type = "", source = "", ...times] = [eventType, sourceRef, occurredAt, receivedAt].map((text) =>
    shorten(escapeText(text)),
  );
  return [seqNo === null ? "" : `${seqNo}`, type, source, hasPayload ? "in the file" : "left out", ...times];
}
