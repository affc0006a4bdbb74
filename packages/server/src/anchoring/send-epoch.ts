/** Sends the transaction of an epoch that was not sent yet, or that has to be sent under another number. */
import { epochHash } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import type { Lease } from "@svc/host/jobs";
import type { Writer } from "@svc/host/store";
import { AnchorFault } from "../chain/anchor-fault.ts";
import { broadcast } from "../chain/broadcast.ts";
import { type Block, CLOCKS_APART_S } from "../chain/chain.ts";
import { findEvent } from "../chain/find-event.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import {
  type AnchoringRow,
  addTransaction,
  anchoringsInFlight,
  moveAnchoring,
  putAnchoring,
} from "./anchorings-store.ts";
import type { EpochToSend } from "./epoch-to-send.ts";
import { freeNonce } from "./free-nonce.ts";
import { newTransaction } from "./new-transaction.ts";

/**
 * Sends an epoch, unless the contract has it: then only its place is noted. `waiting`: its anchoring, if its number was
 * used by a transaction of others. Rejects with AnchorFault.
 */
export async function sendEpoch(
  parts: AnchoringParts,
  lease: Lease,
  { epoch, failed }: EpochToSend,
  head: Block,
  waiting: AnchoringRow | null = null,
): Promise<void> {
  const { context, config, chain } = parts;
  const { database, clock, kernel } = context;
  const { network, contract } = config;
  const { epoch_no, log_size } = epoch;
  const ours = epochHash(kernel, epoch);
  await chain.requireContract(contract);
  const { address: sender } = parts.key();
  await chain.requireAnchorer(contract, sender);
  const before = waiting ?? failed;
  const row = {
    epoch_no,
    log_size,
    state: "pending" as const,
    network,
    contract,
    sender,
    nonce: null,
    block_number: null,
    block_hash: null,
    cost_gwei: 0,
    // A transaction under another number may still be mined, whatever the node says of that number.
    spent_gwei: before === null ? 0 : before.spent_gwei + before.cost_gwei,
    begun_at: serviceTime(clock()),
    problem: null,
  };
  const put = (writer: Writer, anchoring: AnchoringRow) =>
    waiting === null ? putAnchoring(writer, anchoring) : moveAnchoring(writer, waiting, anchoring);

  const held = await chain.epochHash(contract, epoch_no);
  if (held !== null && held !== ours)
    throw new AnchorFault(
      "epoch_taken",
      `${contract} holds ${held} for epoch ${epoch_no}, and ours is ${ours}. A copy of this deployment, or ` +
        `another one, writes there: give each its own contract.`,
    );
  if (held === ours) {
    const sinceUnixSeconds = Date.parse(epoch.anchored_at) / 1000 - CLOCKS_APART_S;
    const sought = { contract, epochNo: epoch_no, epochHash: ours };
    const written = await findEvent(chain, sought, { head, sinceUnixSeconds });
    if (written === null)
      throw new AnchorFault("node_behind", `the contract has epoch ${epoch_no}, and the node not its event`);
    await database.write(
      async (writer) => {
        await lease.hold(writer);
        await put(writer, {
          ...row,
          state: "mined",
          tx_hash: written.txHash,
          block_number: written.blockNumber,
          block_hash: written.blockHash,
        });
      },
      { isLocking: true },
    );
    return parts.tell("adopted", epoch_no, `Epoch ${epoch_no} was in the contract already: its place is noted.`);
  }

  const count = await chain.transactionCount(sender, "latest");
  const nonce = freeNonce(await database.read(anchoringsInFlight), row, count);
  const transaction = await newTransaction(parts, { epoch, nonce, head, before: null });
  await database.write(
    async (writer) => {
      await lease.hold(writer);
      await addTransaction(writer, transaction);
      const { tx_hash, max_cost_gwei: cost_gwei } = transaction;
      await put(writer, { ...row, nonce, tx_hash, cost_gwei });
    },
    { isLocking: true },
  );
  failpoint("anchoring: stored");
  await broadcast(chain, transaction);
  failpoint("anchoring: sent");
  parts.tell(waiting === null ? "sent" : "renumbered", epoch_no);
}
