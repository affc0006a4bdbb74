/**
 * One share of many files: reads them, verifies them together, and keeps of each report the part that is printed. A
 * thread does this, and holds a bounded part of the files at a time.
 */
import {
  type Compared,
  type CrossCheckedReport,
  comparedOf,
  crossCheck,
  type Json,
  type Kind,
  type Report,
  type ReportedSigner,
  type Verdict,
  verifyAll,
} from "@svc/core";
import { describeProblem, escapeAll, inOrder, signersIn } from "@svc/report";
import { type NoVerdict, refuseForeign, refuseOther } from "../../evidence-file/not-evidence.ts";
import { named as nameOf } from "../../evidence-file/open.ts";
import { EXIT, Refusal } from "../../exit.ts";
import { FORMATTERS, type Format } from "../../formats/list.ts";
import type { Kernels } from "../kernels.ts";
import type { ReadOptions } from "../options.ts";
import { type Named, type Refused, refusedBy } from "./named.ts";
import { readOneOfMany } from "./read.ts";

/**
 * From so many bytes on a file is large: it pays to start threads for it. Small ones are verified together up to so
 * many bytes.
 */
export const LARGE_BYTES = 2 ** 23;

/** The result for a file: its line in the table, and its lines in other forms of output. */
export type Checked = { readonly file: string } & (
  | { readonly verdict: NoVerdict; readonly refused: Refused }
  | {
      readonly verdict: Verdict;
      readonly kind: Kind | null;
      readonly id: string | null;
      /** The stream that it is about; null if it is about none. */
      readonly streamId: string | null;
      /** The keys that signed it, each once, with how trust reaches it. */
      readonly signers: readonly Pick<ReportedSigner, "kid" | "reached">[];
      /** Whether every signature that its verdict needs was checked and holds. */
      readonly signed: boolean;
      /** The part by which files are compared. */
      readonly compared: Compared;
      /** The first problem in a sentence, which is already escaped, its code, its place, and the number of problems. */
      readonly problem?: {
        readonly sentence: string;
        readonly code: string;
        readonly path: string;
        readonly count: number;
      };
    }
) & { readonly lines?: Lines };

/** The line of one file in each form that was asked for and has one. */
export type Lines = { readonly [Name in Format]?: string };

/** The way to check files. It is plain data, so that it can be sent to a thread. */
export interface HowToCheck {
  readonly settings: ReadOptions;
  /** The forms in which each file's line is wanted. */
  readonly formats: readonly Format[];
}

type Answer = CrossCheckedReport | { readonly report: Report };

/**
 * Checks files with a kernel, or with two that must agree. `verifyLarge` verifies a large file in place of this thread
 * alone. Throws only for faults of `svc` itself.
 */
export async function checkFiles(
  kernels: Kernels,
  named: readonly Named[],
  { settings, formats }: HowToCheck,
  verifyLarge?: (bytes: Uint8Array) => Promise<Report>,
): Promise<Checked[]> {
  const [kernel, other] = kernels;
  const checked: Checked[] = [];
  let group: { file: string; bytes: Uint8Array }[] = [];
  let groupBytes = 0;
  // The reference kernel if there are both: core reports a compiled one that fails.
  const plain = other ?? kernel;
  const checkedOf = (file: string, bytes: Uint8Array, answer: Answer): Checked => {
    const refused = refusalIn(() => refuseForeign(nameOf(file), answer.report, plain, bytes));
    return refused === null ? verdictOn(file, answer, formats, bytes) : withoutVerdict(file, refused, formats);
  };
  const settle = () => {
    const answers =
      other === undefined
        ? verifyAll(group, { ...settings, kernel }).map((report) => ({ report }))
        : group.map(({ bytes }) => crossCheck(bytes, { ...settings, kernels: [kernel, other] }));
    group.forEach(({ file, bytes }, index) => {
      checked.push(checkedOf(file, bytes, answers[index] as Answer));
    });
    [group, groupBytes] = [[], 0];
  };
  for (const entry of named) {
    const { file } = entry;
    const bytes = await bytesOf(entry);
    if (!(bytes instanceof Uint8Array)) {
      settle();
      checked.push(withoutVerdict(file, bytes, formats));
    } else if (bytes.length >= LARGE_BYTES && verifyLarge !== undefined) {
      settle();
      checked.push(checkedOf(file, bytes, { report: await verifyLarge(bytes) }));
    } else {
      group.push({ file, bytes });
      groupBytes += bytes.length;
      if (groupBytes >= LARGE_BYTES) settle();
    }
  }
  settle();
  return checked;
}

async function bytesOf({ file, bytes, refused }: Named): Promise<Uint8Array | Refused> {
  if (refused !== undefined) return refused;
  try {
    const read = bytes ?? (await readOneOfMany(file));
    return refusalIn(() => refuseOther(nameOf(file), read, true)) ?? read;
  } catch (error) {
    return refusedAs(error);
  }
}

/** Returns the reason why a file is refused; null if it is not. */
function refusalIn(look: () => void): Refused | null {
  try {
    look();
    return null;
  } catch (error) {
    return refusedAs(error);
  }
}

/**
 * Returns the refusal of an error that is about one file: it must not keep the others from being verified. Any other
 * error is thrown on.
 */
function refusedAs(error: unknown): Refused {
  if (!(error instanceof Refusal) || error.exitCode !== EXIT.input) throw error;
  return refusedBy(error);
}

function withoutVerdict(file: string, refused: Refused, formats: readonly Format[]): Checked {
  const { outcome, message, action } = refused;
  const error = { outcome: outcome.replace(" ", "_"), message, action };
  return { file, verdict: outcome, refused, ...linesOf({ file, error }, formats) };
}

/** Returns the part of a report on these bytes that is printed. */
function verdictOn(file: string, answer: Answer, formats: readonly Format[], bytes: Uint8Array): Checked {
  const { verdict, kind, subject, assurance } = answer.report;
  const problem = verdict === "rejected" ? firstProblem(answer.report, bytes) : null;
  return {
    file,
    verdict,
    kind,
    id: subject.id,
    streamId: subject.stream_id ?? null,
    signed: assurance.signed,
    compared: comparedOf(answer.report),
    signers: signersIn(answer.report).map(({ kid, reached }) => ({ kid, reached })),
    ...(problem === null ? {} : { problem }),
    ...linesOf({ file, ...answer }, formats),
  };
}

function firstProblem({ problems }: Report, bytes: Uint8Array) {
  const [first] = inOrder(problems);
  if (first === undefined) return null;
  const { code, path } = first;
  const { sentences } = describeProblem(escapeAll(first), bytes);
  return { sentence: sentences.join(" "), code, path, count: problems.length };
}

function linesOf(value: Json, formats: readonly Format[]): { readonly lines?: Lines } {
  const lines = formats.flatMap((name) => {
    const { line } = FORMATTERS[name];
    return line === null ? [] : [[name, line(value)]];
  });
  return lines.length === 0 ? {} : { lines: Object.fromEntries(lines) };
}
