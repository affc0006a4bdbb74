/** Text inside XML and HTML. */
import { escapeText } from "../escape.ts";

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Returns a text for an element or a quoted attribute; control characters but newlines are shown by code point. */
export function escapeMarkup(text: string): string {
  const lines = text.split("\n").map((line) => escapeText(line).replaceAll(/[\ufffe\uffff]/g, "\ufffd"));
  return lines.join("\n").replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? "");
}
