/**
 * How far the anchoring of a checkpoint is: by the first epoch over it that is final; or else by the first one that was
 * sent, and has not failed if there is such a one; or else by the newest one.
 */
import type { ProofState } from "@svc/api";
import type { Checkpoint, Policy } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { anchorFaultIn } from "../chain/anchor-fault.ts";
import { newestEpoch } from "../service-log/epochs-store.ts";
import { leafOf } from "../service-log/leaves-store.ts";
import { logState } from "../service-log/log-store.ts";
import { firstMinedNo } from "../service-log/mined-store.ts";
import { type AnchoringRow, anchoringOfEpoch, anchoringStatus, firstAnchoringOver } from "./anchorings-store.ts";

type AnchorState = NonNullable<ProofState["anchor"]>;

const NOWHERE = { network: null, contract: null, tx_hash: null, block_number: null };

/** Resolves to the state of a checkpoint. `isOn`: whether this deployment anchors. */
export async function anchorState(
  reader: Reader,
  { checkpoint_id }: Checkpoint,
  demand: Policy["anchor"],
  isOn: boolean,
): Promise<AnchorState> {
  const leaf = await leafOf(reader, checkpoint_id);
  const sent = leaf === null ? null : await bestAnchoring(reader, leaf.leaf_index);
  const problem = sent?.state === "confirmed" ? null : await problemOf(reader, sent, demand, isOn);
  if (sent !== null) {
    const { epoch_no, state, network, contract, tx_hash, block_number } = sent;
    return { demand, state, epoch_no, network, contract, tx_hash, block_number, problem };
  }
  const epoch = await newestEpoch(reader);
  const isCovered = epoch !== null && leaf !== null && leaf.leaf_index < epoch.log_size;
  const told = isCovered ? { state: "published" as const, epoch_no: epoch.epoch_no } : WAITING;
  return { demand, ...told, ...NOWHERE, problem };
}

const WAITING = { state: "waiting" as const, epoch_no: null };

/** Resolves to the anchoring by which a leaf is anchored, or will be first; null if no epoch over it was sent. */
async function bestAnchoring(reader: Reader, leafIndex: number): Promise<AnchoringRow | null> {
  const mined = await firstMinedNo(reader, leafIndex);
  return mined === null ? firstAnchoringOver(reader, leafIndex) : anchoringOfEpoch(reader, mined);
}

async function problemOf(
  reader: Reader,
  sent: AnchoringRow | null,
  demand: Policy["anchor"],
  isOn: boolean,
): Promise<AnchorState["problem"]> {
  if (!isOn)
    return demand === "required"
      ? { code: null, message: "The policy requires an anchor, and this server does not anchor.", since: null }
      : null;
  if (sent?.state === "failed" && sent.problem !== null)
    return { ...anchorFaultIn(sent.problem), since: sent.begun_at };
  const { closedAt } = await logState(reader);
  if (closedAt !== null && sent === null)
    return {
      code: null,
      message: "The service log ended when lost evidence was accepted: no further epoch is anchored.",
      since: closedAt,
    };
  const status = await anchoringStatus(reader);
  return status === null || status.problem === null
    ? null
    : { ...anchorFaultIn(status.problem), since: status.problem_since };
}
