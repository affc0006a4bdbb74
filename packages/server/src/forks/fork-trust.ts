/** The keys under which this service judges evidence against itself: its own, and those of its streams' witnesses. */
import type { TrustPolicy, WitnessKey } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { policyVersions } from "../policies/policies-store.ts";
import { ownTrust } from "../signing/service-store.ts";
import type { StreamEnd } from "./forks-store.ts";

/**
 * Resolves to a policy that pins the service's keys and the witnesses of every version of a stream's policy. `stream`:
 * null for the service's own keys alone.
 */
export async function forkTrust(
  reader: Reader,
  origin: string,
  stream: Pick<StreamEnd, "tenant_id" | "policy_id"> | null,
): Promise<TrustPolicy & { readonly witnesses: NonNullable<TrustPolicy["witnesses"]> }> {
  const own = await ownTrust(reader, origin);
  const keys = stream === null ? [] : await witnessKeysOf(reader, stream);
  const pins = new Map(keys.map(({ name, public_key_hex }) => [public_key_hex, { name, public_key_hex }]));
  return { ...own, witnesses: [...pins.values()] };
}

async function witnessKeysOf(
  reader: Reader,
  { tenant_id, policy_id }: Pick<StreamEnd, "tenant_id" | "policy_id">,
): Promise<WitnessKey[]> {
  const versions = await policyVersions(reader, tenant_id, policy_id);
  return versions.flatMap(({ witnessPolicy }) => witnessPolicy.witnessKeys);
}
