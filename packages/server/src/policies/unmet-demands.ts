/** The demands of a policy that this server cannot meet, in words for the declaring person. */
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import type { WitnessKey } from "@svc/core";
import type { FedWitness } from "../feeding/fed-witness.ts";
import { cosignsHere } from "./own-witness.ts";
import type { PolicyVersion } from "./policies-store.ts";

/** The parts of a deployment that a policy can ask for. */
export interface Reached {
  readonly origin: string;
  /** The witnesses that the server feeds. */
  readonly addressed: readonly FedWitness[];
  /** Whether it anchors. */
  readonly isAnchoring: boolean;
}

/** Returns one text for each such demand; empty if all can be met. */
export function unmetDemands(
  { policy, witnessPolicy }: PolicyVersion,
  { origin, addressed, isAnchoring }: Reached,
): string[] {
  const { threshold, witnessKeys } = witnessPolicy;
  const isReached = (key: WitnessKey) =>
    cosignsHere(key, origin) ||
    addressed.some((one) => one.name === key.name && one.publicKeyHex === key.public_key_hex);
  const reached = new Set(witnessKeys.filter(isReached).map(({ witness_id }) => witness_id));
  const others = new Set(witnessKeys.map(({ witness_id }) => witness_id).filter((id) => !reached.has(id)));
  const packEvents = policy.window_max_events * policy.checkpoint_max_windows;
  return [
    ...(others.size > 0
      ? [
          `This server has no address of ${[...others].join(", ")}: name each in ` +
            `SVC_WITNESSES.${threshold > reached.size ? ` Until then it reaches ${reached.size} of the ${threshold} witnesses that must cosign, and no checkpoint under this version is witnessed.` : ""}`,
        ]
      : []),
    ...(policy.anchor === "required" && !isAnchoring
      ? [
          "This server does not anchor, and the policy requires it: no audit packs are given under this version " +
            "(evidence_missing). Set SVC_ANCHOR_NETWORK and what goes with it.",
        ]
      : []),
    ...(packEvents > MAX_PACK_EVENTS
      ? [
          `A full checkpoint holds ${packEvents} events, and an audit pack at most ${MAX_PACK_EVENTS}: packs ` +
            `over a full one are refused (range_too_large). Lower window_max_events or checkpoint_max_windows.`,
        ]
      : []),
  ];
}
