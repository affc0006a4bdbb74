/**
 * Says whether the witnesses that cosigned meet the quorum of a tlog-policy (c2sp.org/tlog-policy), and how many it
 * needs at least. Other code checks the cosignatures before.
 */
import type { TlogMember, TlogWitness } from "./policy.ts";

/**
 * Says whether a set of witnesses meets a quorum (c2sp.org/tlog-policy): a witness that is in the set, or a group of
 * which enough members are met. `quorum`: a member of a parsed policy. `cosigned`: witnesses of the same policy whose
 * cosignatures hold; they are compared by identity. It verifies no cosignature.
 *
 * @example
 * const { publicKeyHex: keyHex } = service;
 * const key = { name: "w.example/1", keyId: "d1b8c2d4", type: COSIGNATURE_LINE, keyHex } as const;
 * const one = { kind: "witness" as const, name: "w1", key, url: null };
 * const two = { ...one, name: "w2" };
 * const both = { kind: "group" as const, name: "both", threshold: 2, members: [one, two] };
 * console.log(isQuorumMet(both, new Set([one])), isQuorumMet(both, new Set([one, two]))); // false true
 */
export function isQuorumMet(quorum: TlogMember, cosigned: ReadonlySet<TlogWitness>): boolean {
  if (quorum.kind === "witness") return cosigned.has(quorum);
  let met = 0;
  for (const member of quorum.members) if (isQuorumMet(member, cosigned)) met++;
  return met >= quorum.threshold;
}

/**
 * Returns the size of the smallest set of witnesses that meets a quorum; 0 for no quorum. `quorum`: of a parsed policy.
 *
 * @example
 * const read = parseTlogPolicy(kernel, "quorum none\n");
 * console.log(read.ok && leastWitnesses(read.policy.quorum)); // 0
 */
export function leastWitnesses(quorum: TlogMember | null): number {
  if (quorum === null) return 0;
  if (quorum.kind === "witness") return 1;
  const least = quorum.members.map(leastWitnesses).sort((a, b) => a - b);
  return least.slice(0, quorum.threshold).reduce((sum, count) => sum + count, 0);
}

/**
 * So many ways to count witnesses are tried; a policy that splits the keys of one witness over groups needs more than
 * one.
 */
export const MAX_CHOICES = 4096;

/**
 * Says whether a quorum is met if several lines may be one and the same witness, which counts in one place only.
 * `once`: the witnesses that cosigned, with those that are one and the same in one list. It is met if one way to count
 * each of them once meets it. After 4096 ways it tries no more.
 */
export function isQuorumMetOnce(quorum: TlogMember, once: readonly (readonly TlogWitness[])[]): boolean {
  const certain = once.filter(({ length }) => length === 1).flat();
  const open = once.filter(({ length }) => length > 1);
  let ways = 0;
  const tries = (index: number, counted: readonly TlogWitness[]): boolean => {
    const [next] = open.slice(index, index + 1);
    if (next === undefined) {
      ways++;
      return isQuorumMet(quorum, new Set(counted));
    }
    return next.some((witness) => ways < MAX_CHOICES && tries(index + 1, [...counted, witness]));
  };
  return tries(0, certain);
}
