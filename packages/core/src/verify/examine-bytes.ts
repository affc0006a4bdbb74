/**
 * The part that every way of verifying bytes shares (verifier.ts, read-cooperatively.ts): it begins an examination,
 * examines bytes of any kind, and rejects bytes that this runtime cannot hold.
 */
import { KernelStopped } from "@svc/wasm/errors";
import { isShared } from "../encoding/bytes.ts";
import { shownHistory } from "../histories/shown.ts";
import type { Json, JsonObject, Kernel } from "../kernel/kernel.ts";
import type { ChainExaminer } from "../objects/anchor/chain-examiner.ts";
import type { BulkReceipts } from "../objects/bundle/bulk.ts";
import { type Bundle, hasProvenance } from "../objects/bundle/schema.ts";
import type { Consistency } from "../objects/consistency.ts";
import { openKeys } from "../objects/key-endorsement.ts";
import { examineKnownCheckpoints } from "../objects/known-checkpoints.ts";
import type { JsonKind, Kind } from "../report/checks.ts";
import { Examination } from "../report/examination.ts";
import { examineExpectations } from "../report/expectations.ts";
import type { Report } from "../report/report.ts";
import { deepPayloads, shapeProblems } from "../schema/validate.ts";
import { type ParsedTrustPolicy, PLAIN, parsePolicyOf } from "../trust/parse-form.ts";
import { TRUST_NOBODY, type TrustPolicy } from "../trust/policy.ts";
import {
  carriedKeys,
  checkListOf,
  detectKind,
  isKind,
  isObject,
  kindEntry,
  lacksMark,
  type VaultEvidence,
} from "./kinds.ts";
import { type ReadInBulk, readInBulk } from "./read-in-bulk.ts";

export interface VerifierOptions {
  /** The kind to verify as; by default the kind that the members show. */
  readonly kind?: Kind;
  /** A trust policy of protocol section 16, made here or strictly parsed from a file. Without one nobody is trusted. */
  readonly trust?: TrustPolicy | Json;
  /**
   * Consistency evidence that links known checkpoints to the object; beside an IVC epoch also the epoch before it.
   * Links that do not hold are ignored.
   */
  readonly links?: readonly Json[];
  /**
   * A proof that one envelope is in the range of a bundle, which must hold beside it (protocol section 27). Problems of
   * it have paths that begin with `inclusion:`.
   */
  readonly inclusion?: Json;
  /** The kernel to compute with. */
  readonly kernel: Kernel;
  /**
   * The examiner of truth packages: `examineTruthPackage` of verify/truth-package. It is passed in because a page may
   * do without it.
   */
  readonly packages?: PackageExaminer;
  /**
   * The judge of the evidence of vaults: `vaultEvidence` of verify/vaults.ts. Without it such evidence is rejected as
   * an unsupported object. It is passed in because a page may do without it.
   */
  readonly vaults?: VaultEvidence;
  /**
   * The examiner of evidence of a chain: `examineEvidence` of objects/anchor/evidence.ts. Without it an anchor in a
   * block is rejected as an unsupported object. It is passed in because a page may do without it.
   */
  readonly chain?: ChainExaminer;
}

/** The options that examine a value. */
export type ExaminerOptions = Pick<VerifierOptions, "links" | "inclusion" | "vaults">;

/** Examines the bytes of a truth package, with the functions for the bundles in it. */
export type PackageExaminer = (exam: Examination, bytes: Uint8Array, bundles: BundleExaminer) => void;

/** How the bundles in a truth package are examined. */
export interface BundleExaminer {
  /** Examines a value as the bundle of a separate examination. */
  readonly examine: (part: Examination, value: Json, bulk?: BulkReceipts) => void;
  readonly vaults?: VaultEvidence | undefined;
}

/** Returns how the bundles in a truth package are examined under these options. No proof beside it is about one. */
export function bundlesUnder({ links, vaults }: ExaminerOptions): BundleExaminer {
  const options = { ...(links && { links }), ...(vaults && { vaults }) };
  return { examine: (part, value, bulk) => examineValue(part, value, options, bulk), vaults };
}

