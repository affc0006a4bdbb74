/** Verifying a large bundle on a thread that does other things between its parts. The report is that of verifier.ts. */
import { begin, examineBytes, readTrust, refuseTooLarge, type VerifierOptions } from "./examine-bytes.ts";
import { checkPart, countOf, PartTexts, type TakenPart } from "./objects/bundle/parts.ts";
import { holdsArtifactHash, join, openInBulk, type ReadInBulk, workOn } from "./read-in-bulk.ts";
import type { Examination } from "./report/examination.ts";
import type { Report } from "./report/report.ts";

/** What a thread does between the parts of a large bundle, so that it can do other things too. */
export interface Turns {
  /** Called after each part, with how many are done. What it rejects with ends the work. */
  readonly pause: (done: number, parts: number) => Promise<void>;
  /** About how many bytes are checked in a row; as many as is fastest where it is not given. */
  readonly partBytes?: number;
}

/**
 * As `verify`, with the same report, for a thread that must not be busy for long: there is a pause after each part of a large bundle.
 * Everything else is verified in one go. Rejects with what the pause rejects with.
 */
export async function verifyInTurns(bytes: Uint8Array, options: VerifierOptions, turns: Turns): Promise<Report> {
  const exam = begin(readTrust(options), bytes, options);
  try {
    examineBytes(exam, bytes, options, await readInTurns(exam, bytes, turns));
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return exam.report();
}

async function readInTurns(exam: Examination, bytes: Uint8Array, turns: Turns): Promise<ReadInBulk | null> {
  const { kernel } = exam;
  const open = openInBulk(exam, bytes);
  if (open === null || !holdsArtifactHash(kernel, open)) return null;
  const work = workOn(open, turns.partBytes);
  const texts = new PartTexts(work);
  const taken: TakenPart[] = [];
  for (let part = 0; part < countOf(work); part++) {
    const run = checkPart(kernel, work, texts, part);
    taken.push([part, run]);
    // What is found in a part is found again where all is read.
    if (run === null) break;
    await turns.pause(taken.length, countOf(work));
  }
  return join(kernel, open, work, taken);
}
