/**
 * The keys of installations, as one verifier knows them for one object (protocol section 26): pinned, or vouched for by
 * a status that a trusted signer sealed. It checks that statuses do not contradict each other, nor the pins, and judges
 * events by the end of their key.
 */

import { hexToBytes } from "../encoding/hex.ts";
import { addTo } from "../grouping.ts";
import { ASK_OWNER } from "../own-actions.ts";
import type { CheckId } from "../report/checks.ts";
import type { Examination } from "../report/examination.ts";
import type { Finding } from "../report/report.ts";
import type { PublicKeyHex } from "../schema/atoms.ts";
import { kidOf, sealedBytes } from "../seal.ts";
import type { Scope } from "../trust/key-ring.ts";
import { examineHandovers, type Handover } from "./handover.ts";
import { keyStatusBody } from "./key-status/issue.ts";
import type { KeyStatusBody } from "./key-status/schema.ts";
import { type CountedStatus, mayVouch } from "./key-status/vouching.ts";
import { type DatedEvent, type KeyTimeCode, keyTimeCell } from "./key-time.ts";

/** So many handovers may be between a pinned key and another one. */
export const MAX_HANDOVER_CHAIN = 32;

/** How a verifier knows a key; the weakest comes first. */
export const VOUCHED = ["none", "service-vouched", "pinned"] as const;
export type Vouched = (typeof VOUCHED)[number];

/** The key of an installation. */
export interface KnownKey {
  readonly installationId: string;
  /** Null if nobody told it. */
  readonly publicKeyHex: PublicKeyHex | null;
  readonly vouched: Vouched;
  /** The latest status; null if none counts. */
  readonly status: KeyStatusBody | null;
  /** The time of the earliest status that tells of the key's end; null if none does. */
  readonly toldAt: string | null;
}

/** The parts of an object that tell keys. `statuses` are those of the object that a trusted signer sealed. */
export interface CarriedKeys {
  /** The check that notes what is found; by default the vault_key check. */
  readonly check?: CheckId;
  readonly statuses?: readonly CountedStatus[];
  readonly handovers?: { readonly list: readonly Handover[]; readonly path: string };
}

/** The keys of the installations of one object. */
export class KnownKeys {
  readonly #exam: Examination;
  readonly #check: CheckId;
  readonly #statuses = new Map<string, CountedStatus[]>();
  readonly #pins: ReadonlyMap<string, PublicKeyHex>;
  readonly #known = new Map<string, KnownKey>();
  readonly #handovers: readonly Handover[];
  readonly #revoked: ReadonlySet<string>;
  #pinnedKeys: ReadonlySet<PublicKeyHex> | null = null;

