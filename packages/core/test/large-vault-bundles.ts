/** Large bundles over provenance streams, and policies under which they are read. */
import { SERVICE } from "@svc/testkit/evidence/service";
import { custodyOf, issueVaultStream, OTHER_VAULT, startOf, VAULT, vaultBundleOf } from "@svc/testkit/evidence/vaults";
import { pinKeys, selectKernel, type TrustPolicy } from "../src/index.ts";

export const kernel = selectKernel();
export const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const start = await startOf();
const both = (no: number) => (no % 3 === 0 ? OTHER_VAULT : VAULT);
const plain = await vaultBundleOf(await issueVaultStream(60, { perWindow: 20, perCheckpoint: 3, vaultOf: both }));
const started = await vaultBundleOf(
  await issueVaultStream(60, {
    perWindow: 20,
    perCheckpoint: 3,
    stated: () => ({ assurance: { level: "L2", attestationRef: null, startId: start.result?.startId ?? null } }),
  }),
  { attestations: [await custodyOf(), start], shows: (no) => no % 2 === 0 },
);
/** The policies, by what they say. */
export const policies: Readonly<Record<string, TrustPolicy>> = {
  pinned: trust,
  nobody: { ...trust, signers: [] },
  "with a pinned vault": {
    ...trust,
    vaults: [{ installation_id: VAULT.installationId, public_key_hex: VAULT.signer.publicKeyHex }],
  },
  "with another key pinned": {
    ...trust,
    vaults: [{ installation_id: VAULT.installationId, public_key_hex: OTHER_VAULT.signer.publicKeyHex }],
  },
  "with a level": { ...trust, require_assurance: "L1" },
};

/** The bundles, by what they are. */
export const bundles = Object.entries({ plain, started });
