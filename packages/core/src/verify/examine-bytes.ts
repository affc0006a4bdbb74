/**
 * The part that every way of verifying bytes shares (verifier.ts, read-cooperatively.ts): it begins an examination,
 * examines bytes of any kind, and rejects bytes that this runtime cannot hold.
 */
import { KernelStopped } from "@svc/wasm/errors";
import type { Json, Kernel } from "../kernel/kernel.ts";
import type { BulkReceipts } from "../objects/bundle/bulk.ts";
import type { Consistency } from "../objects/consistency.ts";
import { openKeys } from "../objects/key-endorsement.ts";
import { examineKnownCheckpoints } from "../objects/known-checkpoints.ts";
import type { JsonKind, Kind } from "../report/checks.ts";
import { Examination } from "../report/examination.ts";
import { examineExpectations } from "../report/expectations.ts";
import type { Report } from "../report/report.ts";
import { deepPayloads, shapeProblems } from "../schema/validate.ts";
import { type ParsedTrustPolicy, parseTrustPolicy } from "../trust/parse.ts";
import { TRUST_NOBODY, type TrustPolicy } from "../trust/policy.ts";
import { carriedKeys, detectKind, isObject, isOverAnchors, kindEntry } from "./kinds.ts";
import { type ReadInBulk, readInBulk } from "./read-in-bulk.ts";

export interface VerifierOptions {
  /** The kind to verify as; by default the kind that the members show. */
  readonly kind?: Kind;
  /** A trust policy of protocol section 16, made here or strictly parsed from a file. Without one nobody is trusted. */
  readonly trust?: TrustPolicy | Json;
  /** Consistency evidence that links known checkpoints to the object. Links that do not hold are ignored. */
  readonly links?: readonly Json[];
  /** The kernel to compute with. */
  readonly kernel: Kernel;
  /**
   * The examiner of truth packages: `examineTruthPackage` of verify/truth-package. It is passed in because a page may
   * do without it.
   */
  readonly packages?: PackageExaminer;
}

/**
 * Examines the bytes of a truth package. It gets a function that examines a value as the bundle of an examination of
 * its own.
 */
export type PackageExaminer = (
  exam: Examination,
  bytes: Uint8Array,
  examineBundle: (part: Examination, value: Json, bulk?: BulkReceipts) => void,
) => void;

/** Verifies bytes under a trust policy that was read before. */
export function verifyUnder(trust: ParsedTrustPolicy, bytes: Uint8Array, options: VerifierOptions): Report {
  const exam = begin(trust, bytes, options);
  try {
    examineBytes(exam, bytes, options, readInBulk(exam, bytes));
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return exam.report();
}

/** Reads the trust policy of the options; without one, the policy that trusts nobody. */
export function readTrust({ kernel, trust = TRUST_NOBODY }: VerifierOptions): ParsedTrustPolicy {
  return parseTrustPolicy(kernel, trust as Json);
}

/** Begins an examination of bytes under a trust policy; it is rejected if the policy is not well formed. */
export function begin(read: ParsedTrustPolicy, bytes: Uint8Array, { kernel, kind }: VerifierOptions): Examination {
  const exam = new Examination(kernel, read.ok ? read.policy : TRUST_NOBODY);
  // PK: no JSON text starts as an archive does.
  exam.kind = kind ?? (bytes[0] === 0x50 && bytes[1] === 0x4b ? "truth-package" : null);
  if (!read.ok) {
    for (const problem of read.problems)
      exam.reject("trust", { ...problem, message: `In the trust policy: ${problem.message}` });
  }
  return exam;
}

/**
 * Rejects an object that this runtime cannot hold as a string, a stack or memory, or on which a kernel stopped: an
 * unchecked object must not look like a checked one. Throws every other error.
 */
export function refuseTooLarge(exam: Examination, error: unknown): void {
  const isTooLarge = error instanceof RangeError;
  if (!isTooLarge && !(error instanceof KernelStopped)) throw error;
  const message = isTooLarge
    ? `The object is larger than this runtime can check: ${error.message}.`
    : `The kernel could not check the object: ${error.message}`;
  exam.reject("shape", { code: "unsupported_object", path: "", message });
}

/** Examines bytes, or the bundle that was read from them in bulk. */
export function examineBytes(
  exam: Examination,
  bytes: Uint8Array,
  { links = [], packages }: VerifierOptions,
  read: ReadInBulk | null,
): void {
  if (exam.kind === "truth-package") {
    const message = "This verifier does not read truth packages.";
    if (packages === undefined) exam.reject("shape", { code: "unsupported_object", path: "", message });
    else packages(exam, bytes, (part, value, bulk) => examineValue(part, value, links, bulk));
    return;
  }
  const parsed = read === null ? exam.kernel.parseJson(bytes) : { ok: true as const, value: read.bundle };
  if (parsed.ok) {
    exam.looked("json");
    examineValue(exam, parsed.value, links, read?.bulk);
  } else {
    const { code, offset } = parsed;
    exam.reject("json", { code, path: "", message: `At byte ${offset}.`, actual: `${offset}` });
  }
}

/** Examines a value, whose receipts may have been checked in bulk. */
export function examineValue(exam: Examination, value: Json, links: readonly Json[], bulk?: BulkReceipts): void {
  const kind = (exam.kind as JsonKind | null) ?? detectKind(value);
  if (kind === null) {
    const code = isObject(value) ? "unsupported_object" : "malformed";
    const message = isObject(value)
      ? "The members are of no kind of evidence that this verifier knows."
      : "Evidence is a JSON object, and this is none.";
    exam.reject("shape", { code, path: "", message });
    return;
  }
  exam.kind = kind;
  exam.value = value;
  const { validator, faults, examine } = kindEntry(kind, value);
  exam.overAnchors = isOverAnchors(kind, value);
  const ofForm = shapeProblems(validator, value).concat(deepPayloads(value));
  const problems =
    ofForm.length > 0 ? ofForm : faults(value as never).map((fault) => ({ code: "malformed" as const, ...fault }));
  exam.looked("shape");
  for (const problem of problems) exam.reject("shape", problem);
  if (problems.length > 0 || !isObject(value)) return;

  const { hints, endorsements } = carriedKeys(value);
  openKeys(exam, hints, endorsements);
  const tree = examine(exam, value as never, bulk);
  exam.settle();
  if (tree !== null) examineKnownCheckpoints(exam, tree, holdingLinks(exam, links));
  examineExpectations(exam);
}

/** Returns the links that hold by themselves. Their mathematics links; their signers need not be trusted for it. */
function holdingLinks(exam: Examination, links: readonly Json[]): Consistency[] {
  const { signers, witnesses = [] } = exam.trust;
  return links.filter((link) => {
    const own = new Examination(exam.kernel, { signers, witnesses });
    own.kind = "consistency";
    examineValue(own, link, []);
    // Evidence over anchors links no checkpoints.
    return !own.rejected && !own.overAnchors;
  }) as Consistency[];
}
