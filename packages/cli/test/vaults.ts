/**
 * The input of the commands about vaults: a bundle of six envelopes, the disclosure, receipt and inclusion of one of
 * them, statuses of its vault's key, and an IVC epoch.
 */
import { issueIvcEpoch, kidOf, type PortableReceipt, referenceKernel, showFrontier } from "@svc/core";
import { frontierOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import {
  custodyOf,
  disclosureOf,
  inclusionOf,
  issueVaultStream,
  sealedStatus,
  VAULT,
  vaultBundleOf,
} from "@svc/testkit/evidence/vaults";
import { changed, KEY, put } from "./svc.ts";

const CUSTODY = "att_01k30000000000000000000001";
const FOR_YOU = { audience: "reader.example", nonce: "2026-0117" };
const ENDED = { status: "revoked", revocationReason: "key_compromise" } as const;
const EPOCH = { ivc_epoch_id: "ivc_01k30000000000000000000001", created_at: "2026-03-01T00:30:00.000Z" };

/** Event 5 claims L1; the others claim nothing. */
export const vaults = await issueVaultStream(6, {
  stated: (no) => (no === 5 ? { assurance: { level: "L1", attestationRef: CUSTODY, startId: null } } : {}),
});
const custody = await custodyOf();
export const provenance = await vaultBundleOf(vaults, { attestations: [custody] });
const { checkpoints } = await issueStream(8);
export const epoch = await issueIvcEpoch(referenceKernel, SERVICE, { ...EPOCH, previous: null, checkpoints });

/** Writes them into the folder of the calls, with a trust file that pins the service alone. */
export async function putVaults(): Promise<void> {
  const disclosure = await disclosureOf(vaults, 5, { names: ["content", "author"], attestations: [custody] });
  put("march.provenance.json", provenance);
  put(
    "edited.provenance.json",
    changed(provenance, ({ artifacts }) => artifacts["provenance.json"].envelopes[2].envelope.vaultSeq++),
  );
  put("contract.disclosure.json", disclosure);
  put(
    "value.disclosure.json",
    changed(disclosure, ({ fields }) => {
      fields[1].value = "Somebody else";
    }),
  );
  put("for-you.disclosure.json", await disclosureOf(vaults, 5, { ...FOR_YOU, names: ["author"], isSealed: true }));
  put("contract.portable.json", disclosure.receipt as PortableReceipt);
  // The content of event 5 is whatever has the hash that its capsule names.
  put("contract.pdf", JSON.stringify(["content", 5]));
  put("contract.inclusion.json", inclusionOf(provenance, 5));
  put("key.status.json", await sealedStatus(VAULT));
  put("ended.status.json", await sealedStatus(VAULT, { ...ENDED, revokedAt: "2026-03-01T00:10:00.000Z" }));
  put("ended-before.status.json", await sealedStatus(VAULT, { ...ENDED, revokedAt: "2026-03-01T00:00:01.000Z" }));
  put("epoch.json", epoch);
  const steps = await issueStream(16, { perWindow: 2, perCheckpoint: 4 });
  const [one, two] = steps.checkpoints;
  if (one === undefined || two === undefined) throw new Error("too few checkpoints");
  const first = await issueIvcEpoch(referenceKernel, SERVICE, { ...EPOCH, previous: null, checkpoints: [one] });
  const framed = showFrontier(two, frontierOf(steps.windows.slice(0, one.window_count)));
  const later = { ...EPOCH, ivc_epoch_id: "ivc_01k30000000000000000000002", previous: first, checkpoints: [framed] };
  put("first.epoch.json", first);
  put("second.epoch.json", await issueIvcEpoch(referenceKernel, SERVICE, later));
  put(
    "other.epoch.json",
    changed(epoch, (copy) => {
      copy.final_state = "0".repeat(64);
    }),
  );
  put("acme.trust.json", { signers: [{ kid: kidOf(referenceKernel, SERVICE.publicKeyHex), public_key_hex: KEY }] });
}
