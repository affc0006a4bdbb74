/**
 * The state of an anchor, read from its members that are null (protocol section 12): only published in the log, sent to
 * a chain, or mined there. Nulls that fit none of the three are evidence that contradicts itself.
 */
import type { Anchor, AnchorEvidence } from "./schema.ts";

/** An anchor with all of its members about the chain. */
export interface MinedAnchor extends Anchor {
  readonly network: string;
  readonly contract: string;
  readonly tx_hash: string;
  readonly block_number: number;
  readonly block_hash: string;
  readonly evidence: AnchorEvidence;
}

export type AnchorState = "published" | "pending" | "mined";

const SENT = ["network", "contract", "tx_hash"] as const;
const MINED = ["block_number", "block_hash", "evidence"] as const;

/** Returns the state of an anchor, or the first member whose null, or whose value, fits no state. */
export function anchorState(
  anchor: Anchor,
): { readonly state: AnchorState } | { readonly misfit: (typeof SENT | typeof MINED)[number] } {
  const isSent = SENT.some((name) => anchor[name] !== null);
  const isMined = MINED.some((name) => anchor[name] !== null);
  const misfit =
    (isSent || isMined ? SENT.find((name) => anchor[name] === null) : undefined) ??
    (isMined ? MINED.find((name) => anchor[name] === null) : undefined);
  if (misfit !== undefined) return { misfit };
  return { state: isMined ? "mined" : isSent ? "pending" : "published" };
}

/** Says whether an anchor is mined: no member of it is null. */
export function isMined(anchor: Anchor): anchor is MinedAnchor {
  return [...SENT, ...MINED].every((name) => anchor[name] !== null);
}
