/** Names of files in commands that a person is to copy. */
import { escapeText } from "../render/escape.ts";

/** A path as one word of a shell, safe to print. */
export function shellWord(text: string): string {
  return escapeText(/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
}
