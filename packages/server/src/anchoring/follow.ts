/**
 * Follows the anchoring of an epoch on the chain by one look: its transaction is mined, or final; or its block is gone,
 * and it is sent again; or it waits too long, and one with a higher fee takes its place; or a transaction of others has
 * used its number.
 */
import { epochHash } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { failpoint } from "@svc/host/failpoint";
import type { Lease } from "@svc/host/jobs";
import { AnchorFault } from "../chain/anchor-fault.ts";
import { broadcast } from "../chain/broadcast.ts";
import type { Block, Receipt } from "../chain/chain.ts";
import { gweiOf } from "../chain/fees.ts";
import { epochByNo } from "../service-log/epochs-store.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import {
  type AnchoringRow,
  addTransaction,
  anchoringsInFlight,
  moveAnchoring,
  type TransactionRow,
  transactionsOf,
} from "./anchorings-store.ts";
import { confirm } from "./confirm.ts";
import { dayOf } from "./figures.ts";
import { freeNonce } from "./free-nonce.ts";
import { newTransaction } from "./new-transaction.ts";
import { sendEpoch } from "./send-epoch.ts";

/** Follows one anchoring. Rejects with AnchorFault; the next look is at the same place. */
export async function follow(parts: AnchoringParts, lease: Lease, anchoring: AnchoringRow, head: Block): Promise<void> {
  const { config } = parts;
  if (anchoring.network !== config.network)
    return fail(
      parts,
      lease,
      anchoring,
      new AnchorFault(
        "network_changed",
        `it was sent to ${anchoring.network}, and ${config.network} is configured now`,
      ),
    );
  const transactions = await parts.context.database.read((reader) => transactionsOf(reader, anchoring.epoch_no));
  const receipt = await firstReceipt(parts, anchoring, transactions);
  return receipt === null
    ? followMissing(parts, lease, anchoring, transactions, head)
    : followMined(parts, lease, anchoring, { receipt, costGwei: costOf(receipt, anchoring, transactions) }, head);
}

/**
 * Resolves to the outcome of the transaction that has written the epoch. Under another number, one can have come too
 * late, and have done nothing; it counts only where no other one was mined.
 */
async function firstReceipt(
  { chain }: AnchoringParts,
  { tx_hash }: AnchoringRow,
  transactions: readonly TransactionRow[],
): Promise<Receipt | null> {
  let undone: Receipt | null = null;
  for (const hash of new Set([tx_hash, ...transactions.map((one) => one.tx_hash)])) {
    const receipt = await chain.receipt(hash);
    if (receipt?.isDone) return receipt;
    undone ??= receipt;
  }
  return undone;
}

/** Returns what a transaction has cost. Throws AnchorFault for more than it was signed for. */
function costOf(
  { txHash, costWei }: Receipt,
  anchoring: AnchoringRow,
  transactions: readonly TransactionRow[],
): number {
  const signed = transactions.find(({ tx_hash }) => tx_hash === txHash);
  // It was not sent by this database, so nothing is known of what it may cost.
  if (signed === undefined) return anchoring.cost_gwei;
  const cost = gweiOf(costWei);
  if (cost > signed.max_cost_gwei)
    throw new AnchorFault(
      "node_contradicted",
      `${txHash} has cost ${cost} gwei, it says, and can cost ${signed.max_cost_gwei} at most`,
    );
  return cost;
}

async function followMined(
  parts: AnchoringParts,
  lease: Lease,
  anchoring: AnchoringRow,
  { receipt, costGwei }: { readonly receipt: Receipt; readonly costGwei: number },
  head: Block,
): Promise<void> {
  const { chain, config } = parts;
  const { epoch_no } = anchoring;
  const { txHash, blockNumber, blockHash } = receipt;
  const block = await chain.blockAt(blockNumber);
  if (block === null || block.hash !== blockHash)
    throw new AnchorFault(
      block === null ? "node_behind" : "node_contradicted",
      `${txHash} is in block ${blockHash}, it says, and block ${blockNumber} is ${block?.hash ?? "missing"}`,
    );
  const isFinal = head.number - blockNumber + 1 >= config.confirmations;
  if (!receipt.isDone) {
    const problem = `${txHash} was mined in block ${blockNumber}, and did nothing`;
    const spent = { block_number: blockNumber, block_hash: blockHash, cost_gwei: costGwei };
    if (isFinal) await fail(parts, lease, anchoring, new AnchorFault("transaction_reverted", problem), spent);
    return;
  }
  let now = anchoring;
  if (anchoring.state !== "mined" || anchoring.block_hash !== blockHash || anchoring.tx_hash !== txHash) {
    now = await move(parts, lease, anchoring, {
      state: "mined",
      tx_hash: txHash,
      block_number: blockNumber,
      block_hash: blockHash,
      cost_gwei: costGwei,
    });
    failpoint("anchoring: mined");
    parts.tell("mined", epoch_no);
  }
  if (isFinal) await confirm(parts, lease, now, { block, newestFinal: head.number - config.confirmations + 1 });
}

/** Returns the transaction to which all others under a number have given way. The clock that dates them can go back. */
function dearest(transactions: readonly TransactionRow[], nonce: number | null): TransactionRow | undefined {
  const own = transactions.filter((one) => one.nonce === nonce);
  return own.sort((one, other) => (BigInt(one.max_fee_wei) < BigInt(other.max_fee_wei) ? 1 : -1))[0];
}