/** Verifies bytes under a trust policy that was read before. */
export function verifyUnder(trust: ParsedTrustPolicy, bytes: Uint8Array, options: VerifierOptions): Report {
  const exam = begin(trust, bytes, options);
  let read: ReadInBulk | null = null;
  try {
    read = readInBulk(exam, bytes, options.vaults);
    examineBytes(exam, bytes, options, read);
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return finalReport(exam, read, bytes, options);
}

/**
 * Returns the report of an examination. If something was found in a bundle of vaults that was read in bulk, the whole
 * is examined anew, one by one, so that each problem tells its place and event.
 */
export function finalReport(
  exam: Examination,
  read: ReadInBulk | null,
  bytes: Uint8Array,
  options: VerifierOptions,
): Report {
  const report = exam.report();
  if (read?.bulk.provenance === undefined || report.problems.length === 0) return report;
  return reportOneByOne(bytes, options);
}

function reportOneByOne(bytes: Uint8Array, options: VerifierOptions): Report {
  const exam = begin(readTrust(options), bytes, options);
  try {
    examineBytes(exam, isShared(bytes) ? bytes.slice() : bytes, options, null);
  } catch (error) {
    refuseTooLarge(exam, error);
  }
  return exam.report();
}

/**
 * Reads the trust policy of the options; without one, the policy that trusts nobody. Where no evidence of vaults is
 * judged, a policy that speaks of vaults is not well formed: its demands must not be passed over.
 */
export function readTrust({ kernel, trust = TRUST_NOBODY, vaults }: VerifierOptions): ParsedTrustPolicy {
  return vaults?.parseTrust(kernel, trust as Json) ?? parsePolicyOf(PLAIN, kernel, trust as Json);
}

/**
 * Begins an examination of bytes under a trust policy; it is rejected if the policy is not well formed. Throws
 * TypeError for an unknown kind.
 */
export function begin(
  read: ParsedTrustPolicy,
  bytes: Uint8Array,
  { kernel, kind, chain }: VerifierOptions,
): Examination {
  if (kind !== undefined && !isKind(kind))
    throw new TypeError(`${JSON.stringify(kind)} is no kind that this release verifies`);
  const exam = new Examination(kernel, read.ok ? read.policy : TRUST_NOBODY, chain);
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
  options: VerifierOptions,
  read: ReadInBulk | null,
): void {
  if (exam.kind === "truth-package") {
    const message = "This verifier does not read truth packages.";
    const { packages } = options;
    if (packages === undefined) exam.reject("shape", { code: "unsupported_object", path: "", message });
    else packages(exam, bytes, bundlesUnder(options));
    return;
  }
  const parsed = read === null ? exam.kernel.parseJson(bytes) : { ok: true as const, value: read.bundle };
  if (parsed.ok) {
    exam.looked("json");
    if (!isTooLong(exam, bytes.length, parsed.value, options)) examineValue(exam, parsed.value, options, read?.bulk);
  } else {
    const { code, offset } = parsed;
    exam.reject("json", { code, path: "", message: `At byte ${offset}.`, actual: `${offset}` });
  }
}

/** Rejects evidence of vaults that is longer than its kind may be. Returns whether it is. */
function isTooLong(exam: Examination, length: number, value: Json, { vaults }: VerifierOptions): boolean {
  const kind = (exam.kind as JsonKind | null) ?? detectKind(value);
  const most = kind === null ? null : (vaults?.maxBytes(kind, value) ?? null);
  if (most === null || length <= most) return false;
  exam.kind = kind;
  const message = `It has ${length} bytes, and such an object has at most ${most}.`;
  exam.reject("shape", {
    code: "unsupported_object",
    path: "",
    message,
    expected: `at most ${most}`,
    actual: `${length}`,
  });
  return true;
}

/** Examines a value, whose receipts may have been checked in bulk. */
export function examineValue(
  exam: Examination,
  value: Json,
  { links = [], inclusion, vaults }: ExaminerOptions,
  bulk?: BulkReceipts,
): void {
  const kind = (exam.kind as JsonKind | null) ?? detectKind(value);
  if (kind === null) {
    const code = isObject(value) ? "unsupported_object" : "malformed";
    const message = isObject(value)
      ? "The members are of no kind of evidence that this verifier knows."
      : "Evidence is a JSON object, and this is not an object.";
    exam.reject("shape", { code, path: "", message });
    return;
  }
  exam.kind = kind;
  exam.value = value;
  if (lacksMark(kind, value)) {
    const message = `This is no object of the kind ${kind}: it lacks the member that marks that kind.`;
    exam.reject("shape", { code: "unsupported_object", path: "", message });
    return;
  }
  exam.checkList = checkListOf(kind, value);
  const checks = kindEntry(kind, value, vaults);
  if (checks === null || (inclusion !== undefined && vaults === undefined)) {
    refuseVaults(exam, checks === null ? "" : "inclusion:");
    return;
  }
  exam.words = vaults?.words ?? null;
  const { validator, faults, examine } = checks;
  // The way in bulk has checked the shape of a bundle of vaults, which takes long.
  const hasForm = bulk?.provenance !== undefined;
  const ofForm = hasForm ? [] : shapeProblems(validator, value).concat(deepPayloads(value));
  const problems =
    ofForm.length > 0 ? ofForm : faults(value as never).map((fault) => ({ code: "malformed" as const, ...fault }));
  exam.looked("shape");
  for (const problem of problems) exam.reject("shape", problem);
  if (problems.length > 0 || !isObject(value)) return;

  const { hints, endorsements, place } = carriedKeys(kind, value);
  openKeys(exam, hints, endorsements, place);
  const tree = examine(exam, value as never, bulk);
  const history = exam.rejected ? null : shownHistory(exam.kernel, kind, value, tree, exam.keys.endorsed(), bulk);
  if (history !== null) exam.histories.push(history);
  if (inclusion !== undefined) examineBeside(exam, value, inclusion, vaults);
  exam.settle();
  if (kind === "ivc-epoch")
    vaults?.examineEpochBefore(exam, value as never, links, (link) => holdsAlone(exam, kind, link, vaults) !== null);
  if (tree !== null) examineKnownCheckpoints(exam, tree, holdingLinks(exam, links));
  examineExpectations(exam, vaults?.examineReader);
  vaults?.examineRequiredLevel(exam);
}

/** Rejects evidence that only a verifier with the evidence of vaults judges: it must not look like a checked one. */
function refuseVaults(exam: Examination, path: string): void {
  const message = "This verifier does not judge evidence of vaults, and has checked nothing of it.";
  exam.reject("shape", { code: "unsupported_object", path, message });
}

/** Examines a proof beside the object, which must be a bundle. */
function examineBeside(exam: Examination, value: JsonObject, inclusion: Json, vaults?: VaultEvidence): void {
  const { manifest, artifacts } = value as unknown as Bundle;
  const isOfVaults = exam.kind === "bundle" && hasProvenance(manifest);
  const checkpoints = isOfVaults ? artifacts["checkpoints.json"] : [];
  vaults?.examineBeside(exam, inclusion, isOfVaults ? manifest : null, checkpoints);
}

/** Returns the links that hold by themselves. Their mathematics links; their signers need not be trusted for it. */
function holdingLinks(exam: Examination, links: readonly Json[]): Consistency[] {
  // Evidence over anchors links no checkpoints.
  return links.filter((link) => holdsAlone(exam, "consistency", link)?.checkList === null) as Consistency[];
}

/** Returns the examination of a value of a kind beside the object, if nothing in it is wrong; otherwise null. */
function holdsAlone({ kernel, trust, chain }: Examination, kind: JsonKind, value: Json, vaults?: VaultEvidence) {
  const { signers, witnesses = [] } = trust;
  const own = new Examination(kernel, { signers, witnesses }, chain);
  own.kind = kind;
  examineValue(own, value, { ...(vaults && { vaults }) });
  return own.rejected ? null : own;
}
