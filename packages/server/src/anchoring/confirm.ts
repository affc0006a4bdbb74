/** Keeps the evidence of an epoch that counts as final: the anchor is sealed anew, with its block under the seal. */
import { issueAnchor } from "@svc/core";
import { latest, serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import type { Lease } from "@svc/host/jobs";
import type { Block } from "../chain/chain.ts";
import { epochByNo } from "../service-log/epochs-store.ts";
import { insertMined } from "../service-log/mined-store.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import { type AnchoringRow, forgetTransactions, moveAnchoring } from "./anchorings-store.ts";
import { collectEvidence, requireEvidence } from "./collect-evidence.ts";
import { restoreOf } from "./restore.ts";

/** Transactions of so many epochs are kept, for a chain that removes a block that counted as final. */
const KEPT_EPOCHS = 1000;

/**
 * Collects the evidence and keeps it; or brings back what was kept before, with its earlier date. `block`: of the
 * anchoring; `newestFinal`: as `collectEvidence` takes it.
 */
export async function confirm(
  parts: AnchoringParts,
  lease: Lease,
  anchoring: AnchoringRow,
  { block, newestFinal }: { readonly block: Block; readonly newestFinal: number },
): Promise<void> {
  if (await restoreOf(parts, lease, anchoring)) return;
  const { context, chain, tell } = parts;
  const { database, clock, kernel, issuing, signingKey } = context;
  const { epoch_no: epochNo, network, contract, tx_hash } = anchoring;
  const mined = await collectEvidence(chain, { contract, epochNo, block, newestFinal });
  failpoint("anchoring: evidence collected");
  await database.write(
    async (writer) => {
      await lease.hold(writer);
      const epoch = await epochByNo(writer, epochNo);
      if (epoch === null) throw new Error(`epoch ${epochNo} of the service log is missing from the database`);
      const signer = await signingKey.held(writer);
      const { anchor_epoch_id, anchored_at } = epoch;
      const anchor = await issueAnchor(issuing, signer, {
        anchor_epoch_id,
        epoch,
        members: [],
        anchoring: { network, contract, tx_hash, mined },
        anchored_at: latest(serviceTime(clock()), signer.validFrom, anchored_at),
      });
      requireEvidence(kernel, anchor, signer.publicKeyHex);
      await insertMined(writer, anchor);
      await moveAnchoring(writer, anchoring, { state: "confirmed", problem: null });
      await forgetTransactions(writer, epochNo - KEPT_EPOCHS);
    },
    { givesWay: true, isLocking: true },
  );
  failpoint("anchoring: confirmed");
  tell("confirmed", epochNo);
}
