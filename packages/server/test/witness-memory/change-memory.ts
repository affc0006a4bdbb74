/** Changes what the witness of a running or stopped server remembers, behind its back. */
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

/** Runs one statement on the memory of a data folder. */
export function changeMemory(dataFolder: string, sql: string, ...parameters: string[]): void {
  const database = new DatabaseSync(join(dataFolder, "witness.db"), { timeout: 5_000 });
  try {
    database.prepare(sql).run(...parameters);
  } finally {
    database.close();
  }
}
