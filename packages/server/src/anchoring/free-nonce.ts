/**
 * The number of the next transaction of a key: the lowest that neither the chain nor an epoch on its way has used. A
 * gap among those would hold up all behind it.
 */
import type { AnchoringRow } from "./anchorings-store.ts";

/**
 * Returns the number for an epoch. `inFlight`: all that is on its way; `count`: the key's transactions in the chain.
 */
export function freeNonce(
  inFlight: readonly AnchoringRow[],
  { epoch_no, sender }: Pick<AnchoringRow, "epoch_no" | "sender">,
  count: number,
): number {
  const used = new Set(
    inFlight.flatMap((other) => (other.sender === sender && other.epoch_no !== epoch_no ? [other.nonce] : [])),
  );
  let nonce = count;
  while (used.has(nonce)) nonce++;
  return nonce;
}
