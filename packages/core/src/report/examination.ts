/**
 * One run of a verification. It collects what each check looked at and found, has all signatures checked together, and
 * makes the report. It decides the verdict; ../objects decides what is right or wrong about an object. The file is long
 * because everything noted must end in one report, and must be reachable in no other way.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { Json, JsonObject, Kernel, SignatureItem } from "../kernel/kernel.ts";
import type { NoteLine } from "../note/signed-note.ts";
import type { ChainExaminer } from "../objects/anchor/chain-examiner.ts";
import type { EventLevel } from "../objects/assurance/missing.ts";
import type { Kid, PublicKeyHex } from "../schema/atoms.ts";
import { type AnySeal, kidOf, sealedBytes } from "../seal.ts";
import { KeyRing } from "../trust/key-ring.ts";
import type { PinnedWitness, TrustPolicy } from "../trust/policy.ts";
import { type Quorum, quorumOf } from "../trust/quorum.ts";
import { type SealUse, type SignedUse, SignerTrust } from "../trust/signer-trust.ts";
import { VERSION } from "../version.ts";
import { cut, MAX_PROBLEMS, shortened } from "./bounds.ts";
import { CHECK_ORDER, type CheckId, type CheckList, checksOf, type Kind } from "./checks.ts";
import type { ProblemCode } from "./codes.ts";
import { withConviction } from "./conviction.ts";
import { noteHistories, type ShownHistory } from "./histories.ts";
import { describe, type VaultWords } from "./meaning.ts";
import { placeNames } from "./place.ts";
import { PLAIN_CODES } from "./plain-codes.ts";
import { compareProblems, sortOf } from "./problem-order.ts";
import type {
  Assurance,
  CheckResult,
  CheckStatus,
  Finding,
  PlaceNames,
  Problem,
  ProvenanceAssurance,
  Report,
  SignerRole,
  Subject,
  Verdict,
} from "./report.ts";
import { type FoundSigner, SignerList } from "./signers.ts";

/** A signature that waits for its check. `valid` is null until the examination has settled it. */
export interface PendingSignature {
  readonly valid: boolean | null;
}

interface Tally {
  count: number;
  failed: boolean;
  unevaluated: number;
  note: string | null;
  found: string | null;
}

/** A finding of this examination, or of a part that was examined by itself: then with its place in the part. */
interface Noted {
  readonly check: CheckId;
  readonly finding: Finding;
  readonly inPart?: { readonly value: Json; readonly path: string };
}

/** The rank of each check in their order. */
const RANKS: ReadonlyMap<CheckId, number> = new Map(CHECK_ORDER.map((check, index) => [check, index]));

export class Examination {
  readonly kernel: Kernel;
  readonly trust: TrustPolicy;
  readonly keys: KeyRing;
  /** Checks evidence of a chain; null where that is not known, and such evidence is rejected. */
  readonly chain: ChainExaminer | null;
  /** The pinned witnesses whose key is not revoked. */
  readonly trustedWitnesses: readonly PinnedWitness[];
  /** The verifier's own demand for cosignatures; null if it has none. */
  readonly quorum: Quorum | null;
  /** Whether the newest checkpoint meets that demand. */
  quorumMet = false;
  /**
   * The origin of the object's stream, once a checkpoint has stated it. It restricts which pins reach the object's
   * seals.
   */
  origin: string | undefined;
  kind: Kind | null = null;
  /**
   * The parsed object; null before, and for a part that is only a place in it. It tells which event a problem is about.
   */
  value: Json = null;
  /** The list of checks, for an object that has another one than its kind; null for all others. */
  checkList: CheckList | null = null;
  subject: Subject = { id: null };
  redacted = 0;
  /** The objects that can show it set this. */
  included = false;
  complete = false;
  witnessed = { required: 0, valid: 0, pinned: 0 };
  published: Assurance["published"] = "none";
  anchored: Assurance["anchored"] = "none";
  /** The objects about what vaults state set this. */
  provenance: ProvenanceAssurance | null = null;
  /** The sentences about the evidence of vaults; null until some is examined. */
  words: VaultWords | null = null;
  /** The level of each event of a vault. No report holds them: `deriveAssurance` returns them beside it. */
  readonly levels: EventLevel[] = [];

