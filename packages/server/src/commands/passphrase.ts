/**
 * The passphrase of sealed keys: from a file, from standard input, or from the environment. It is never an argument,
 * which other users could read.
 */
import { readFileSync } from "node:fs";
import { UsageError } from "@svc/host/settings";
import { LEAST_PASSPHRASE_CHARACTERS } from "../backup/sealed-keys.ts";

/** The option of the commands that take a passphrase. */
export const PASSPHRASE_OPTION = "--passphrase-file <file>";
/** The help of that option. */
export const PASSPHRASE_HELP = "the file with the passphrase, - for standard input (default: $SVC_BACKUP_PASSPHRASE)";

/**
 * Returns the passphrase without its final line end; null if none is given. Throws UsageError for one that is too
 * short.
 */
export function readPassphrase(file: string | undefined): string | null {
  const text = file === undefined ? process.env.SVC_BACKUP_PASSPHRASE : readFileSync(file === "-" ? 0 : file, "utf8");
  const passphrase = text?.replace(/\r?\n$/, "") ?? "";
  if (passphrase === "" && file === undefined) return null;
  if (passphrase.length >= LEAST_PASSPHRASE_CHARACTERS) return passphrase;
  throw new UsageError([`The passphrase must have at least ${LEAST_PASSPHRASE_CHARACTERS} characters.`]);
}
