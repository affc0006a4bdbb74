/**
 * Makes the transaction that writes an epoch. It is signed and NOT sent: send-epoch.ts and follow.ts store it first. A
 * transaction that the budget of the day or the balance does not pay for is not made.
 */
import { type Anchor, epochHash } from "@svc/core";
import { anchorCall } from "@svc/core/evidence-anchor";
import { serviceTime } from "@svc/host/clock";
import { AnchorFault } from "../chain/anchor-fault.ts";
import type { Block } from "../chain/chain.ts";
import { bumped, type Fee, gasLimitFor, gweiOf } from "../chain/fees.ts";
import type { AnchoringParts } from "./anchoring-parts.ts";
import { spentSince, type TransactionRow } from "./anchorings-store.ts";
import { dayOf } from "./figures.ts";

/** A transaction to be made. */
export interface Wanted {
  readonly epoch: Anchor;
  readonly nonce: number;
  readonly head: Block;
  /** The one whose place it takes, and what that counts for in today's budget; null for a new number. */
  readonly before: { readonly transaction: TransactionRow; readonly countedGwei: number } | null;
}

/** Resolves to the transaction. Rejects with AnchorFault. */
export async function newTransaction(parts: AnchoringParts, wanted: Wanted): Promise<TransactionRow> {
  const { context, config, chain } = parts;
  const { epoch, nonce, head, before } = wanted;
  const key = parts.key();
  const { contract } = config;
  const data = anchorCall(epoch.epoch_no, epochHash(context.kernel, epoch));
  const gasLimit = gasLimitFor(await chain.gasOf({ from: key.address, to: contract, data }));
  const now = await chain.fee(head);
  const fee = before === null ? now : bumped(feeOf(before.transaction), now);
  const maxCostWei = gasLimit * fee.maxFeeWei;
  await requireBudget(parts, gweiOf(maxCostWei), before?.countedGwei ?? 0);
  const balance = await chain.balance(key.address);
  if (balance < maxCostWei)
    throw new AnchorFault(
      "balance_too_low",
      `${key.address} has ${gweiOf(balance)} gwei, and the transaction can cost ${gweiOf(maxCostWei)}. Send it more.`,
    );
  const signed = key.sign({ chainId: config.chainId, nonce, to: contract, data, gasLimit, fee });
  return {
    tx_hash: signed.txHash,
    epoch_no: epoch.epoch_no,
    nonce,
    raw: signed.raw,
    max_fee_wei: `${fee.maxFeeWei}`,
    tip_wei: `${fee.tipWei}`,
    max_cost_gwei: gweiOf(maxCostWei),
    sent_at: serviceTime(context.clock()),
    head_number: head.number,
  };
}

/** Rejects with `budget_used_up`. `instead`: what a transaction whose place is taken counts for already. */
async function requireBudget({ context, config }: AnchoringParts, costGwei: number, instead: number): Promise<void> {
  const spent = await context.database.read((reader) => spentSince(reader, dayOf(context.clock())));
  const budget = config.dayBudgetGwei;
  if (spent - instead + costGwei > budget)
    throw new AnchorFault(
      "budget_used_up",
      `anchoring has spent up to ${spent} gwei today, the transaction can cost ${costGwei}, and ` +
        `SVC_ANCHOR_DAY_BUDGET_GWEI is ${budget}`,
    );
}

function feeOf({ max_fee_wei, tip_wei }: TransactionRow): Pick<Fee, "maxFeeWei" | "tipWei"> {
  return { maxFeeWei: BigInt(max_fee_wei), tipWei: BigInt(tip_wei) };
}
