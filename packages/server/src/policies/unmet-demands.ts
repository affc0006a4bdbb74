/** The demands of a policy that this server cannot meet, in words for the declaring person. */
import { MAX_PACK_EVENTS } from "@svc/api/limits";
import type { PolicyVersion } from "./policies-store.ts";

/** Returns one text for each such demand; empty if all can be met. */
export function unmetDemands({ policy, witnessPolicy }: PolicyVersion): string[] {
  const { threshold, witnessKeys } = witnessPolicy;
  const own = new Set(witnessKeys.filter(({ managed }) => managed).map(({ witness_id }) => witness_id)).size;
  const packEvents = policy.window_max_events * policy.checkpoint_max_windows;
  return [
    ...(threshold > own
      ? [
          `This server does not collect the cosignatures of outside witnesses yet, and the policy asks for ${threshold} of them. Until it does, no checkpoint under this version is witnessed, and audit packs over it are refused (evidence_missing).`,
        ]
      : []),
    ...(policy.anchor === "required"
      ? [
          "This server does not anchor yet, and the policy requires it. Until it does, verifiers reject bundles under this version (anchor_missing).",
        ]
      : []),
    ...(packEvents > MAX_PACK_EVENTS
      ? [
          `A full checkpoint holds ${packEvents} events, and an audit pack at most ${MAX_PACK_EVENTS}: packs over a full one are refused (range_too_large). Lower window_max_events or checkpoint_max_windows.`,
        ]
      : []),
  ];
}
