/**
 * A consistent copy of the embedded database, made while others read and write it: one snapshot, without the pages of
 * deleted rows.
 */
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { OWNER_ONLY_FILE, syncPath } from "../durable-file.ts";
import type { Writer } from "./database.ts";
import { COPY } from "./sqlite-connection.ts";

/**
 * Copies everything that is committed by now, and returns when the copy is on disk. Throws if `to` exists. Blocks this
 * process meanwhile.
 */
export function copySqlite(from: string, to: string): void {
  writeFileSync(to, "", { flag: "wx", mode: OWNER_ONLY_FILE });
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    source.prepare("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  const copy = new DatabaseSync(to);
  try {
    copy.exec(`PRAGMA application_id = ${COPY}`);
  } finally {
    copy.close();
  }
  syncPath(to);
}

/** Turns a copy into a separate database. */
export function becomeOriginal(writer: Writer): Promise<void> {
  return writer.script("PRAGMA application_id = 0");
}
