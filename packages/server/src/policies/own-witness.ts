/**
 * The service's own witness, as its policies name it: its keys, one after another. It cosigns in the server itself, or
 * in a separate process, which its name tells.
 */
import type { WitnessKey } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { DEFAULT_POLICY_ID, managedWitnessName } from "./default-policy.ts";
import { newestPolicy, policyVersions } from "./policies-store.ts";

/** Resolves to its key, as the policy `default` names it. Rejects with Error if that lists none. */
export async function ownWitness(reader: Reader): Promise<WitnessKey> {
  const builtIn = await newestPolicy(reader, null, DEFAULT_POLICY_ID);
  return managedIn(builtIn?.witnessPolicy.witnessKeys ?? []);
}

/** Resolves to all the keys that it has had, the last one being its key now. Rejects as `ownWitness`. */
export async function ownWitnessKeys(reader: Reader): Promise<readonly WitnessKey[]> {
  // No tenant can declare that id.
  const versions = await policyVersions(reader, "", DEFAULT_POLICY_ID);
  return versions.map(({ witnessPolicy }) => managedIn(witnessPolicy.witnessKeys));
}

/** Returns whether it is the server itself that cosigns by this key. `origin`: the deployment's. */
export function cosignsHere({ managed, name }: Pick<WitnessKey, "managed" | "name">, origin: string): boolean {
  return managed && name === managedWitnessName(origin);
}

function managedIn(keys: readonly WitnessKey[]): WitnessKey {
  const key = keys.find(({ managed }) => managed);
  if (key === undefined)
    throw new Error("the policy default lists no witness of this service: the database was changed");
  return key;
}
