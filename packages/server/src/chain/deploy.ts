/** Makes the contract, which an operator does once, before anything is anchored. */
import { setTimeout as pause } from "node:timers/promises";
import { EVIDENCE_ANCHOR_CREATION } from "@svc/core/evidence-anchor";
import { AnchorFault } from "./anchor-fault.ts";
import { readAnchoringKey } from "./anchoring-key.ts";
import { broadcast } from "./broadcast.ts";
import { gasLimitFor, gweiOf } from "./fees.ts";
import { nodesOf } from "./nodes.ts";
import type { ChainConfig } from "./settings.ts";

/** A contract that was made. */
export interface Deployed {
  readonly network: string;
  /** Lowercase hex with 0x. */
  readonly contract: string;
  /** The address that may write. */
  readonly anchorer: string;
  readonly tx_hash: string;
  readonly block_number: number;
  readonly cost_gwei: number;
}

/** How long a block can take. */
const MAX_WAIT_MS = 600_000;
const LOOK_MS = 250;

/**
 * Makes the contract with the key of the configuration, which is its anchorer then; only the first node is asked.
 * Resolves when it is in a block. Rejects with AnchorFault.
 */
export async function deploy(config: ChainConfig): Promise<Deployed> {
  const [node] = nodesOf(config);
  if (node === undefined) throw new TypeError("no node is configured");
  const { rpc, chain } = node;
  try {
    const key = readAnchoringKey(config.keyFile);
    await chain.requireNetwork();
    const head = await chain.head();
    const creation = { from: key.address, to: null, data: EVIDENCE_ANCHOR_CREATION };
    const transaction = {
      ...creation,
      chainId: config.chainId,
      nonce: await chain.transactionCount(key.address, "latest"),
      gasLimit: gasLimitFor(await chain.gasOf(creation)),
      fee: await chain.fee(head),
    };
    const most = transaction.gasLimit * transaction.fee.maxFeeWei;
    // The node names the fee, and the balance.
    if (gweiOf(most) > config.dayBudgetGwei)
      throw new AnchorFault(
        "budget_used_up",
        `the contract can cost ${gweiOf(most)} gwei, and SVC_ANCHOR_DAY_BUDGET_GWEI is ${config.dayBudgetGwei}: ` +
          `wait for lower fees, or raise it`,
      );
    const balance = await chain.balance(key.address);
    if (balance < most)
      throw new AnchorFault(
        "balance_too_low",
        `${key.address} has ${gweiOf(balance)} gwei, and the contract can cost ${gweiOf(most)}. Send it more.`,
      );
    const { raw, txHash } = key.sign(transaction);
    await broadcast(chain, { raw, nonce: transaction.nonce });
    const deadline = performance.now() + MAX_WAIT_MS;
    for (;;) {
      const receipt = await chain.receipt(txHash);
      if (receipt !== null) {
        const { made, isDone, blockNumber, costWei } = receipt;
        if (!isDone || made === null)
          throw new AnchorFault(
            "transaction_reverted",
            `${txHash} was mined in block ${blockNumber}, and made nothing`,
          );
        await chain.requireContract(made);
        const place = { network: config.network, contract: made, anchorer: key.address };
        return { ...place, tx_hash: txHash, block_number: blockNumber, cost_gwei: gweiOf(costWei) };
      }
      if (performance.now() > deadline)
        throw new AnchorFault(
          "chain_stalled",
          `${txHash} is sent, and not in a block after ten minutes. Look it up there.`,
        );
      await pause(LOOK_MS);
    }
  } finally {
    rpc.close();
  }
}
