/**
 * One run of a verification: it collects what each check looked at and what it found, has all signatures checked together, and
 * makes the report. It decides the verdict; what is right or wrong about an object is decided in ../objects.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import type { Tag } from "../protocol.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { type Seal, sealedBytes } from "../seal.ts";
import { KeyRing, type Scope } from "../trust/key-ring.ts";
import type { TrustPolicy } from "../trust/policy.ts";
import { VERSION } from "../version.ts";
import { CHECK_ORDER, type CheckId, checksOf, type Kind } from "./checks.ts";
import { CODES, type ProblemCode } from "./codes.ts";
import { describe } from "./meaning.ts";
import type { Assurance, CheckResult, CheckStatus, Problem, Report, Subject, Verdict } from "./report.ts";

/** A problem as a check states it; the action comes from the table of codes. */
export interface Finding {
  readonly code: ProblemCode;
  readonly path: string;
  readonly message: string;
  readonly expected?: string;
  readonly actual?: string;
}

/** A signature that was handed in for checking. `valid` is null until the examination has settled it. */
export interface PendingSignature {
  readonly valid: boolean | null;
}

/** What a seal stands on. */
export interface SealUse {
  /** JSON Pointer to the seal. */
  readonly path: string;
  /** The sealed thing in words, as in "the receipt of event 7". */
  readonly what: string;
  readonly streamId?: string;
  /** The time that the sealed object gives itself. */
  readonly ownTime?: string;
  /** The sequence number of the event, or of the last event that the object covers: what later time evidence covers it. */
  readonly eventNo?: number;
}

/** A time, proven by somebody the verifier pins, at which the stream already held its events up to `toSeqNo`. */
interface TimeProof {
  readonly toSeqNo: number;
  /** Unix seconds. */
  readonly unixSeconds: number;
}

interface Tally {
  count: number;
  failed: boolean;
  unevaluated: number;
  note: string | null;
}

/** A use of a key that counts only up to a time, to be judged once all time evidence is known. */
interface DatedUse {
  readonly use: SealUse;
  readonly kid: string;
  readonly validTo: string;
}

export class Examination {
  readonly kernel: Kernel;
  readonly trust: TrustPolicy;
  readonly keys: KeyRing;
  /** The origin of the object's stream, once a checkpoint has stated it. Restricts which pins reach the object's seals. */
  origin: string | undefined;
  kind: Kind | null = null;
  subject: Subject = { id: null };
  redacted = 0;
  /** Set by the objects that can show it. */
  included = false;
  complete = false;
  witnessed = { required: 0, valid: 0, pinned: 0 };

  readonly #tallies = new Map<CheckId, Tally>();
  readonly #rejections: { check: CheckId; finding: Finding }[] = [];
  readonly #distrusts = new Map<string, { check: CheckId; finding: Finding }>();
  readonly #pending: { item: Parameters<Kernel["verifyEd25519"]>[0][number]; settle(valid: boolean): void }[] = [];
  readonly #timeProofs: TimeProof[] = [];
  readonly #datedUses: DatedUse[] = [];
  #signaturesMissing = 0;
  #sealsSeen = 0;

  constructor(kernel: Kernel, trust: TrustPolicy) {
    this.kernel = kernel;
    this.trust = trust;
    this.keys = new KeyRing(trust);
  }

  /** Notes that a check looked at something and found it good so far. */
  looked(check: CheckId, count = 1): void {
    this.#tally(check).count += count;
  }

  /** Says why a check looked at nothing, or what it did not look at. */
  leaveOut(check: CheckId, note: string): void {
    this.#tally(check).note = note;
  }

  /** Says that a check could not be made, and why. */
  cannotEvaluate(check: CheckId, note: string): void {
    const tally = this.#tally(check);
    tally.unevaluated++;
    tally.note = note;
  }

  /** A finding that makes the verdict `rejected`. */
  reject(check: CheckId, finding: Finding): void {
    this.#tally(check).failed = true;
    this.#rejections.push({ check, finding });
  }

