/** The state of each witness of a stream: whether it has cosigned the last checkpoint, and otherwise why not. */
import type { ProofState } from "@svc/api";
import type { Checkpoint, Kernel, WitnessKey } from "@svc/core";
import type { EgressFault } from "@svc/host/egress";
import type { Reader } from "@svc/host/store";
import { type FedWitness, feedKind, feedKindOf } from "../feeding/fed-witness.ts";
import { FEED_FAULTS, faultIn } from "../feeding/feed-fault.ts";
import { type OpenFeed, openFeedsOf } from "../feeding/feeds-store.ts";
import { cosignsHere } from "../policies/own-witness.ts";
import { policyByDigest } from "../policies/policies-store.ts";
import { statementsOn } from "./statements-store.ts";

type WitnessState = ProofState["witnesses"][number];

/** The facts about witnesses that no stream has. */
export interface StateContext {
  readonly kernel: Kernel;
  /** The witnesses that this deployment feeds. */
  readonly witnesses: readonly FedWitness[];
  /** In ms since 1970. */
  readonly now: number;
}

/** Resolves to the states of the witnesses that the policy of a checkpoint lists, each once, in its order. */
export async function witnessStates(
  reader: Reader,
  checkpoint: Checkpoint,
  { kernel, witnesses, now }: StateContext,
): Promise<WitnessState[]> {
  const { policy_id, witness_policy_digest, origin, stream_id } = checkpoint;
  const named = await policyByDigest(reader, policy_id, witness_policy_digest);
  const keys = Map.groupBy(named?.witnessPolicy.witnessKeys ?? [], ({ witness_id }) => witness_id);
  const cosigned = new Set((await statementsOn(reader, checkpoint)).map(({ witness_id }) => witness_id));
  const current = [...keys.values()].map((ofOne) => currentKey(ofOne, now));
  const serviceOrigin = origin.slice(0, -`/${stream_id}`.length);
  const kinds = current.filter((key) => !cosignsHere(key, serviceOrigin)).map((key) => feedKindOf(kernel, key));
  const feeds = new Map((await openFeedsOf(reader, kinds, origin, stream_id)).map((feed) => [feed.kind, feed]));
  const addressed = new Set(witnesses.map(feedKind));
  return current.map((key) => {
    const { witness_id, name, managed, valid_to } = key;
    const kind = feedKindOf(kernel, key);
    const feed = feeds.get(kind);
    const told = { witness_id, name, managed };
    if (cosigned.has(witness_id)) return { ...told, state: "cosigned", problem: null };
    if (valid_to !== null && Date.parse(valid_to) < now) return { ...told, state: "ended", problem: null };
    if (!cosignsHere(key, serviceOrigin) && !addressed.has(kind))
      return { ...told, state: "unaddressed", problem: null };
    if (feed === undefined || feed.last_error === null) return { ...told, state: "waiting", problem: null };
    return { ...told, state: "failing", problem: problemOf(feed, feed.last_error) };
  });
}

/**
 * Resolves to whether the cosignature of a witness on this very checkpoint is still on its way: it was asked for, and
 * did not fail yet.
 */
export async function isBeingCosigned(
  reader: Reader,
  checkpoint: Checkpoint,
  { kernel, witnesses }: Omit<StateContext, "now">,
): Promise<boolean> {
  const { policy_id, witness_policy_digest, origin, stream_id, window_count } = checkpoint;
  const named = await policyByDigest(reader, policy_id, witness_policy_digest);
  const addressed = new Set(witnesses.map(feedKind));
  const kinds = (named?.witnessPolicy.witnessKeys ?? []).map((key) => feedKindOf(kernel, key));
  const feeds = await openFeedsOf(
    reader,
    kinds.filter((kind) => addressed.has(kind)),
    origin,
    stream_id,
  );
  return feeds.some(({ payload, last_error }) => last_error === null && JSON.parse(payload).tree_size === window_count);
}

/** Returns the key by which a witness cosigns now: the first that has not ended, or else the last. */
function currentKey(keys: readonly WitnessKey[], now: number): WitnessKey {
  const sorted = keys.toSorted((one, other) => one.key_epoch - other.key_epoch);
  const found = sorted.find(({ valid_to }) => valid_to === null || now <= Date.parse(valid_to)) ?? sorted.at(-1);
  if (found === undefined) throw new RangeError("a witness without a key");
  return found;
}

/** The faults of a connection. Their messages name addresses, which are for the operator alone: doctor has them. */
const OF_CONNECTION: ReadonlySet<string> = new Set<EgressFault>([
  "unreachable",
  "timed_out",
  "redirected",
  "answer_too_large",
  "answer_malformed",
]);

function problemOf({ attempts, next_attempt_at }: OpenFeed, lastError: string): WitnessState["problem"] {
  const { code, message } = faultIn(lastError);
  const told = code === null ? "this service could not ask it" : OF_CONNECTION.has(code) ? FEED_FAULTS[code] : message;
  return { code, message: told, attempts: Number(attempts), next_attempt_at };
}
