/** A consistent copy of the embedded database, made while others read and write it: one snapshot, without the pages of what was deleted. */
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { OWNER_ONLY_FILE, syncPath } from "../durable-file.ts";
import type { Reader, Writer } from "./database.ts";

/** The `application_id` of a copy, "SVCB": whoever takes it for the database itself is told so. */
const COPY = 0x53564342;

/** Copies everything that is committed by now, and waits until the copy is on disk. `to` must not be there yet. Blocks this process meanwhile. */
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

/** Whether a database is a copy that copySqlite made. */
export async function isCopy(reader: Reader): Promise<boolean> {
  return (await reader.first<{ application_id: number }>("PRAGMA application_id"))?.application_id === COPY;
}

/** Makes a copy a database of its own. */
export function becomeOriginal(writer: Writer): Promise<void> {
  return writer.script("PRAGMA application_id = 0");
}
