/**
 * Names of files that a shell's pattern turns into options: in a folder with a file called `--public-key-hex=...`,
 * `svc verify *` would trust its author. The words of a call do not show which of them a pattern made, so each that is
 * also a file's name is refused.
 */
import { lstatSync } from "node:fs";
import { EXIT, Refusal } from "./exit.ts";

/** Refuses a call in which a word that begins with a dash, before any `--`, is also the name of a file (64). */
export function refusePlantedOptions(args: readonly string[]): void {
  const end = args.indexOf("--");
  const planted = args.slice(0, end < 0 ? args.length : end).find(isPlanted);
  if (planted === undefined) return;
  throw new Refusal(
    EXIT.usage,
    `"${planted}" is an option, and a file in this folder is called so too: a pattern like * makes the one out ` +
      `of the other.`,
    "Find out who put that file there. Then call svc from another folder, or write ./* and not *, and rename the file.",
  );
}

/** Says whether a word that begins with a dash is also the name of a file. */
export function isPlanted(word: string): boolean {
  return /^-./s.test(word) && isThere(word);
}

function isThere(name: string): boolean {
  try {
    return lstatSync(name, { throwIfNoEntry: false }) !== undefined;
  } catch {
    // Too long for a name, or through something that is no folder: no file has such a name.
    return false;
  }
}
