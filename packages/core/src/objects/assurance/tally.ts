/**
 * Sums up the levels of the events of an object for its report (protocol section 33). Where words differ, the lowest
 * one stands.
 */
import type { CustodyBasis, Level, ProvenanceAssurance, VaultChain } from "../../report/report.ts";
import { VOUCHED, type Vouched } from "../../vault/known-keys.ts";
import type { CountedLevel } from "./level.ts";

const CHAINS: readonly VaultChain[] = ["none", "partial", "complete"];
const SUBSTANTIATED: readonly ProvenanceAssurance["substantiated_by"][] = ["none", "service", "verifier"];
const CUSTODIES: readonly CustodyBasis[] = ["none", "ceremony", "x509"];

/** Returns the lowest of these words; the first of `ranked` if `words` is empty. */
export function lowest<Word>(ranked: readonly Word[], words: readonly Word[]): Word {
  // There may be more words than a function takes arguments.
  return ranked.find((word) => words.includes(word)) ?? (ranked[0] as Word);
}

/** The facts about an object that is about events of vaults. */
export interface TallyFacts {
  readonly installations: number;
  readonly vaultChain: VaultChain;
  readonly vaultKeys: Vouched;
  /** The custody of each installation. */
  readonly custodies: readonly CustodyBasis[];
  readonly hasSoftwareRoot: boolean;
}

/** The levels of events, as they are found. */
export class LevelTally {
  readonly #claimed = { L0: 0, L1: 0, L2: 0, unknown: 0 };
  readonly #effective = { L0: 0, L1: 0, L2: 0, L3: 0 };
  readonly #by: ProvenanceAssurance["substantiated_by"][] = [];
  #events = 0;

  /** Notes one event: the level that it claims, null if its content is not here, and the level that counts. */
  event(claimed: "L0" | "L1" | "L2" | null, effective: Omit<CountedLevel, "level"> & { readonly level: Level }): void {
    this.#events++;
    this.#claimed[claimed ?? "unknown"]++;
    this.capability(effective);
  }

  /** Notes a level that is no event's: the one that a lone attestation can carry. */
  capability({ level, by }: Omit<CountedLevel, "level"> & { readonly level: Level }): void {
    this.#effective[level]++;
    if (level !== "L0") this.#by.push(by);
  }

  /** Returns the sum. */
  sum({ installations, vaultChain, vaultKeys, custodies, hasSoftwareRoot }: TallyFacts): ProvenanceAssurance {
    return {
      events: this.#events,
      installations,
      vault_chain: vaultChain,
      vault_keys: vaultKeys,
      claimed: this.#claimed,
      effective: this.#effective,
      substantiated_by: lowest(SUBSTANTIATED, this.#by),
      key_custody: lowest(CUSTODIES, custodies),
      software_root: hasSoftwareRoot,
    };
  }
}

/** Returns the assurance of two objects together: counts are added, and the lower word stands. */
export function provenanceOfBoth(one: ProvenanceAssurance, other: ProvenanceAssurance): ProvenanceAssurance {
  // An object whose events all count as L0 rests on nobody's word, and lowers no other's.
  const words = [one, other].filter(({ effective }) => effective.L1 + effective.L2 + effective.L3 > 0);
  return {
    events: one.events + other.events,
    installations: one.installations + other.installations,
    vault_chain: lowest(CHAINS, [one.vault_chain, other.vault_chain]),
    vault_keys: lowest(VOUCHED, [one.vault_keys, other.vault_keys]),
    claimed: added(one.claimed, other.claimed),
    effective: added(one.effective, other.effective),
    substantiated_by: lowest(
      SUBSTANTIATED,
      words.map(({ substantiated_by }) => substantiated_by),
    ),
    key_custody: lowest(CUSTODIES, [one.key_custody, other.key_custody]),
    software_root: one.software_root || other.software_root,
  };
}

function added<Counts extends Readonly<Record<string, number>>>(one: Counts, other: Counts): Counts {
  return Object.fromEntries(Object.entries(one).map(([name, count]) => [name, count + (other[name] ?? 0)])) as Counts;
}
