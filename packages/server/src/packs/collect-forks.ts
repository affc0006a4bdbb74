/**
 * The evidence of forks that a bundle carries (protocol section 14): what is kept about its stream, and about the
 * service's own log. Verifiers reject a bundle with any of it. Evidence of the kind `witness` accuses a witness and not
 * the service: a bundle whose quorum holds without that witness carries none of its cosignatures, and no evidence
 * against it either.
 */
import { type BundleSource, type ForkEvidence, type Kernel, type WitnessKey, witnessPolicyDigest } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { equivocatingWitnesses } from "../forks/equivocating-witnesses.ts";
import { forksAfter } from "../forks/forks-store.ts";
import { MOST_FORKS } from "../forks/room.ts";

/** The parts of a bundle that say which witnesses it is about. */
type Shown = Pick<BundleSource, "checkpoints" | "witnesses">;

/** The evidence of forks for a bundle, and its cosignatures. */
export interface WithForks extends Pick<BundleSource, "witnesses"> {
  readonly forks: readonly ForkEvidence[];
}

/**
 * Resolves to the evidence, that about the stream first, each in the order in which it was found; and to the
 * cosignatures beside it. `chosen`: the ids of an earlier choice to repeat, none for a choice of a release that made no
 * such choice; null to choose now.
 */
export async function collectForks(
  reader: Reader,
  kernel: Kernel,
  streamId: string,
  shown: Shown,
  chosen: { readonly forks?: readonly string[] } | null,
): Promise<WithForks> {
  const wanted = chosen === null ? null : new Set(chosen.forks);
  const { witnesses } = shown;
  if (wanted?.size === 0) return { forks: [], witnesses };
  const numbered = [
    ...(await forksAfter(reader, streamId, 0, MOST_FORKS)),
    ...(await forksAfter(reader, null, 0, MOST_FORKS)),
  ];
  const kept = numbered.map(({ fork }) => fork);
  if (wanted !== null) return { forks: kept.filter(({ fork_id }) => wanted.has(fork_id)), witnesses };
  const listed = listedWitnesses(kernel, shown);
  const accused = new Set(kept.flatMap((fork) => equivocatingWitnesses(kernel, fork, listed)).map(nameOf));
  const honest = witnesses.statements.filter((statement) => !accused.has(nameOf(statement)));
  const statements = isQuorumKept(kernel, shown, honest) ? honest : witnesses.statements;
  const cosigned = new Set(statements.map(nameOf));
  const cosigners = listed.filter((key) => cosigned.has(nameOf(key)));
  return {
    forks: kept.filter((fork) => fork.kind !== "witness" || equivocatingWitnesses(kernel, fork, cosigners).length > 0),
    witnesses: { ...witnesses, statements },
  };
}

/** Returns the witnesses that the policies of the bundle's checkpoints list: evidence counts there against no other. */
function listedWitnesses(kernel: Kernel, { checkpoints, witnesses }: Shown): WitnessKey[] {
  const named = new Set(checkpoints.map(({ witness_policy_digest }) => witness_policy_digest));
  return witnesses.witness_policies
    .filter((policy) => named.has(witnessPolicyDigest(kernel, policy)))
    .flatMap(({ witnessKeys }) => witnessKeys);
}

/**
 * Returns whether some of the bundle's statements do for the quorum of its newest checkpoint, where all of them do:
 * that is the one that verifiers count.
 */
function isQuorumKept(
  kernel: Kernel,
  { checkpoints, witnesses: { witness_policies, statements } }: Shown,
  some: readonly Shown["witnesses"]["statements"][number][],
): boolean {
  const newest = checkpoints.at(-1);
  const policy = witness_policies.find((one) => witnessPolicyDigest(kernel, one) === newest?.witness_policy_digest);
  if (newest === undefined || policy === undefined) return true;
  const isMetBy = (these: typeof some) => {
    const over = these.filter(({ checkpoint_id }) => checkpoint_id === newest.checkpoint_id);
    return new Set(over.map(({ witness_id }) => witness_id)).size >= policy.threshold;
  };
  return isMetBy(some) || !isMetBy(statements);
}

/** Returns a name for the key of a witness, as its policy and its statements have it. */
function nameOf({ witness_id, key_epoch }: Pick<WitnessKey, "witness_id" | "key_epoch">): string {
  return `${witness_id} ${key_epoch}`;
}
