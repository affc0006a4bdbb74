/** Sends a transaction that is stored. Sending one again is no fault: nodes know it, or have mined it meanwhile. */
import { AnchorFault } from "./anchor-fault.ts";
import type { Chain } from "./chain.ts";
import { POOR, RpcRefusal } from "./rpc-client.ts";

/** The words of nodes for a transaction that they have: geth, erigon, nethermind, besu, anvil. */
const KNOWN = /already known|known transaction|already imported|already exists|nonce too low|alreadyknown/i;
/** Another transaction of the key waits under the same number. */
const TAKEN = /underpriced|replacement/i;

/** Resolves when the node has the transaction. Rejects with AnchorFault. */
export async function broadcast(chain: Chain, { raw, nonce }: { raw: string; nonce: number }): Promise<void> {
  try {
    await chain.send(raw);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    const { said } = error;
    if (KNOWN.test(said)) return;
    if (TAKEN.test(said))
      throw new AnchorFault(
        "nonce_taken",
        `another transaction of the key waits under number ${nonce} (${said}). Does anything else use the key?`,
      );
    if (POOR.test(said)) throw new AnchorFault("balance_too_low", said);
    throw new AnchorFault("transaction_refused", said);
  }
}
