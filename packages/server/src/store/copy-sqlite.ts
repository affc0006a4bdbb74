/** A consistent copy of the embedded database, made while others read and write it: one snapshot, without the pages of what was deleted. */
import { writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { OWNER_ONLY_FILE, syncPath } from "../durable-file.ts";

/** Copies everything that is committed by now, and waits until the copy is on disk. `to` must not be there yet. Blocks this process meanwhile. */
export function copySqlite(from: string, to: string): void {
  writeFileSync(to, "", { flag: "wx", mode: OWNER_ONLY_FILE });
  const source = new DatabaseSync(from, { readOnly: true, timeout: 5_000 });
  try {
    source.prepare("VACUUM INTO ?").run(to);
  } finally {
    source.close();
  }
  syncPath(to);
}
