/**
 * Levels of assurance: which one the attestations carry for an event, and which one a verifier counts (protocol section
 * 33). All of it is a function of facts; the files beside this one gather them.
 */

import { addTo } from "../../grouping.ts";
import type { CustodyBasis, Level } from "../../report/report.ts";
import type { PublicKeyHex } from "../../schema/atoms.ts";
import type { Content } from "../envelope/schema.ts";

/** How far a verifier has come with the evidence of an attestation. */
export type Recheck =
  /** It holds under the verifier's own roots and values. */
  | "held"
  /** It holds by itself, and nothing that the verifier pins substantiates it. */
  | "unsubstantiated"
  /** It is not in hand, or this release does not judge it. */
  | "none";

/** The statements of an attestation, if its seals hold. */
export interface Attested {
  readonly attestationRef: string;
  readonly attestationKind: "pkcs11-key-custody" | "tpm2-quote";
  readonly installationId: string;
  readonly publicKeyHex: PublicKeyHex;
  readonly verified: boolean;
  readonly verifiedAt: string;
  readonly expiresAt: string;
  readonly custody: CustodyBasis;
  readonly startId: string | null;
  readonly startPublicKeyHex: PublicKeyHex | null;
  readonly softwareRoot: boolean;
  readonly recheck: Recheck;
  /** Whether an activator that the verifier pins, and who sealed nothing else here, ties the machine's two keys. */
  readonly isActivated: boolean;
  /** Whether a signer that is trusted for the object sealed the result. */
  readonly counts: boolean;
}

/** An event of a vault, as far as its level depends on it. */
export interface LevelledEvent {
  readonly installationId: string;
  readonly publicKeyHex: PublicKeyHex | null;
  /** The service's time. */
  readonly receivedAt: string;
}

/** Why a claim is not substantiated. */
export type Unsubstantiated =
  | "attestation_missing"
  | "attestation_unverified"
  | "attestation_expired"
  | "attestation_not_yet"
  | "start_unknown"
  | "start_superseded";

/** The attestation that carries a claim; or the reason why none does. */
export type Substantiation =
  | { readonly attested: Attested; readonly reason: null }
  | { readonly attested: null; readonly reason: Unsubstantiated };

interface OrderedStart extends Pick<Attested, "startId" | "verifiedAt"> {
  /** The newest time at which a start that is another one had been verified; "" for never. */
  readonly otherBefore: string;
}

/** Returns starts in the order of time, each with the time of the other one before it. */
function inOrder(starts: readonly Attested[]): OrderedStart[] {
  const ordered: OrderedStart[] = [];
  for (const { startId, verifiedAt } of [...starts].sort((a, b) => (a.verifiedAt < b.verifiedAt ? -1 : 1))) {
    const before = ordered.at(-1);
    const otherBefore = (before?.startId === startId ? before.otherBefore : before?.verifiedAt) ?? "";
    ordered.push({ startId, verifiedAt, otherBefore });
  }
  return ordered;
}

/** The attestations of an object, by what claims name: an event must not look at all of them, of which may be many. */
export class KnownAttestations {
  readonly hasSoftwareRoot: boolean;
  /** By the reference that L1 names, or the start that L2 names. */
  readonly #named = new Map<string | null, Attested[]>();
  /** The verified starts in the order of time, by installation. */
  readonly #starts: ReadonlyMap<string, readonly OrderedStart[]>;
  /** Those that by own check show a key in a token, by installation. */
  readonly #inToken = new Map<string, Attested[]>();

