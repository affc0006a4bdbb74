/** Everything that fsck looks at: first the file of the database by itself, then the evidence in it. */
import { checkEvidence, type EvidenceGround } from "./check-evidence.ts";
import { checkFile } from "./check-file.ts";
import type { Fault } from "./fault.ts";

/** Yields what is wrong. Where the file has faults, the evidence is looked at for as far as it can be read. */
export async function* checkDatabase(ground: EvidenceGround): AsyncGenerator<Fault> {
  ground.onStep?.("pages and indexes of the file");
  let isDamaged = false;
  for await (const fault of checkFile(ground.database)) {
    isDamaged = true;
    yield fault;
  }
  try {
    yield* checkEvidence(ground);
  } catch (error) {
    if (!isDamaged) throw error;
    yield { table: "the database", row: {}, fault: `what else is in it cannot be read: ${(error as Error).message}` };
  }
}
