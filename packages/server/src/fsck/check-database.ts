/** All checks of fsck: first the file of the database by itself, then its schema, then the evidence in it. */

import type { Fault } from "@svc/host/checks";
import { type Checked, checkEvidence } from "./check-evidence.ts";
import { checkFile } from "./check-file.ts";
import { checkSchema } from "./check-schema.ts";

/** Yields all faults. If the file has faults, the evidence is checked as far as it can be read. */
export async function* checkDatabase(checked: Checked): AsyncGenerator<Fault> {
  checked.onStep?.("pages and indexes of the file");
  let isDamaged = false;
  for await (const fault of checkFile(checked.database)) {
    isDamaged = true;
    yield fault;
  }
  try {
    if (!isDamaged) yield* checkSchema(checked.database, checked.program, { onServer: false });
    yield* checkEvidence(checked);
  } catch (error) {
    if (!isDamaged) throw error;
    yield { table: "the database", row: {}, fault: `what else is in it cannot be read: ${(error as Error).message}` };
  }
}
