/**
 * Whether the quorum of a tlog-policy is met by those who cosigned (c2sp.org/tlog-policy), and what it asks for at least. Whose cosignature
 * holds is decided before.
 */
import type { TlogMember, TlogWitness } from "./policy.ts";

/** Whether a set of witnesses is strong enough: a witness that is in it, a group of whose members enough are. */
export function isQuorumMet(quorum: TlogMember, cosigned: ReadonlySet<TlogWitness>): boolean {
  if (quorum.kind === "witness") return cosigned.has(quorum);
  let met = 0;
  for (const member of quorum.members) if (isQuorumMet(member, cosigned)) met++;
  return met >= quorum.threshold;
}

/** How many witnesses a set that meets the quorum has at least; 0 for no quorum. */
export function leastWitnesses(quorum: TlogMember | null): number {
  if (quorum === null) return 0;
  if (quorum.kind === "witness") return 1;
  const least = quorum.members.map(leastWitnesses).sort((a, b) => a - b);
  return least.slice(0, quorum.threshold).reduce((sum, count) => sum + count, 0);
}

/** How many ways to count witnesses are tried; a policy that splits the keys of one witness over groups needs more than one. */
const MAX_CHOICES = 4096;

/**
 * The same where several lines may be one and the same witness, which counts in one place only. `once`: the witnesses that cosigned, those
 * that are one and the same together. Met if one way to count each of them once meets it; of more than 4096 ways the rest is not tried.
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
