/**
 * One share of many files: reads them, verifies them together, and keeps of each report what is printed. It is what a thread does, and
 * holds a bounded part of the files at a time.
 */
import {
  type CrossCheckedReport,
  crossCheck,
  type Kind,
  type Report,
  type ReportedSigner,
  type Verdict,
  verifyAll,
} from "@svc/core";
import { describeProblem, escapeAll, escapeJson, inOrder, signersIn } from "@svc/report";
import { type NoVerdict, refuseForeign, refuseOther } from "../../evidence-file/not-evidence.ts";
import { named as nameOf } from "../../evidence-file/open.ts";
import { EXIT, Refusal } from "../../exit.ts";
import type { Kernels } from "../check.ts";
import type { ReadOptions } from "../options.ts";
import { type Named, type Refused, refusedBy } from "./named.ts";
import { readOneOfMany } from "./read.ts";

/** From how many bytes on a file is large: it pays to start threads for it. Small ones are verified together up to so many bytes. */
export const LARGE_BYTES = 2 ** 23;

/** What became of a file: its line in the table, or its line of JSON. */
export type Checked = { readonly file: string } & (
  | { readonly verdict: NoVerdict; readonly refused: Refused }
  | {
      readonly verdict: Verdict;
      readonly kind: Kind | null;
      readonly id: string | null;
      /** The keys that signed it, each once, with how trust reaches it. */
      readonly signers: readonly Pick<ReportedSigner, "kid" | "reached">[];
      /** The first problem in a sentence, which is escaped already, its code, its place, and how many there are. */
      readonly problem?: {
        readonly sentence: string;
        readonly code: string;
        readonly path: string;
        readonly count: number;
      };
    }
) & { readonly json?: string };

/** How files are checked. Plain data, so that it can be sent to a thread. */
export interface HowToCheck {
  readonly settings: ReadOptions;
  /** Whether each file's line of JSON is wanted. */
  readonly json: boolean;
}

type Answer = CrossCheckedReport | { readonly report: Report };

/**
 * Checks files with a kernel, or with two that must agree. `verifyLarge` verifies a large file in place of this thread alone. Throws only
 * what is the fault of `svc` itself.
 */
export async function checkFiles(
  kernels: Kernels,
  named: readonly Named[],
  { settings, json }: HowToCheck,
  verifyLarge?: (bytes: Uint8Array) => Promise<Report>,
): Promise<Checked[]> {
  const [kernel, other] = kernels;
  const checked: Checked[] = [];
  let group: { file: string; bytes: Uint8Array }[] = [];
  let groupBytes = 0;
  // The reference kernel where there are both: a compiled one that fails is core's to report.
  const plain = other ?? kernel;
  const checkedOf = (file: string, bytes: Uint8Array, answer: Answer): Checked => {
    const refused = refusalIn(() => refuseForeign(nameOf(file), answer.report, plain, bytes));
    return refused === null ? verdictOn(file, answer, json, bytes) : withoutVerdict(file, refused, json);
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
      checked.push(withoutVerdict(file, bytes, json));
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

/** Why a file is refused; null where it is not. */
function refusalIn(look: () => void): Refused | null {
  try {
    look();
    return null;
  } catch (error) {
    return refusedAs(error);
  }
}

/** Of an error that is about one file: it must not keep the others from being verified. Any other is thrown on. */
function refusedAs(error: unknown): Refused {
  if (!(error instanceof Refusal) || error.exitCode !== EXIT.input) throw error;
  return refusedBy(error);
}

function withoutVerdict(file: string, refused: Refused, json: boolean): Checked {
  const { outcome, message, action } = refused;
  const error = { outcome: outcome.replace(" ", "_"), message, action };
  return { file, verdict: outcome, refused, ...(json ? { json: lineOf({ file, error }) } : {}) };
}

/** What is printed of a report on these bytes. */
function verdictOn(file: string, answer: Answer, json: boolean, bytes: Uint8Array): Checked {
  const { verdict, kind, subject } = answer.report;
  const problem = verdict === "rejected" ? firstProblem(answer.report, bytes) : null;
  return {
    file,
    verdict,
    kind,
    id: subject.id,
    signers: signersIn(answer.report).map(({ kid, reached }) => ({ kid, reached })),
    ...(problem === null ? {} : { problem }),
    ...(json ? { json: lineOf({ file, ...answer }) } : {}),
  };
}

function firstProblem({ problems }: Report, bytes: Uint8Array) {
  const [first] = inOrder(problems);
  if (first === undefined) return null;
  const { code, path } = first;
  const { sentences } = describeProblem(escapeAll(first), bytes);
  return { sentence: sentences.join(" "), code, path, count: problems.length };
}

function lineOf(value: object): string {
  return escapeJson(JSON.stringify(value));
}
