/**
 * The first condition that an event lacks for the next level (protocol section 33): what its reader would have to ask
 * for.
 */
import type { Examination } from "../../report/examination.ts";
import type { Level } from "../../report/report.ts";
import {
  type Attested,
  type HIGHEST_CONDITIONS,
  type HighestFacts,
  type LevelPolicy,
  missingForHighest,
} from "./level.ts";

/**
 * The conditions of the levels, by name: `content` that is shown, a `claim` of its vault, the `attestation` that the
 * claim names, a trusted `signer` of its result, a root that is no software, the `evidence` of the attestation, roots
 * of the verifier's `own` under which it holds, the quote of a `start`; then those of L3.
 */
export type NextCondition =
  | "content"
  | "claim"
  | "attestation"
  | "signer"
  | "hardware_root"
  | "evidence"
  | "own_roots"
  | "start"
  | (typeof HIGHEST_CONDITIONS)[number];

/** An event with its level, in words that a reader needs. */
export type EventLevel = {
  /** Null for an event without a receipt. */
  readonly seq_no: number | null;
  readonly source_ref: string;
  readonly installation_id: string;
  /** Null if the content is not here. */
  readonly claimed: "L0" | "L1" | "L2" | null;
  readonly effective: Level;
  readonly substantiated_by: "verifier" | "service" | "none";
  /** Null at the highest level. */
  readonly missing: NextCondition | null;
};

/**
 * Returns the first condition for the next level that an event does not meet. `attested`: the attestation that carries
 * its claim, null if none does.
 */
export function missingForNext(
  { claimed, effective }: Pick<EventLevel, "claimed" | "effective">,
  attested: Attested | null,
  trust: LevelPolicy,
  facts: HighestFacts,
): NextCondition | null {
  switch (effective) {
    case "L3":
      return null;
    case "L2":
      return missingForHighest(facts);
    case "L1":
      return "start";
    case "L0":
      if (claimed === null) return "content";
      if (claimed === "L0") return "claim";
      if (attested === null) return "attestation";
      if (!attested.counts) return "signer";
      if (attested.softwareRoot && trust.allow_software_roots !== true) return "hardware_root";
      return attested.recheck === "none" ? "evidence" : "own_roots";
  }
}

/** The demand of each condition, as the end of a sentence. */
export const NEXT_CONDITIONS: Readonly<Record<NextCondition, string>> = {
  content: "the content of the event, which is left out here",
  claim: "a claim by its vault, and an attestation that carries it",
  attestation: "the attestation that the claim names",
  signer: "the key of the service among those that you pin: it sealed the attestation's result",
  hardware_root: "an attestation under a root that is no software, or your leave for software roots",
  evidence: "the evidence of the attestation, for your own check",
  own_roots: "roots, custodians or reference values of yours under which the evidence holds",
  start: "a start of the vault on a measured machine, shown by a TPM's quote",
  own_l2: "your own check of the evidence of L2",
  vault_key_pinned: "the vault's key among those that you pin",
  independent_activation: "a statement by an activator whom you pin and who sealed nothing else here",
  custody_x509: "a key that is kept in a token by its certificates, by your own check",
  no_software_root: "roots of which none is software",
  quorum: "a quorum of your witnesses, and its cosignatures",
  pinned_block: "an anchor in a block that you pin",
  status_not_before: "a status of the key as new as your policy demands (status_not_before)",
};

const NEXT: Readonly<Record<Level, Level | null>> = { L0: "L1", L1: "L2", L2: "L3", L3: null };

/**
 * Returns the level after one (protocol section 33); null after the highest.
 *
 * @example
 * console.log(levelAfter("L0"), levelAfter("L3")); // L1 null
 */
export function levelAfter(level: Level): Level | null {
  return NEXT[level];
}

/** Notes what the first event of the lowest level lacks for the next one. Call it when all levels are known. */
export function noteMissing(exam: Examination): void {
  const [one, ...others] = exam.levels;
  if (one === undefined) return;
  // The first of those at the lowest level.
  const first = others.reduce((lowest, other) => (other.effective < lowest.effective ? other : lowest), one);
  if (first.missing === null) return;
  exam.notChecked("assurance", `for ${levelAfter(first.effective)} it takes ${NEXT_CONDITIONS[first.missing]}`);
}