  /** A finding that keeps the verdict from being `verified` although nothing is wrong. One for each code and key is kept. */
  distrust(finding: Finding, subject: string): void {
    const key = `${finding.code} ${subject}`;
    if (!this.#distrusts.has(key)) this.#distrusts.set(key, { check: "trust", finding });
  }

  /** Counts one thing looked at, and rejects unless the condition holds. Returns the condition. */
  expect(check: CheckId, condition: boolean, finding: Finding): boolean {
    if (!condition) this.reject(check, finding);
    return condition;
  }

  /** Rejects with both values unless they are equal; counts one thing looked at unless told otherwise. Returns whether equal. */
  expectEqual(
    check: CheckId,
    code: ProblemCode,
    expected: string,
    actual: string,
    at: { readonly path: string; readonly message: string; readonly count?: boolean },
  ): boolean {
    if (at.count !== false) this.looked(check);
    return this.expect(check, expected === actual, { code, path: at.path, message: at.message, expected, actual });
  }

  /** Hands in a signature; all are checked together by `settle`. A bad one rejects, with the finding. */
  signature(
    check: CheckId,
    publicKeyHex: PublicKeyHex,
    message: Uint8Array,
    signature: Uint8Array,
    finding: Finding,
  ): PendingSignature {
    const pending: { valid: boolean | null } = { valid: null };
    this.looked(check);
    this.#pending.push({
      item: { publicKey: hexToBytes(publicKeyHex), message, signature },
      settle: (valid) => {
        pending.valid = valid;
        if (!valid) this.reject(check, finding);
      },
    });
    return pending;
  }

  /** Checks one signature at once, where what follows depends on it. Returns whether it holds; a bad one rejects. */
  signatureNow(
    check: CheckId,
    publicKeyHex: PublicKeyHex,
    message: Uint8Array,
    signature: Uint8Array,
    finding: Finding,
  ): boolean {
    this.looked(check);
    const [valid] = this.kernel.verifyEd25519([{ publicKey: hexToBytes(publicKeyHex), message, signature }]);
    return this.expect(check, valid === true, finding);
  }

  /** Checks a seal: its signature, and how far trust reaches its key for this stream. */
  seal(check: CheckId, tag: Tag, body: JsonObject, seal: Seal, use: SealUse): PendingSignature {
    this.#sealsSeen++;
    this.#judgeKey(seal, use);
    const publicKeyHex = this.keys.publicKey(seal.kid);
    if (publicKeyHex === null) {
      this.#signaturesMissing++;
      this.cannotEvaluate(check, "a key is missing: neither you nor the object tells it");
      return { valid: null };
    }
    const message = sealedBytes(this.kernel, tag, body, seal.kid);
    return this.signature(check, publicKeyHex, message, hexToBytes(seal.signature), {
      code: "signature_invalid",
      path: `${use.path}/signature`,
      message: `The signature on ${use.what} does not verify under ${seal.kid}.`,
    });
  }

  /** Has every signature checked that was handed in so far. */
  settle(): void {
    const verdicts = this.kernel.verifyEd25519(this.#pending.map(({ item }) => item));
    this.#pending.splice(0).forEach(({ settle }, index) => {
      settle(verdicts[index] === true);
    });
  }

  /** Notes that a pinned witness saw the stream up to `toSeqNo` at a time in Unix seconds; null where none did. */
  addTimeProof(unixSeconds: number | null, toSeqNo: number): void {
    if (unixSeconds !== null) this.#timeProofs.push({ unixSeconds, toSeqNo });
  }

  /** Makes the report. Call once, last. */
  report(): Report {
    this.settle();
    this.#judgeDatedUses();
    this.looked("trust", this.#sealsSeen);
    const assurance = this.#assurance();
    const verdict = this.#verdict();
    const problems = this.#problems();
    const texts = describe(verdict, this.kind, this.subject, assurance);
    return {
      ok: verdict === "verified",
      verdict,
      kind: this.kind,
      subject: this.subject,
      verifier: { name: "svc-core", version: VERSION, kernel_sha256: this.kernel.sha256Hex },
      assurance,
      checks: this.#checks(),
      problems,
      ...texts,
    };
  }

  /** Whether none of these checks has failed so far. */
  held(...checks: readonly CheckId[]): boolean {
    return checks.every((check) => !this.#failed(check));
  }

  /** Whether anything so far makes the verdict `rejected`. */
  get rejected(): boolean {
    return this.#rejections.length > 0;
  }

  #tally(check: CheckId): Tally {
    const tally = this.#tallies.get(check);
    if (tally !== undefined) return tally;
    const fresh = { count: 0, failed: false, unevaluated: 0, note: null };
    this.#tallies.set(check, fresh);
    return fresh;
  }

  #judgeKey(seal: Seal, use: SealUse): void {
    const scope: Scope = { streamId: use.streamId, origin: this.origin };
    const standing = this.keys.standing(seal.kid, scope);
    const path = `${use.path}/kid`;
    if (!standing.trusted) {
      const unchecked = this.keys.publicKey(seal.kid) === null ? " Its signature could not be checked." : "";
      const messages = {
        key_not_pinned: `You have not said whose key ${seal.kid} is, which sealed ${use.what}.`,
        key_revoked: `${seal.kid}, which sealed ${use.what}, is revoked, or only a revoked key vouches for it.`,
        key_time_unproven: `${seal.kid}, which sealed ${use.what}, is endorsed only by a key with an end, and nothing dates that.`,
        signer_not_for_stream: `${seal.kid}, which sealed ${use.what}, is pinned, but not for this stream.`,
      };
      this.distrust({ code: standing.code, path, message: messages[standing.code] + unchecked }, seal.kid);
      return;
    }
    const { validFrom, validTo } = standing;
    if (use.ownTime !== undefined && validFrom !== null && use.ownTime < validFrom) {
      const message = `${seal.kid} sealed ${use.what} before it was valid.`;
      this.reject("trust", { code: "key_not_valid_at_time", path, message, expected: validFrom, actual: use.ownTime });
    } else if (use.ownTime !== undefined && validTo !== null && use.ownTime > validTo) {
      const message = `${seal.kid} sealed ${use.what} after its end.`;
      this.reject("trust", { code: "key_not_valid_at_time", path, message, expected: validTo, actual: use.ownTime });
    } else if (validTo !== null) {
      this.#datedUses.push({ use, kid: seal.kid, validTo });
    }
  }

  /** A key with an end is trusted only for what somebody pinned places at or before it: a key stolen later can backdate. */
  #judgeDatedUses(): void {
    for (const { use, kid, validTo } of this.#datedUses) {
      const limit = unixSeconds(validTo);
      const { eventNo } = use;
      const proven =
        eventNo !== undefined &&
        this.#timeProofs.some((proof) => proof.toSeqNo >= eventNo && proof.unixSeconds <= limit);
      if (proven) continue;
      const message = `${kid} is trusted up to ${validTo} only, and nothing you pin shows that ${use.what} was sealed by then.`;
      this.distrust({ code: "key_time_unproven", path: `${use.path}/kid`, message }, kid);
    }
  }

  #verdict(): Verdict {
    if (this.rejected) return "rejected";
    return this.#distrusts.size > 0 ? "untrusted" : "verified";
  }

  #assurance(): Assurance {
    const signatureChecks: CheckId[] = ["receipt_signature", "window_seal", "checkpoint_seal", "note", "bundle_seal"];
    const signed =
      this.#sealsSeen > 0 &&
      this.#signaturesMissing === 0 &&
      !this.#failed("json") &&
      !this.#failed("shape") &&
      !signatureChecks.some((check) => this.#failed(check));
    return {
      signed,
      included: this.included,
      complete: this.complete,
      witnessed: this.witnessed,
      published: "none",
      anchored: "none",
      redacted: this.redacted,
    };
  }

  #failed(check: CheckId): boolean {
    return this.#tallies.get(check)?.failed ?? false;
  }

  #checks(): CheckResult[] {
    return checksOf(this.kind).map((id) => {
      const tally = this.#tallies.get(id);
      if (tally === undefined) return { id, status: "not_checked" };
      const status = id === "trust" ? this.#trustStatus(tally) : statusOf(tally);
      return {
        id,
        status,
        ...(tally.count > 0 ? { count: tally.count } : {}),
        ...(tally.note !== null ? { note: tally.note } : {}),
      };
    });
  }

  #trustStatus(tally: Tally): CheckStatus {
    if (tally.failed) return "fail";
    if (tally.count === 0) return "not_checked";
    return this.#distrusts.size > 0 ? "cannot_evaluate" : "pass";
  }

  #problems(): Problem[] {
    const all = [...this.#rejections, ...this.#distrusts.values()];
    const rank = new Map(CHECK_ORDER.map((check, index) => [check, index]));
    all.sort((a, b) => (rank.get(a.check) ?? 0) - (rank.get(b.check) ?? 0));
    return all.map(({ finding }) => ({ ...finding, action: CODES[finding.code].action }));
  }
}

function statusOf(tally: Tally): CheckStatus {
  if (tally.failed) return "fail";
  if (tally.unevaluated > 0) return "cannot_evaluate";
  return tally.count > 0 ? "pass" : "not_checked";
}

/** Unix seconds of a service time, rounded down. */
export function unixSeconds(serviceTime: string): number {
  return Math.floor(Date.parse(serviceTime) / 1000);
}