  constructor(all: readonly Attested[]) {
    const starts = new Map<string, Attested[]>();
    this.hasSoftwareRoot = all.some(({ softwareRoot }) => softwareRoot);
    for (const one of all) {
      const isStart = one.attestationKind === "tpm2-quote";
      addTo(this.#named, isStart ? one.startId : one.attestationRef, one);
      if (isStart && one.verified) addTo(starts, one.installationId, one);
      if (one.custody === "x509" && one.recheck === "held") addTo(this.#inToken, one.installationId, one);
    }
    this.#starts = new Map([...starts].map(([installationId, own]) => [installationId, inOrder(own)]));
  }

  /** Returns the attestations that a claim above L0 names. */
  namedBy({ level, attestationRef, startId }: Content["assurance"]): readonly Attested[] {
    return this.#named.get(level === "L1" ? attestationRef : startId) ?? [];
  }

  /** Says whether the key of an installation was in a token at a time, by own check of the token's certificates. */
  isInToken(installationId: string, at: string): boolean {
    const own = this.#inToken.get(installationId);
    return own?.some(({ verifiedAt, expiresAt }) => verifiedAt <= at && at <= expiresAt) === true;
  }

  /** Returns the newest time, up to this one, at which another start of an installation was verified; "" for never. */
  otherStart(installationId: string, startId: string | null, until: string): string {
    const ordered = this.#starts.get(installationId);
    if (ordered === undefined) return "";
    let [from, to] = [0, ordered.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((ordered[middle] as OrderedStart).verifiedAt <= until) from = middle + 1;
      else to = middle;
    }
    const latest = ordered[from - 1];
    return (latest?.startId === startId ? latest.otherBefore : latest?.verifiedAt) ?? "";
  }
}

/** Returns which attestation carries what an event claims above L0, at the time at which the service received it. */
export function substantiation(
  claim: Content["assurance"],
  { installationId, publicKeyHex, receivedAt }: LevelledEvent,
  attestations: KnownAttestations,
): Substantiation {
  const isStart = claim.level === "L2";
  let reason: Unsubstantiated = isStart ? "start_unknown" : "attestation_missing";
  const otherStart = isStart ? attestations.otherStart(installationId, claim.startId, receivedAt) : "";
  for (const one of attestations.namedBy(claim)) {
    // Without a known key, the verdict says so already.
    const isOfKey = publicKeyHex === null || one.publicKeyHex === publicKeyHex;
    if (one.installationId !== installationId || !isOfKey) continue;
    const fault = faultAt(one, receivedAt, otherStart);
    if (fault === null) return { attested: one, reason: null };
    reason = fault;
  }
  return { attested: null, reason };
}

/** `otherStart`: the newest time up to the event at which another start was verified, which ends older results. */
function faultAt(
  { verified, verifiedAt, expiresAt }: Attested,
  receivedAt: string,
  otherStart: string,
): Unsubstantiated | null {
  if (!verified) return "attestation_unverified";
  if (receivedAt < verifiedAt) return "attestation_not_yet";
  if (receivedAt > expiresAt) return "attestation_expired";
  return otherStart > verifiedAt ? "start_superseded" : null;
}

/** The parts of a trust policy on which a level depends. */
export interface LevelPolicy {
  readonly attestation_roots?: readonly unknown[];
  readonly allow_software_roots?: boolean;
}

/** A level that a verifier counts, and whose word it rests on. */
export interface CountedLevel {
  readonly level: Exclude<Level, "L3">;
  readonly by: "verifier" | "service" | "none";
}

/** The level of an event that claims nothing, or whose claim does not count. */
export const L0: CountedLevel = { level: "L0", by: "none" };

/**
 * Returns the level that a verifier counts for what an attestation carries. A lower level is a lower word, never a
 * rejection.
 */
export function countedLevel(level: Exclude<Level, "L3">, attested: Attested, trust: LevelPolicy): CountedLevel {
  if (level === "L0" || !attested.counts) return L0;
  if (attested.softwareRoot && trust.allow_software_roots !== true) return L0;
  if (trust.attestation_roots === undefined) return { level, by: "service" };
  return attested.recheck === "held" ? { level, by: "verifier" } : L0;
}

/**
 * The conditions of L3, in the order in which a report names what is missing: L2 by the verifier's own check of the
 * evidence; a pinned key of the vault; a pinned activator, who sealed nothing else here and states that the machine's
 * two keys belong together; custody by certificates, by own check, in force; no root of software; a quorum, a pinned
 * block; and `status_not_before`, given and met.
 */
export const HIGHEST_CONDITIONS = [
  "own_l2",
  "vault_key_pinned",
  "independent_activation",
  "custody_x509",
  "no_software_root",
  "quorum",
  "pinned_block",
  "status_not_before",
] as const;
export type HighestCondition = (typeof HIGHEST_CONDITIONS)[number];
/** Whether each condition is met. */
export type HighestFacts = Readonly<Record<HighestCondition, boolean>>;

/** Returns the first condition of L3 that is not met; null if all are. L3 is only derived, and never claimed. */
export function missingForHighest(facts: HighestFacts): HighestCondition | null {
  return HIGHEST_CONDITIONS.find((condition) => !facts[condition]) ?? null;
}