  /** The histories of streams as the object shows them. No report holds them: `historiesOf` returns them beside it. */
  readonly histories: ShownHistory[] = [];

  /** The keys whose seals hold. Read it after the signatures are settled. */
  readonly sealers = new Set<Kid>();

  readonly #tallies = new Map<CheckId, Tally>();
  readonly #rejections: Noted[] = [];
  readonly #distrusts = new Map<string, Noted>();
  readonly #pending: { check: CheckId; item: SignatureItem; settle(valid: boolean): void }[] = [];
  readonly #signerTrust: SignerTrust;
  readonly #signers = new SignerList();
  #signaturesMissing = 0;
  #sealsSeen = 0;
  #sealBroken = false;

  /**
   * `chain`: what checks evidence of a chain, if anything does. `keys`: the keys of an outer examination, for a part
   * that is examined by itself; by default fresh ones.
   */
  constructor(
    kernel: Kernel,
    trust: TrustPolicy,
    chain: ChainExaminer | null = null,
    keys: KeyRing = new KeyRing(trust),
  ) {
    this.kernel = kernel;
    this.trust = trust;
    this.quorum = quorumOf(kernel, trust);
    this.keys = keys;
    this.chain = chain;
    this.#signerTrust = new SignerTrust(this.keys);
    const revoked = new Set<string>(trust.revoked ?? []);
    this.trustedWitnesses = (trust.witnesses ?? []).filter(
      (witness) => !revoked.has(kidOf(kernel, witness.public_key_hex)),
    );
  }

  /** Notes that a check looked at something and found no fault yet. */
  looked(check: CheckId, count = 1): void {
    this.#tally(check).count += count;
  }

  /** Notes why a check looked at nothing, or what it did not look at. */
  notChecked(check: CheckId, note: string): void {
    this.#tally(check).note = note;
  }

  /** Notes what a check found. It is said unless the check fails, or has a note of another kind. */
  found(check: CheckId, note: string): void {
    this.#tally(check).found = note;
  }

  /** Notes that a check could not be made, and why. */
  cannotEvaluate(check: CheckId, note: string): void {
    const tally = this.#tally(check);
    tally.unevaluated++;
    tally.note = note;
  }

  /** Notes a finding that makes the verdict `rejected`. */
  reject(check: CheckId, finding: Finding): void {
    this.#tally(check).failed = true;
    this.#rejections.push({ check, finding });
  }

