/**
 * Whether anything waits for the cosignature of an earlier key of the service's own witness: a window or a checkpoint
 * names the policy of its time for good, and no other key can cosign under that.
 */
import type { HashHex } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { cosignsHere, ownWitness } from "../policies/own-witness.ts";
import { policyByDigest } from "../policies/policies-store.ts";
import { uncheckpointedWindows, uncosignedPolicies } from "./waiting-store.ts";

const PORTION = 500;

/** Resolves to whether anything waits for a key before the witness's key now. `origin`: the deployment's. */
export async function waitsForEarlierKey(reader: Reader, origin: string): Promise<boolean> {
  const { public_key_hex: current } = await ownWitness(reader);
  const known = new Map<string, boolean>();
  const isEarlier = async (policyId: string, digest: HashHex): Promise<boolean> => {
    const before = known.get(digest);
    if (before !== undefined) return before;
    const keys = (await policyByDigest(reader, policyId, digest))?.witnessPolicy.witnessKeys ?? [];
    const found = keys.some((key) => cosignsHere(key, origin) && key.public_key_hex !== current);
    known.set(digest, found);
    return found;
  };
  for (const { policy_id, witness_policy_digest } of await uncosignedPolicies(reader))
    if (await isEarlier(policy_id, witness_policy_digest)) return true;
  for (let after = ""; ; ) {
    const windows = await uncheckpointedWindows(reader, after, PORTION);
    for (const { policy_id, witness_policy_digest } of windows)
      if (await isEarlier(policy_id, witness_policy_digest)) return true;
    after = windows.at(-1)?.stream_id ?? "";
    if (windows.length < PORTION) return false;
  }
}
