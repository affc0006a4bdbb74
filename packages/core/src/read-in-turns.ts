/**
 * Verifying a large bundle, or a truth package, on a thread that does other things between its parts. The report is that of verifier.ts.
 */
import { begin, examineBytes, examineValue, readTrust, refuseTooLarge, type VerifierOptions } from "./examine-bytes.ts";
import { checkPart, countOf, PartTexts, type TakenPart } from "./objects/bundle/parts.ts";
import { type ExamineBundle, packageSteps } from "./objects/truth-package/examine.ts";
import { holdsArtifactHash, join, openInBulk, type ReadInBulk, workOn } from "./read-in-bulk.ts";
import { Examination } from "./report/examination.ts";
import type { Report } from "./report/report.ts";

/** What a thread does between the parts of a large bundle or of a package, so that it can do other things too. */
export interface Turns {
  /** Called after each part, with about how much is done, and of how much. What it rejects with ends the work. */
  readonly pause: (done: number, of: number) => Promise<void>;
  /** About how many bytes are checked in a row; as many as is fastest where it is not given. */
  readonly partBytes?: number;
}

/**
 * As `verify`, with the same report, for a thread that must not be busy for long: there is a pause after each part of a large bundle, also
 * of one in a package, and between the steps of a package. Everything else is done in one go: parsing, and the table of events. Rejects with
 * what the pause rejects with.
 */
export async function verifyInTurns(bytes: Uint8Array, options: VerifierOptions, turns: Turns): Promise<Report> {
  const exam = begin(readTrust(options), bytes, options);
  try {
    const read = await readInTurns(exam, bytes, turns);
    examineBytes(exam, bytes, { ...options, packages: () => undefined }, read);
    if (exam.kind === "truth-package") await examinePackage(exam, bytes, options, turns);
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

async function examinePackage(exam: Examination, bytes: Uint8Array, options: VerifierOptions, turns: Turns) {
  const { kernel, trust } = exam;
  const examineBundle: ExamineBundle = (part, value, bulk) => examineValue(part, value, options.links ?? [], bulk);
  const steps = packageSteps(exam, bytes, examineBundle);
  let before = 0;
  for (let step = steps.next(null); !step.done; ) {
    const { length } = step.value ?? [];
    const pause = (done: number, of: number) => turns.pause(before + (length * done) / of, bytes.length);
    const read = step.value ? await readInTurns(new Examination(kernel, trust), step.value, { ...turns, pause }) : null;
    before += length;
    await turns.pause(before, bytes.length);
    step = steps.next(read);
  }
}
