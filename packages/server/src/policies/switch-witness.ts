/**
 * Declares the next key of the service's own witness: each policy that lists the one before it gets a version that
 * lists the next one in its place. Windows name that version from then on, and what was sealed before keeps its own.
 */
import { type Kernel, policyDigest, type WitnessKey, type WitnessPolicy, witnessPolicyDigest } from "@svc/core";
import { latest } from "@svc/host/clock";
import type { Writer } from "@svc/host/store";
import { recordBeside } from "../tenancy/administration.ts";
import { allTenants } from "../tenancy/tenants-store.ts";
import { witnessKeyRotated } from "./events.ts";
import { ownWitness } from "./own-witness.ts";
import { insertPolicyVersion, newestPolicies, type PolicyVersion } from "./policies-store.ts";

/** A key that follows another one of the witness. It is a `type`, so that it is Json. */
export type WitnessSuccessor = Pick<WitnessKey, "name" | "public_key_hex" | "key_epoch" | "valid_from">;

/**
 * Stores the new versions in a transaction of the caller, and resolves to their number. The versions are determined by
 * the ones before them and the key alone, so that a database of an older backup gets the same ones again.
 */
export async function switchWitness(writer: Writer, kernel: Kernel, next: WitnessSuccessor): Promise<number> {
  const { public_key_hex: replaces } = await ownWitness(writer);
  const versions = (await newestPolicies(writer)).flatMap((version) => nextVersion(kernel, version, replaces, next));
  for (const version of versions) await insertPolicyVersion(writer, version, next.valid_from);
  for (const { tenant_id } of await allTenants(writer)) {
    const actor = { tenantId: tenant_id, kind: "service", id: "svc-server", roles: [] } as const;
    const after = { name: next.name, key_epoch: next.key_epoch, replaces };
    const change = { type: witnessKeyRotated, objectId: next.public_key_hex, before: null, after } as const;
    await recordBeside(writer)(actor, change, next.valid_from);
  }
  return versions.length;
}

/** Returns the next version; none for a policy that does not list the key, or only for a time that is over. */
function nextVersion(
  kernel: Kernel,
  version: PolicyVersion,
  replaces: string,
  next: WitnessSuccessor,
): [] | [PolicyVersion] {
  const { policy, witnessPolicy } = version;
  const { witnessKeys } = witnessPolicy;
  const old = witnessKeys.find(
    ({ managed, public_key_hex, valid_to }) =>
      managed && public_key_hex === replaces && (valid_to === null || valid_to > next.valid_from),
  );
  if (old === undefined) return [];
  const epochs = witnessKeys.filter(({ witness_id }) => witness_id === old.witness_id).map((key) => key.key_epoch);
  const key: WitnessKey = {
    ...old,
    name: next.name,
    public_key_hex: next.public_key_hex,
    key_epoch: Math.max(...epochs) + 1,
    valid_from: latest(next.valid_from, old.valid_from),
  };
  const policy_version = policy.policy_version + 1;
  const nextPolicy = { ...policy, policy_version };
  const nextWitnessPolicy: WitnessPolicy = {
    ...witnessPolicy,
    policy_version,
    witnessKeys: witnessKeys.map((one) => (one === old ? key : one)),
    declared_at: latest(next.valid_from, witnessPolicy.declared_at),
  };
  return [
    {
      ...version,
      policy: nextPolicy,
      policyDigest: policyDigest(kernel, nextPolicy),
      witnessPolicy: nextWitnessPolicy,
      witnessPolicyDigest: witnessPolicyDigest(kernel, nextWitnessPolicy),
    },
  ];
}
