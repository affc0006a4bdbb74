/**
 * The faults in the provenance part of a bundle that its schema cannot express (protocol section 27): the part is there
 * whole or not at all, and each piece has the form that it needs by itself.
 */
import type { ShapeFault } from "../../../report/shape.ts";
import { keyStatusFaults } from "../../../vault/key-status/faults.ts";
import { attestationFaults } from "../../attestation/faults.ts";
import { contentFaults } from "../../envelope/faults.ts";
import { providerPolicyFaults } from "../../provider/policy.ts";
import { type Bundle, PROVENANCE_MEMBERS } from "../schema.ts";

export function provenanceFaults(bundle: Bundle): ShapeFault[] {
  const { manifest, artifacts, contents } = bundle;
  const artifact = artifacts["provenance.json"];
  const faults = partFaults(bundle);
  manifest.vault_key_lifecycle?.forEach((status, index) => {
    faults.push(...keyStatusFaults(status, `/manifest/vault_key_lifecycle/${index}`));
  });
  for (const [eventId, content] of Object.entries(contents ?? {}))
    faults.push(...contentFaults(content, `/contents/${eventId}`));
  artifact?.attestations.forEach((attestation, index) => {
    faults.push(...attestationFaults(attestation, `/artifacts/provenance.json/attestations/${index}`));
  });
  artifact?.provider_policies.forEach((policy, index) => {
    faults.push(...providerPolicyFaults(policy, `/artifacts/provenance.json/provider_policies/${index}`));
  });
  return faults;
}

/** The members of the manifest, the artifact and its hash stand together, and contents stand with them only. */
function partFaults({ manifest, artifacts, contents }: Bundle): ShapeFault[] {
  const parts = [
    ...PROVENANCE_MEMBERS.map((name) => ({ path: `/manifest/${name}`, isHere: manifest[name] !== undefined })),
    {
      path: "/manifest/artifact_hashes/provenance.json",
      isHere: manifest.artifact_hashes["provenance.json"] !== undefined,
    },
    { path: "/artifacts/provenance.json", isHere: artifacts["provenance.json"] !== undefined },
  ];
  const missing = parts.filter(({ isHere }) => !isHere);
  if (missing.length < parts.length) {
    const message = "The provenance part of a bundle is there whole or not at all.";
    return missing.map(({ path }) => ({ code: "missing_member", path, message }));
  }
  if (contents === undefined) return [];
  const message = "Only a bundle over a provenance stream may have contents.";
  return [{ code: "unknown_member", path: "/contents", message }];
}