async function followMissing(
  parts: AnchoringParts,
  lease: Lease,
  anchoring: AnchoringRow,
  transactions: readonly TransactionRow[],
  head: Block,
): Promise<void> {
  const { context, chain } = parts;
  const { epoch_no, sender, nonce, tx_hash } = anchoring;
  const last = dearest(transactions, nonce);
  let now = anchoring;
  if (anchoring.state === "mined") {
    now = await move(parts, lease, anchoring, {
      state: "pending",
      block_number: null,
      block_hash: null,
      cost_gwei: last?.max_cost_gwei ?? anchoring.cost_gwei,
    });
    const words = `The chain has removed the block of epoch ${epoch_no}: its transaction ${tx_hash} is sent again.`;
    parts.tell("removed", epoch_no, words);
  }
  const count = await chain.transactionCount(sender, "latest");
  if (last === undefined || nonce === null || count > nonce) return renumber(parts, lease, now, head);
  const { stuckMs, contract } = parts.config;
  const isOurs = contract === anchoring.contract && sender === parts.key().address;
  // A clock that was put back says nothing of how long it has waited, only that it was sent before.
  const isStuck = Math.abs(context.clock() - Date.parse(last.sent_at)) >= stuckMs;
  // While no block is made, neither a higher fee nor another number would help.
  if (isOurs && isStuck && head.number > last.head_number) {
    if (count === nonce) return replace(parts, lease, now, last, head);
    // Only the next number can be mined. Where nothing has it, all behind it would wait for good.
    const free = freeNonce(await context.database.read(anchoringsInFlight), now, count);
    if (free < nonce) return renumber(parts, lease, now, head);
  }
  // Nodes forget what is too cheap for them, and what was in a block that is gone.
  if (await chain.knows(last.tx_hash)) return;
  await broadcast(chain, last);
  parts.tell("sent_again", epoch_no);
}

/**
 * A transaction of others has used the number, as it seems: once that is final, the epoch is sent under another one,
 * unless it is in the contract. Or there is a gap before the number, and so it is sent under another one at once.
 */
async function renumber(parts: AnchoringParts, lease: Lease, anchoring: AnchoringRow, head: Block): Promise<void> {
  const { context, config, chain } = parts;
  const { epoch_no, contract, sender, nonce } = anchoring;
  const epoch = await context.database.read((reader) => epochByNo(reader, epoch_no));
  if (epoch === null) throw new Error(`epoch ${epoch_no} of the service log is missing from the database`);
  const held = await chain.epochHash(contract, epoch_no);
  if (held !== null && held !== epochHash(context.kernel, epoch))
    return fail(
      parts,
      lease,
      anchoring,
      new AnchorFault("epoch_taken", `${contract} holds ${held} for epoch ${epoch_no}`),
    );
  const final = head.number - config.confirmations + 1;
  const isUsed = nonce !== null && (await chain.transactionCount(sender, "latest")) > nonce;
  const isFinal = !isUsed || (final >= 0 && (await chain.transactionCount(sender, final)) > nonce);
  if (held === null && !isFinal)
    throw new AnchorFault(
      "nonce_taken",
      `a transaction that is not of this service has used number ${nonce} of ${sender}: epoch ${epoch_no} is ` +
        `sent again once that is final. Does anything else use the key?`,
    );
  await sendEpoch(parts, lease, { epoch, failed: null }, head, anchoring);
}

async function replace(
  parts: AnchoringParts,
  lease: Lease,
  anchoring: AnchoringRow,
  before: TransactionRow,
  head: Block,
): Promise<void> {
  const { context, chain } = parts;
  const { epoch_no } = anchoring;
  const epoch = await context.database.read((reader) => epochByNo(reader, epoch_no));
  if (epoch === null) throw new Error(`epoch ${epoch_no} of the service log is missing from the database`);
  const begun_at = serviceTime(context.clock());
  // A transaction of yesterday counts for yesterday; from now on it counts for today.
  const countedGwei = anchoring.begun_at >= dayOf(context.clock()) ? anchoring.cost_gwei : 0;
  const wanted = { epoch, nonce: before.nonce, head, before: { transaction: before, countedGwei } };
  const transaction = await newTransaction(parts, wanted);
  await context.database.write(
    async (writer) => {
      await lease.hold(writer);
      await addTransaction(writer, transaction);
      const { tx_hash, max_cost_gwei: cost_gwei } = transaction;
      await moveAnchoring(writer, anchoring, { tx_hash, cost_gwei, begun_at });
    },
    { isLocking: true },
  );
  failpoint("anchoring: replaced");
  await broadcast(chain, transaction);
  parts.tell(
    "replaced",
    epoch_no,
    `The transaction of epoch ${epoch_no} has waited since ${before.sent_at}: ${transaction.tx_hash} takes its ` +
      `place, with a higher fee.`,
  );
}

/** Notes that an anchoring has come to nothing, and rejects with the fault. */
async function fail(
  parts: AnchoringParts,
  lease: Lease,
  anchoring: AnchoringRow,
  fault: AnchorFault,
  changes: Partial<AnchoringRow> = {},
): Promise<never> {
  await move(parts, lease, anchoring, { ...changes, state: "failed", problem: fault.message });
  parts.tell("failed", anchoring.epoch_no, `Epoch ${anchoring.epoch_no} is not anchored: ${fault.message}`);
  throw fault;
}

async function move(
  { context }: AnchoringParts,
  lease: Lease,
  anchoring: AnchoringRow,
  changes: Partial<AnchoringRow>,
): Promise<AnchoringRow> {
  await context.database.write(
    async (writer) => {
      await lease.hold(writer);
      await moveAnchoring(writer, anchoring, changes);
    },
    { isLocking: true },
  );
  return { ...anchoring, ...changes };
}
