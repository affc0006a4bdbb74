/** Names of files in commands that a person may copy. */
import { escapeText } from "@svc/report";

/** Returns a path as one word of a shell, safe to print. */
export function shellWord(path: string): string {
  // A name that begins with a dash would be an option.
  const text = /^-./.test(path) ? `./${path}` : path;
  return escapeText(/^[\w./@%+=:,-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
}