  /** `scope`: of the object, which restricts whose statuses count. */
  constructor(exam: Examination, scope: Scope, { statuses = [], handovers, check = "vault_key" }: CarriedKeys = {}) {
    this.#exam = exam;
    this.#check = check;
    this.#revoked = new Set(exam.trust.revoked);
    this.#pins = new Map((exam.trust.vaults ?? []).map((vault) => [vault.installation_id, vault.public_key_hex]));
    for (const status of [...statuses, ...sealedStatuses(exam, scope)])
      addTo(this.#statuses, status.body.installationId, status);
    this.#handovers = handovers === undefined ? [] : examineHandovers(exam, handovers.list, handovers.path);
  }

  /**
   * Returns the key of an installation. The first call checks what is known of it; `path` is the place of the
   * installation in the object. `attested`: the key that a trusted service's result tells, which counts where nothing
   * else does.
   */
  keyOf(installationId: string, path: string, attested: PublicKeyHex | null = null): KnownKey {
    const known = this.#known.get(installationId);
    if (known !== undefined) return known;
    const key = this.#read(installationId, attested);
    this.#known.set(installationId, key);
    this.#exam.looked(this.#check);
    this.#examineStatuses(key);
    this.#examineStanding(key, path);
    return key;
  }

  /**
   * Judges an event of a key by the key's enrolment and end, where its status is known (protocol section 26).
   * `path`: of the event; `what`: the event in words.
   */
  examineEvent(key: KnownKey, event: DatedEvent, path: string, what: () => string): void {
    const { status, toldAt } = key;
    if (status === null) return;
    const exam = this.#exam;
    const cell = keyTimeCell(status, toldAt, event, exam.trust.vault_time === "proven");
    if (cell.verdict === "passes") {
      const isNoted = cell.isNoted && event.isByWord !== true;
      if (isNoted) exam.found(this.#check, "the end of a key was stated backwards, and proofs of time precede it");
      return;
    }
    const finding: Finding = { code: cell.code, path, message: cellMessage(cell.code, what(), status) };
    if (cell.verdict === "rejected") exam.reject(this.#check, finding);
    else exam.distrust(finding, key.installationId, this.#check);
  }

  /** Returns how the verifier knows the keys of all installations looked at: the weakest word. */
  get weakest(): Vouched {
    const words = [...this.#known.values()].map(({ vouched }) => vouched);
    return VOUCHED.find((word) => words.includes(word)) ?? "none";
  }

  #read(installationId: string, attested: PublicKeyHex | null): KnownKey {
    const statuses = this.#sorted(installationId);
    const status = statuses.at(-1)?.body ?? null;
    const publicKeyHex = this.#pins.get(installationId) ?? status?.publicKeyHex ?? attested;
    const toldAt = statuses.find(({ body }) => body.revokedAt !== null)?.body.statusAt ?? null;
    return { installationId, publicKeyHex, vouched: this.#vouchedFor(installationId, publicKeyHex), status, toldAt };
  }

  #vouchedFor(installationId: string, publicKeyHex: PublicKeyHex | null): Vouched {
    if (publicKeyHex === null || this.#isRevoked(publicKeyHex)) return "none";
    if (this.#pins.has(installationId)) return "pinned";
    this.#pinnedKeys ??= this.#reachedByHandovers();
    return this.#pinnedKeys.has(publicKeyHex) ? "pinned" : "service-vouched";
  }

  /** Returns every key to which handovers that count lead from a pinned one. */
  #reachedByHandovers(): ReadonlySet<PublicKeyHex> {
    const reached = new Set<PublicKeyHex>();
    const latest = this.#latestByKey();
    let edge = new Set(this.#pins.values());
    for (let length = 1; length <= MAX_HANDOVER_CHAIN && edge.size > 0; length++) {
      const counting = this.#handovers.filter((one) => edge.has(one.publicKeyHex) && this.#counts(one, latest));
      edge = new Set(counting.map(({ newPublicKeyHex }) => newPublicKeyHex).filter((key) => !reached.has(key)));
      for (const key of edge) reached.add(key);
    }
    return reached;
  }

  /**
   * Says whether a handover counts: the verifier has not revoked the old key, and by its latest status, where one is
   * known, that key is active, or its successor has the new key and no thief can have made the handover.
   */
  #counts({ publicKeyHex, newPublicKeyHex }: Handover, latest: ReadonlyMap<string, readonly KeyStatusBody[]>): boolean {
    if (this.#isRevoked(publicKeyHex)) return false;
    // A key is of one installation; a service that states it for two makes no handover count by that.
    return (latest.get(publicKeyHex) ?? []).every((old) => {
      if (old.status === "active") return true;
      if (old.revocationReason === "key_compromise" || old.replacedByInstallationId === null) return false;
      const successor = old.replacedByInstallationId;
      const key = this.#pins.get(successor) ?? this.#sorted(successor).at(-1)?.body.publicKeyHex;
      return key === newPublicKeyHex;
    });
  }

  /** Returns the latest status of every installation, by the key that it names. */
  #latestByKey(): ReadonlyMap<string, readonly KeyStatusBody[]> {
    const byKey = new Map<string, KeyStatusBody[]>();
    for (const installationId of this.#statuses.keys()) {
      const latest = this.#sorted(installationId).at(-1)?.body;
      if (latest !== undefined) addTo(byKey, latest.publicKeyHex, latest);
    }
    return byKey;
  }

  #isRevoked(publicKeyHex: PublicKeyHex): boolean {
    return this.#revoked.has(kidOf(this.#exam.kernel, publicKeyHex));
  }

  /** Returns the statuses of an installation, the latest last. */
  #sorted(installationId: string): readonly CountedStatus[] {
    return (this.#statuses.get(installationId) ?? []).sort((a, b) => order(a.body.statusAt, b.body.statusAt));
  }

  /** Checks the statuses of an installation against each other, and against its pin. */
  #examineStatuses({ installationId }: KnownKey): void {
    const exam = this.#exam;
    const statuses = this.#sorted(installationId);
    statuses.forEach(({ body, path }, index) => {
      const earlier = statuses[index - 1];
      const conflict = earlier === undefined ? null : conflictOf(exam, earlier.body, body);
      if (conflict === null) return;
      const message = `Two statuses of ${installationId} exclude each other: ${conflict}.`;
      exam.reject(this.#check, { code: "vault_lifecycle_conflict", path, message });
    });
    const pin = this.#pins.get(installationId);
    const other = pin === undefined ? undefined : statuses.find(({ body }) => body.publicKeyHex !== pin);
    if (pin === undefined || other === undefined) return;
    exam.reject(this.#check, {
      code: "vault_key_mismatch",
      path: `${other.path}/publicKeyHex`,
      message: `The service states another key of ${installationId} than you pin.`,
      expected: pin,
      actual: other.body.publicKeyHex,
    });
  }

  /** Checks that the key is known as well as the verifier wants it, and its status not too old. */
  #examineStanding({ installationId, publicKeyHex, vouched, status }: KnownKey, path: string): void {
    const exam = this.#exam;
    const { status_not_before: notBefore, vaults } = exam.trust;
    if (publicKeyHex === null) {
      const message = `Nobody you trust has given the key of ${installationId}.`;
      exam.distrust({ code: "key_not_pinned", path, message }, installationId, this.#check);
    } else if (this.#isRevoked(publicKeyHex)) {
      const message = `You revoked the key of ${installationId}.`;
      exam.distrust({ code: "key_revoked", path, message }, installationId, this.#check);
    } else if (vaults !== undefined && vouched !== "pinned") {
      const message = `You pin keys of vaults, and none of ${installationId}: the service alone vouches for it.`;
      exam.distrust({ code: "key_not_pinned", path, message, ownAction: ASK_OWNER }, installationId, this.#check);
    }
    if (notBefore === undefined || (status !== null && status.statusAt >= notBefore)) return;
    exam.distrust(
      {
        code: "vault_status_stale",
        path,
        message: `No status of ${installationId}'s key is as new as you want it: a revocation could be missing.`,
        expected: `from ${notBefore}`,
        actual: status?.statusAt ?? "none",
      },
      installationId,
      this.#check,
    );
  }
}

/** Returns the statuses of the trust policy that a trusted signer sealed; the others are ignored. */
function sealedStatuses(exam: Examination, scope: Scope): CountedStatus[] {
  const { kernel, keys, trust } = exam;
  const counting = (trust.key_status ?? []).flatMap((status, index) => {
    const { seal, statusAt } = status;
    const publicKeyHex = keys.publicKey(seal.kid);
    // Nothing dates a status, so one by a key with an end may have been made yesterday.
    const standing = keys.standing(seal.kid, scope);
    const mayCount = mayVouch(exam, seal.kid, statusAt, scope) && standing.trusted && standing.validTo === null;
    if (publicKeyHex === null || !mayCount) return [];
    const body = keyStatusBody(status);
    const item = {
      publicKey: hexToBytes(publicKeyHex),
      message: sealedBytes(kernel, "key-status", body, seal.kid),
      signature: hexToBytes(seal.signature),
    };
    return [{ status: { body, path: `trust:/key_status/${index}` }, item }];
  });
  const verdicts = kernel.verifyEd25519(counting.map(({ item }) => item));
  return counting.filter((_, index) => verdicts[index] === true).map(({ status }) => status);
}

const RANK = { active: 0, replaced: 1, revoked: 2 } as const;

/** Says in words why a later status cannot be true beside an earlier one; null if both can. */
function conflictOf(exam: Examination, earlier: KeyStatusBody, later: KeyStatusBody): string | null {
  if (earlier.publicKeyHex !== later.publicKeyHex) return "they name two keys";
  if (earlier.enrolledAt !== later.enrolledAt) return "they name two times of enrolment";
  if (earlier.statusAt === later.statusAt) {
    const [one, other] = [earlier, later].map((body) => exam.kernel.canonicalize(body).join());
    return one === other ? null : "they differ at one time";
  }
  if (RANK[later.status] < RANK[earlier.status]) return `${later.status} comes after ${earlier.status}`;
  const movedLater = earlier.revokedAt !== null && later.revokedAt !== null && later.revokedAt > earlier.revokedAt;
  return movedLater ? "the end of the key moves later" : null;
}

function order(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

const UNKNOWN_END = "no status of the key is here, so that nothing says whether it had ended";

/** Notes that nothing here tells of a key's end, where that is so. */
export function noteUnknownEnd(exam: Examination, { publicKeyHex, status }: KnownKey): void {
  if (publicKeyHex !== null && status === null) exam.found("vault_key", UNKNOWN_END);
}

/** Says which cell of the table an event is in, for an object that is about one event. */
export function cellNote({ status }: KnownKey, { receivedAt, provenBefore }: DatedEvent): string {
  if (status === null) return UNKNOWN_END;
  const { enrolledAt, revokedAt, revocationReason, statusAt, revocationInstantReconstructed } = status;
  if (revokedAt === null) return `by its status of ${statusAt} the key is active, and has been since ${enrolledAt}`;
  const stated = revocationInstantReconstructed ? "stated afterwards" : "stated at that instant";
  const end = `by its status of ${statusAt} the key ended at ${revokedAt} (${revocationReason}, ${stated})`;
  if (receivedAt === null) return `${end}; nothing dates what it sealed here`;
  if (receivedAt >= revokedAt) return `${end}; the service received the event at ${receivedAt}, not before that`;
  const proof = provenBefore(revokedAt)
    ? "and a witness or block that you pin shows it before that"
    : "by its own clock alone: no witness or block that you pin shows it before that";
  return `${end}; the service received the event at ${receivedAt}, before that, ${proof}`;
}

function cellMessage(code: KeyTimeCode, what: string, { enrolledAt, revokedAt }: KeyStatusBody): string {
  switch (code) {
    case "vault_key_not_yet_enrolled":
      return `The service accepted ${what} before ${enrolledAt}, when the key was enrolled.`;
    case "vault_key_revoked":
      return `The service accepted ${what} after the end of its key, ${revokedAt}.`;
    case "vault_revocation_time_uncertain":
      return (
        `The key of ${what} ended at ${revokedAt}, an instant that was stated backwards, and nothing that you pin ` +
        `shows ${what} before it.`
      );
    case "key_time_unproven":
      return `The key of ${what} ended at ${revokedAt}, and nothing that you pin shows ${what} before it.`;
  }
}