  /**
   * Notes a finding that keeps the verdict from being `verified` although nothing is wrong. It keeps one for each code
   * and key. `check`: the check that could not be made to the end because of it.
   */
  distrust(finding: Finding, subject: string, check: CheckId = "trust"): void {
    const key = `${finding.code} ${subject}`;
    if (this.#distrusts.has(key)) return;
    this.#distrusts.set(key, { check, finding });
    if (check !== "trust") this.#tally(check).unevaluated++;
  }

  /** Rejects unless the condition holds. Returns the condition. */
  expect(check: CheckId, condition: boolean, finding: Finding): boolean {
    if (!condition) this.reject(check, finding);
    return condition;
  }

  /**
   * Rejects with both values unless they are equal, and counts one thing looked at unless told otherwise. Returns
   * whether they are equal.
   */
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

  /** Says whether a note line is by a key of the trust policy's text whose signatures this release does not check. */
  isUncheckedLine({ name, keyId }: NoteLine): boolean {
    return this.quorum?.form === "text" && this.quorum.unchecked.has(`${keyId} ${name}`);
  }

  /**
   * Notes a signature; `settle` checks all of them together. A bad one rejects, with the finding; a good one of a seal
   * notes its signer.
   */
  signature(
    check: CheckId,
    publicKeyHex: PublicKeyHex,
    message: Uint8Array,
    signature: Uint8Array,
    finding: Finding,
    sealer?: FoundSigner,
  ): PendingSignature {
    const pending: { valid: boolean | null } = { valid: null };
    this.looked(check);
    this.#pending.push({
      check,
      item: { publicKey: hexToBytes(publicKeyHex), message, signature },
      settle: (valid) => {
        pending.valid = valid;
        if (valid) {
          if (sealer !== undefined) this.signedBy(sealer);
          return;
        }
        if (finding.code === "signature_invalid") this.#sealBroken = true;
        this.reject(check, finding);
      },
    });
    return pending;
  }

  /** Checks one signature at once, for a decision that depends on it. Returns whether it holds; a bad one rejects. */
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

  /** Checks a seal: its signature, and whether trust reaches its key for this stream. */
  seal(
    check: CheckId,
    role: Exclude<SignerRole, "note" | "witness" | "vault">,
    body: JsonObject,
    seal: AnySeal,
    use: SealUse,
  ): PendingSignature {
    const { kid } = seal;
    const signed = { message: () => sealedBytes(this.kernel, role, body, kid), signature: hexToBytes(seal.signature) };
    return this.statement(check, kid, signed, { ...use, role });
  }

  /** Checks a signature as `seal` does, over something that is no sealed object: the text of a note. */
  statement(
    check: CheckId,
    kid: Kid,
    signed: { readonly message: () => Uint8Array; readonly signature: Uint8Array },
    use: SignedUse,
  ): PendingSignature {
    this.signerSeen();
    const { rejection, distrust, reached } = this.#signerTrust.judge(kid, use, this.origin);
    if (rejection !== undefined) this.reject("trust", rejection);
    if (distrust !== undefined) this.distrust(distrust, kid);
    const publicKeyHex = this.keys.publicKey(kid);
    const signer = { kid, publicKeyHex, role: use.role, reached };
    if (publicKeyHex === null) {
      this.#signers.add(signer);
      this.signatureMissing(check);
      return { valid: null };
    }
    const finding = {
      code: "signature_invalid" as const,
      path: `${use.path}/signature`,
      message: `The signature on ${use.what} does not verify under ${kid}.`,
    };
    return this.signature(check, publicKeyHex, signed.message(), signed.signature, finding, signer);
  }

  /** Notes a signer whose signature holds. */
  signedBy(signer: FoundSigner): void {
    // A vault's key seals no part of the service's history.
    if (signer.role !== "vault") this.sealers.add(signer.kid as Kid);
    this.#signers.add(signer);
  }

  /** Notes one signer that trust must reach. */
  signerSeen(): void {
    this.#sealsSeen++;
  }

  /** Notes that a signature could not be checked, because its key is unknown. */
  signatureMissing(check: CheckId): void {
    this.#signaturesMissing++;
    this.cannotEvaluate(check, "a key is missing: neither you nor the object tells it");
  }

  /**
   * Takes over how trust reaches the signers of a part that was examined by itself; `at` maps a path of the part to a
   * path of the whole. Call it after the part's report.
   */
  adoptSigners(part: Examination, at: (path: string) => string): void {
    this.#sealsSeen += part.#sealsSeen;
    this.#signaturesMissing += part.#signaturesMissing;
    this.#signers.adopt(part.#signers);
    for (const [key, noted] of part.#distrusts)
      if (!this.#distrusts.has(key)) this.#distrusts.set(key, part.#asPart(noted, at));
  }

  /**
   * Takes over everything that a part has noted that was examined by itself; `at` as in adoptSigners. Call it after the
   * part's report.
   */
  adopt(part: Examination, at: (path: string) => string): void {
    this.adoptSigners(part, at);
    this.#sealBroken ||= part.#sealBroken;
    this.words ??= part.words;
    for (const level of part.levels) this.levels.push(level);
    for (const noted of part.#rejections) {
      this.#tally(noted.check).failed = true;
      this.#rejections.push(part.#asPart(noted, at));
    }
    for (const [check, { count, unevaluated, note, found }] of part.#tallies) {
      const own = this.#tally(check);
      // Signers are counted at the end, all of them.
      if (check !== "trust") own.count += count;
      own.unevaluated += unevaluated;
      own.note ??= note;
      own.found ??= found;
    }
  }

  /** Returns a note of this examination as a note of a whole. */
  #asPart({ check, finding, inPart }: Noted, at: (path: string) => string): Noted {
    const own = this.value === null ? undefined : { value: this.value, path: finding.path };
    const within = inPart ?? own;
    return { check, finding: { ...finding, path: at(finding.path) }, ...(within && { inPart: within }) };
  }

  /**
   * Counts seals by one key whose signatures hold and have already been checked. The first of them decides about trust
   * in the key, which is enough unless one of them breaks a date of the key.
   */
  sealedInBulk(check: CheckId, kid: Kid, first: SignedUse, count: number): void {
    this.#sealsSeen += count;
    const { distrust, reached } = this.#signerTrust.judge(kid, first, this.origin);
    // The record itself is no longer there.
    if (distrust !== undefined) this.distrust({ ...distrust, seq_no: first.eventNo ?? 0 }, kid);
    this.signedBy({ kid, publicKeyHex: this.keys.publicKey(kid), role: first.role, reached });
    this.looked(check, count);
  }

  /** Checks every signature that was noted so far. */
  settle(): void {
    // Emptied first: a signature that the kernel could not check once is not passed to it again.
    const pending = this.#pending.splice(0);
    if (pending.length === 0) return;
    let verdicts: boolean[];
    try {
      verdicts = this.kernel.verifyEd25519(pending.map(({ item }) => item));
    } catch (error) {
      for (const { check } of pending) this.cannotEvaluate(check, "this runtime could not check the signatures");
      throw error;
    }
    pending.forEach(({ settle }, index) => {
      settle(verdicts[index] === true);
    });
  }

  /**
   * Notes that a pinned witness or block shows the stream up to event `toSeqNo` at a time in Unix seconds; null if none
   * did.
   */
  addTimeProof(unixSeconds: number | null, toSeqNo: number): void {
    if (unixSeconds !== null) this.#signerTrust.addTimeProof({ unixSeconds, toSeqNo });
  }

  /**
   * Notes that the object under the seal at this path is shown to have existed at a time in Unix seconds; null if it is
   * not.
   */
  addSealTimeProof(unixSeconds: number | null, sealPath: string): void {
    if (unixSeconds !== null) this.#signerTrust.addTimeProof({ unixSeconds, sealPath });
  }

  /**
   * Says whether a pinned witness or block shows the stream up to this event before an instant, a service time. Ask
   * after the signatures are settled.
   */
  isProvenBefore(instant: string, seqNo: number): boolean {
    return this.#signerTrust.isProvenBefore(instant, seqNo);
  }

  /** Makes the report. Call it once, last. */
  report(): Report {
    this.settle();
    for (const { kid, role, finding } of this.#signerTrust.unproven()) {
      this.distrust(finding, kid);
      this.#signers.lower({ kid, role });
    }
    this.looked("trust", this.#sealsSeen);
    const reachesSigners = !this.#isDistrusted("trust");
    if (!reachesSigners) this.notChecked("trust", "no trust that you brought along reaches every signer");
    const assurance = this.#assurance();
    const verdict = this.#verdict();
    const signers = this.#signers.list(this.kernel);
    const problems = withConviction(this.#problems(), signers);
    const signaturesMissing = this.#signaturesMissing > 0;
    const found = { signaturesMissing, reachesSigners, isUnsigned: this.#sealsSeen === 0, words: this.words };
    const texts = describe(verdict, this.kind, this.subject, assurance, found);
    const report: Report = {
      ok: verdict === "verified",
      verdict,
      kind: this.kind,
      subject: this.#subject(),
      verifier: { name: "svc-core", version: VERSION, kernel_sha256: this.kernel.sha256Hex },
      assurance,
      signers,
      checks: this.#checks(),
      problems,
      ...texts,
    };
    // An object that does not hold shows nothing.
    if (verdict !== "rejected" && this.histories.length > 0) noteHistories(report, this.histories);
    return report;
  }

  /** Says whether each of these checks could be made and has found no fault so far. */
  held(...checks: readonly CheckId[]): boolean {
    return checks.every((check) => {
      const tally = this.#tallies.get(check);
      return tally === undefined || (!tally.failed && tally.unevaluated === 0);
    });
  }

  /** Says whether anything so far makes the verdict `rejected`. */
  get rejected(): boolean {
    return this.#rejections.length > 0;
  }

  #tally(check: CheckId): Tally {
    const tally = this.#tallies.get(check);
    if (tally !== undefined) return tally;
    const fresh = { count: 0, failed: false, unevaluated: 0, note: null, found: null };
    this.#tallies.set(check, fresh);
    return fresh;
  }

  /** Adds the service's own origin. A stream's origin ends in the stream's id. */
  #subject(): Subject {
    const { origin, subject } = this;
    const end = `/${subject.stream_id}`;
    if (origin === undefined) return subject;
    return { ...subject, origin: origin.endsWith(end) ? origin.slice(0, -end.length) : origin };
  }

  #verdict(): Verdict {
    if (this.rejected) return "rejected";
    return this.#distrusts.size > 0 ? "untrusted" : "verified";
  }

  #assurance(): Assurance {
    const signatureChecks: CheckId[] = [
      "receipt_signature",
      "window_seal",
      "checkpoint_seal",
      "note",
      "bundle_seal",
      "envelope",
      "attestation",
      "disclosure",
      "key_endorsements",
    ];
    const signed =
      this.#sealsSeen > 0 &&
      this.#signaturesMissing === 0 &&
      !this.#sealBroken &&
      !this.#failed("json") &&
      !this.#failed("shape") &&
      !signatureChecks.some((check) => this.#failed(check));
    return {
      signed,
      included: this.included,
      complete: this.complete,
      witnessed: this.witnessed,
      published: this.published,
      anchored: this.anchored,
      redacted: this.redacted,
      ...(this.provenance === null ? {} : { provenance: this.provenance }),
    };
  }

  #failed(check: CheckId): boolean {
    return this.#tallies.get(check)?.failed ?? false;
  }

  #checks(): CheckResult[] {
    return checksOf(this.checkList ?? this.kind, this.trust.require_assurance !== undefined).map((id) => {
      const tally = this.#tallies.get(id);
      if (tally === undefined) return { id, status: "not_checked" };
      const status = id === "trust" ? this.#trustStatus(tally) : statusOf(tally);
      const note = tally.note ?? (tally.failed ? null : tally.found);
      return { id, status, ...(tally.count > 0 ? { count: tally.count } : {}), ...(note !== null ? { note } : {}) };
    });
  }

  #trustStatus(tally: Tally): CheckStatus {
    if (tally.failed) return "fail";
    // The key of a vault is looked for by another check.
    const isUnknown = [...this.#distrusts.values()].some(({ finding }) => finding.code === "key_not_pinned");
    if (isUnknown || this.#isDistrusted("trust")) return "cannot_evaluate";
    return tally.count > 0 ? "pass" : "not_checked";
  }

  /** Says whether a finding keeps the verdict from being `verified` because of this check. */
  #isDistrusted(check: CheckId): boolean {
    return [...this.#distrusts.values()].some((noted) => noted.check === check);
  }

  #problems(): Problem[] {
    if (!this.rejected && this.#distrusts.size === 0) return [];
    const codes = new Map(
      [...Object.keys(PLAIN_CODES), ...(this.words?.codes ?? [])].map((code, rank) => [code, rank]),
    );
    const ranked = ({ check, finding, inPart }: Noted, rejects: boolean) => ({
      check: RANKS.get(check) ?? 0,
      sort: sortOf(finding.code, rejects),
      path: cut(finding.path),
      code: codes.get(finding.code) ?? codes.size,
      finding,
      inPart,
    });
    const all = [
      ...this.#rejections.map((one) => ranked(one, true)),
      ...[...this.#distrusts.values()].map((one) => ranked(one, false)),
    ];
    all.sort(compareProblems);
    return all.slice(0, MAX_PROBLEMS).map(({ finding, inPart }) => {
      const { code, path, ownAction, ...said } = shortened(finding);
      return { code, path, ...this.#named(finding, inPart), ...said, action: ownAction ?? this.#action(code) };
    });
  }

  #action(code: ProblemCode): string {
    const plain: Partial<Record<ProblemCode, { readonly action: string }>> = PLAIN_CODES;
    return plain[code]?.action ?? this.words?.action(code) ?? "";
  }

  #named({ path }: Finding, { value, path: at } = { value: this.value, path }): PlaceNames {
    return /^(?:trust|inclusion):/.test(path) ? {} : placeNames(value, cut(at));
  }
}

function statusOf(tally: Tally): CheckStatus {
  if (tally.failed) return "fail";
  if (tally.unevaluated > 0) return "cannot_evaluate";
  return tally.count > 0 ? "pass" : "not_checked";
}
