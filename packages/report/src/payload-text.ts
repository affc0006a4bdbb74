/** A payload as text for people: canonical JSON, escaped, and cut to the room there is. */
import type { Kernel } from "@svc/core";
import type { Contents } from "./contents.ts";
import { escapeJson } from "./escape.ts";
import { grouped } from "./numbers.ts";

/** `text` is escaped; the counts are UTF-16 units before escaping. */
export interface PayloadText {
  readonly text: string;
  readonly characters: number;
  readonly shown: number;
}

/**
 * Returns the payload of the event at an index, cut to its first `limit` characters; null if the file does not hold it.
 */
export function payloadText(kernel: Kernel, contents: Contents, index: number, limit: number): PayloadText | null {
  const text = contents.payload(kernel, index);
  if (text === null) return null;
  const shown = text.slice(0, limit).toWellFormed();
  return { text: escapeJson(shown), characters: text.length, shown: shown.length };
}

/** Says what the text is, and how much of it is shown. */
export function wordsOfPayload({ characters, shown }: PayloadText): string {
  const cut = shown < characters ? `, of which the first ${grouped(shown)} are shown` : "";
  return `Payload, ${grouped(characters)} characters of canonical JSON${cut}`;
}
