/** The passphrase of sealed keys: from a file, from standard input, or from the environment. Never an argument, which other users could read. */
import { readFileSync } from "node:fs";
import { UsageError } from "@svc/host/settings";
import { LEAST_PASSPHRASE_CHARACTERS } from "../backup/sealed-keys.ts";

export const PASSPHRASE_OPTION = "--passphrase-file <file>";
export const PASSPHRASE_HELP = "the file with the passphrase, - for standard input (default: $SVC_BACKUP_PASSPHRASE)";

/** The passphrase without the line end behind it; null where none is given. */
export function readPassphrase(file: string | undefined): string | null {
  const text = file === undefined ? process.env.SVC_BACKUP_PASSPHRASE : readFileSync(file === "-" ? 0 : file, "utf8");
  const passphrase = text?.replace(/\r?\n$/, "") ?? "";
  if (passphrase === "" && file === undefined) return null;
  if (passphrase.length >= LEAST_PASSPHRASE_CHARACTERS) return passphrase;
  throw new UsageError([`The passphrase must have at least ${LEAST_PASSPHRASE_CHARACTERS} characters.`]);
}
