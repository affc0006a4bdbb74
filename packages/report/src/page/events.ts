/** The events of a file as a plain table, and the details of one event. */
import type { Kernel } from "@svc/core";
import type { Contents, EventRow } from "../contents.ts";
import { escapeText } from "../escape.ts";
import { counted, grouped, shorten } from "../numbers.ts";
import { type PayloadText, payloadText, wordsOfPayload } from "../payload-text.ts";
import { readableTime } from "../times.ts";
import { type Element, el, type Part, type Parts } from "./element.ts";
import { section, tableOf } from "./parts.ts";

/** The number of events that such a table shows, and the number of characters of a payload. */
const SHOWN_EVENTS = 200;
const SHOWN_CHARACTERS = 2_000;

/** The columns of every table of events. */
export const EVENT_COLUMNS = ["event", "type", "source", "received", "payload"] as const;

/**
 * Returns the section; null for a file without events. `kernel` writes the payloads; with null the section leaves them
 * out, and says so.
 */
export function eventsSection(contents: Contents | null, kernel: Kernel | null): Element | null {
  if (contents === null || contents.count === 0) return null;
  const shown = Math.min(contents.count, SHOWN_EVENTS);
  const rows = Array.from({ length: shown }, (_, index) => index).flatMap((index) => {
    const [number = "", type = "", source = "", received = "", payload = ""] = cellsOf(contents, index);
    const occurred = shorten(escapeText(readableTime(contents.row(index).occurredAt)));
    // Rows of this table cannot be opened, so the other time is shown in the row.
    const times = [received, occurred === "" ? null : el("p", { class: "quiet" }, `occurred ${occurred}`)];
    const row = el("tr", {}, ...[number, type, source, times, payload].map((cell) => el("td", {}, cell)));
    const text = kernel === null ? null : payloadText(kernel, contents, index, SHOWN_CHARACTERS);
    return text === null ? [row] : [row, openedRow(payloadParts(text))];
  });
  const more = contents.count - shown;
  return section(
    "events",
    "Events",
    kernel === null ? el("p", {}, "This page was saved without payloads; the file may hold them.") : null,
    eventsTable(rows),
    more > 0 ? el("p", {}, `The first ${grouped(shown)}; the file has ${counted(more, "more event")}.`) : null,
  );
}

/** Returns a table of events around its rows. On a narrow screen each row becomes a block. */
export function eventsTable(rows: readonly Part[]): Element {
  return tableOf(EVENT_COLUMNS, rows, { class: "blocks" });
}

/** Returns the content below the row of an event, as wide as the table. */
export function openedRow(...parts: readonly Parts[]): Element {
  return el(
    "tr",
    { class: "open" },
    el("td", { colspan: `${EVENT_COLUMNS.length}` }, el("div", { class: "payload" }, ...parts)),
  );
}

/** Returns a payload: its description, and its text. */
export function payloadParts(payload: PayloadText): readonly Part[] {
  return [
    el("p", { class: "quiet" }, wordsOfPayload(payload)),
    el("pre", { tabindex: "0", "aria-label": "Payload", role: "group" }, payload.text),
  ];
}

/** Returns the texts of a row, in the order of the columns; escaped. */
export function cellsOf(contents: Contents, index: number): string[] {
  const { seqNo, eventType, sourceRef, receivedAt, hasPayload } = contents.row(index);
  const [type = "", source = "", received = ""] = [eventType, sourceRef, readableTime(receivedAt)].map((text) =>
    shorten(escapeText(text)),
  );
  return [seqNo === null ? "" : grouped(seqNo), type, source, received, hasPayload ? "in the file" : "left out"];
}

/**
 * Returns what the table leaves out of an event: its id, and both of its times as they were recorded, with whose clock
 * each is.
 */
export function eventFacts({ id, occurredAt, receivedAt }: EventRow): Element {
  const facts: readonly (readonly [string, string, string])[] = [
    ["id", id, ""],
    ["occurred", occurredAt, ", according to the file"],
    ["received", receivedAt, ", by the signer's clock"],
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
