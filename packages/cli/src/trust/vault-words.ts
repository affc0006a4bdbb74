/** Says what a trust file has about vaults, for a person (protocol section 33). All of its texts must be escaped. */
import type { TrustPolicy } from "@svc/core";
import { counted, shorten } from "@svc/report";

type Items<Member extends keyof TrustPolicy> =
  NonNullable<TrustPolicy[Member]> extends readonly (infer Item)[] ? Item : never;

/** A heading, and its entries: the first line of each, and what is below it. */
export type Section = readonly [title: string, entries: readonly (readonly [string, ...string[]])[]];

/** Returns the sections, in the order of the policy's members; without entries where the file says nothing. */
export function vaultSections(policy: TrustPolicy): Section[] {
  const { vaults = [], key_status = [], attestation_roots = [], reference_values = [] } = policy;
  return [
    ["Vaults", vaults.map(vaultEntry)],
    ["Statuses of vaults' keys", key_status.map(statusEntry)],
    ["Attestation roots", attestation_roots.map(rootEntry)],
    ["Custodians", (policy.custodians ?? []).map(keyEntry)],
    ["Activators", (policy.activators ?? []).map(keyEntry)],
    ["Reference values", reference_values.map(valuesEntry)],
    ["Required of vaults", demandsOf(policy).map((demand) => [demand])],
  ];
}

function vaultEntry({ installation_id, public_key_hex, ek_certificate_sha256: certificate }: Items<"vaults">) {
  return [
    installation_id,
    public_key_hex,
    ...(certificate === undefined ? [] : [`with the certificate ${certificate}`]),
  ] as const;
}

function statusEntry({ installationId, status, statusAt }: Items<"key_status">) {
  return [installationId, `${status}, by a status of ${statusAt}`] as const;
}

function rootEntry({ sha256, use, profile, software }: Items<"attestation_roots">) {
  const words = [use, ...(profile === undefined ? [] : [profile]), ...(software === true ? ["software"] : [])];
  return [sha256, words.join(", ")] as const;
}

function keyEntry({ name, public_key_hex }: Items<"custodians">) {
  return [`${name}  ${shorten(public_key_hex)}`] as const;
}

function valuesEntry({ policyId, policyVersion, measurements }: Items<"reference_values">) {
  return [`${policyId}, version ${policyVersion}`, counted(measurements.length, "measurement")] as const;
}

function demandsOf({ require_assurance, status_not_before, vault_time, allow_software_roots }: TrustPolicy): string[] {
  return [
    ...(require_assurance === undefined ? [] : [`the level ${require_assurance} for every event`]),
    ...(status_not_before === undefined ? [] : [`a status of each key from ${status_not_before} or later`]),
    ...(vault_time === undefined ? [] : [VAULT_TIME[vault_time]]),
    ...(allow_software_roots === undefined
      ? []
      : [allow_software_roots ? "roots of software count" : "roots of software do not count"]),
  ];
}

const VAULT_TIME = {
  stated: "the service's word that an event is older than the end of its key",
  proven: "proof that an event is older than the end of its key",
} as const;
