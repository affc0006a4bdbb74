/** A payload as text for people: canonical JSON, escaped, and no longer than there is room for. */
import type { Kernel } from "@svc/core";
import type { Contents } from "./contents.ts";
import { escapeJson } from "./escape.ts";
import { grouped } from "./numbers.ts";

/** `text` is escaped; the counts are of UTF-16 units before that. */
export interface PayloadText {
  readonly text: string;
  readonly characters: number;
  readonly shown: number;
}

/** The payload of the event at a place, its first `limit` characters alone where it has more; null where the file does not hold it. */
export function payloadText(kernel: Kernel, contents: Contents, index: number, limit: number): PayloadText | null {
  const text = contents.payload(kernel, index);
  if (text === null) return null;
  const shown = text.slice(0, limit).toWellFormed();
  return { text: escapeJson(shown), characters: text.length, shown: shown.length };
}

/** What the text is, and how much of it is shown. */
export function wordsOfPayload({ characters, shown }: PayloadText): string {
  const cut = shown < characters ? `, of which the first ${grouped(shown)} are shown` : "";
  return `Payload, ${grouped(characters)} characters of canonical JSON${cut}`;
}
