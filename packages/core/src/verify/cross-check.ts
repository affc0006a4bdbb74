/**
 * Verifies one object twice, by two kernels that share no arithmetic, and gives a verdict only if both reports are the
 * same. It finds a fault of a kernel. It cannot find a fault in the code that both runs share, which is everything
 * outside the kernels.
 */
import type { Kernel } from "../kernel/kernel.ts";
import { selectKernel } from "../kernel/select.ts";
import { checksOf, type Kind } from "../report/checks.ts";
import { CODES } from "../report/codes.ts";
import { type Difference, reportDifference } from "../report/difference.ts";
import type { Assurance, Report } from "../report/report.ts";
import { VERSION } from "../version.ts";
import { type VerifyOptions, verify } from "./verify.ts";

/** A run keeps so much of an error's text, and a message quotes so much of any text, in characters. */
const MAX_ERROR_CHARACTERS = 1000;
const MAX_QUOTED_CHARACTERS = 60;

/** The options of `verify`, with two kernels in place of one. */
export interface CrossCheckOptions extends Omit<VerifyOptions, "kernel"> {
  /** The two kernels; by default the compiled one and the reference kernel. */
  readonly kernels?: readonly [Kernel, Kernel];
}

/** The answer of one kernel: a report, or the text of the error with which it failed; the other is null. */
export type KernelRun = {
  readonly kernel: Kernel["name"];
  readonly kernel_sha256: string | null;
  readonly report: Report | null;
  readonly error: string | null;
};

/** The comparison of the two runs. */
export type CrossCheck = {
  readonly agree: boolean;
  /** The place where the reports first differ; null if they agree, and if a kernel failed. */
  readonly first_difference: Difference | null;
  readonly runs: readonly [KernelRun, KernelRun];
};

/**
 * The report that counts, with the two runs beside it: the report itself keeps the closed shape of protocol section 16.
 */
export type CrossCheckedReport = {
  readonly report: Report;
  readonly cross_check: CrossCheck;
};

/**
 * Verifies the same bytes under the same options with both kernels (protocol section 16). `bytes`: the whole object.
 * `options`: as for `verify`. Returns the first kernel's report if the two differ in nothing but `verifier`. If they
 * differ, or if one kernel failed, the report is `rejected` with the one problem `kernels_disagree`, and shows nothing.
 * Throws KernelUnavailable if no kernels are given and the compiled one cannot start, TypeError if one kernel is given
 * twice, and the error of `verify` if both kernels fail. It cannot find faults outside the kernels.
 *
 * @example
 * const { report, cross_check } = crossCheck(pack, { trust });
 * console.log(report.verdict, cross_check.agree); // verified true
 */
export function crossCheck(bytes: Uint8Array, options: CrossCheckOptions = {}): CrossCheckedReport {
  const { kernels = [selectKernel("wasm"), selectKernel("reference")], ...settings } = options;
  const [first, second] = kernels;
  if (first === second) throw new TypeError("a cross-check needs two kernels, and was given one twice");
  const outcomes = [attempt(bytes, settings, first), attempt(bytes, settings, second)] as const;
  if ("cause" in outcomes[0] && "cause" in outcomes[1]) throw outcomes[0].cause;

  const runs = [outcomes[0].run, outcomes[1].run] as const;
  const [{ report: left }, { report: right }] = runs;
  const difference = left === null || right === null ? null : reportDifference(left, right);
  if (left !== null && right !== null && difference === null)
    return { report: left, cross_check: { agree: true, first_difference: null, runs } };
  const report = refusal(runs, difference, settings.kind ?? null);
  return { report, cross_check: { agree: false, first_difference: difference, runs } };
}

type Attempt = { readonly run: KernelRun } | { readonly run: KernelRun; readonly cause: unknown };

function attempt(bytes: Uint8Array, settings: Omit<VerifyOptions, "kernel">, kernel: Kernel): Attempt {
  const who = { kernel: kernel.name, kernel_sha256: kernel.sha256Hex };
  try {
    return { run: { ...who, report: verify(bytes, { ...settings, kernel }), error: null } };
  } catch (cause) {
    return { run: { ...who, report: null, error: cut(String(cause), MAX_ERROR_CHARACTERS) }, cause };
  }
}

/** Nothing counts as shown if the kernels do not agree about it. */
const NOTHING_SHOWN: Assurance = {
  signed: false,
  included: false,
  complete: false,
  witnessed: { required: 0, valid: 0, pinned: 0 },
  published: "none",
  anchored: "none",
  redacted: 0,
};

function refusal(runs: CrossCheck["runs"], difference: Difference | null, asked: Kind | null): Report {
  const [{ kernel_sha256, report: left }, { report: right }] = runs;
  const kind = left !== null && left.kind === right?.kind ? left.kind : asked;
  const isSameSubject =
    left !== null && right !== null && JSON.stringify(left.subject) === JSON.stringify(right.subject);
  const message =
    `The kernels do not agree: ` + `${runs.map(said).join("; ")}.${difference === null ? "" : ` ${where(difference)}`}`;
  return {
    ok: false,
    verdict: "rejected",
    kind,
    subject: isSameSubject ? left.subject : { id: null },
    verifier: { name: "svc-core", version: VERSION, kernel_sha256 },
    assurance: NOTHING_SHOWN,
    signers: [],
    checks: checksOf(kind).map((id) => ({ id, status: "cannot_evaluate" })),
    problems: [{ code: "kernels_disagree", path: "", message, action: CODES.kernels_disagree.action }],
    proves: [],
    does_not_prove: ["anything: the kernels of this verifier do not agree, so that one of them is wrong"],
  };
}

function said({ kernel, report, error }: KernelRun): string {
  if (report === null) return `${kernel} failed (${cut(`${error}`, MAX_QUOTED_CHARACTERS)})`;
  const [problem] = report.problems;
  return `${kernel} says ${report.verdict}${problem === undefined ? "" : ` (${problem.code})`}`;
}

function where({ path, values }: Difference): string {
  const [left, right] = values.map((value) => (value === null ? "nothing" : cut(value, MAX_QUOTED_CHARACTERS)));
  return `Their reports first differ at ${path}: ${left}, and ${right}.`;
}

/** The text stays well-formed if the cut goes through a character. */
function cut(text: string, maxCharacters: number): string {
  return (text.length > maxCharacters ? `${text.slice(0, maxCharacters)}…` : text).toWellFormed();
}
