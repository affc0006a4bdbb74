/**
 * The key that pays for anchoring. It signs transactions and nothing else, it never leaves this file, and no error
 * repeats any of it.
 */
import { readFileSync } from "node:fs";
import { addr, Transaction } from "micro-eth-signer";
import { AnchorFault } from "./anchor-fault.ts";
import type { Fee } from "./fees.ts";

/** 32 bytes, with or without the prefix that some tools write. */
const KEY = /^(?:0x)?([0-9a-fA-F]{64})\s*$/;

/** A transaction to be signed. */
export interface Unsigned {
  readonly chainId: number;
  readonly nonce: number;
  /** Null for one that makes a contract. */
  readonly to: string | null;
  readonly data: string;
  readonly gasLimit: bigint;
  readonly fee: Fee;
}

/** A signed transaction. */
export interface Signed {
  /** As a node takes it; 0x and hex. */
  readonly raw: string;
  /** 0x and hex. */
  readonly txHash: string;
}

/** A key. */
export interface AnchoringKey {
  /** Lowercase hex with 0x. */
  readonly address: string;
  /** Signs a transaction; the same one gives the same bytes each time (RFC 6979). */
  sign(transaction: Unsigned): Signed;
}

/** Reads a key. Throws AnchorFault with `key_unusable`. */
export function readAnchoringKey(file: string): AnchoringKey {
  const [, hex] = KEY.exec(textOf(file)) ?? [];
  if (hex === undefined || !addr.isValidPrivateKey(hex))
    throw new AnchorFault("key_unusable", "the file in SVC_ANCHOR_KEY_FILE holds no private key of 64 hex characters");
  return {
    address: addr.fromPrivateKey(hex).toLowerCase(),
    sign: (transaction) => {
      const signed = prepared(transaction).signBy(hex, false);
      return { raw: signed.toHex(), txHash: `0x${signed.hash.replace(/^0x/, "")}` };
    },
  };
}

/** Returns the transaction of the newest kind that the chain knows (EIP-1559, or EIP-155 on one without base fees). */
function prepared({ chainId, nonce, to, data, gasLimit, fee }: Unsigned) {
  const { maxFeeWei, tipWei, isLegacy } = fee;
  const common = { chainId: BigInt(chainId), nonce: BigInt(nonce), to: to ?? "0x", value: 0n, data, gasLimit };
  // Not strict: that bounds what people type, and here the budget does.
  return isLegacy
    ? Transaction.prepare({ type: "legacy", ...common, gasPrice: maxFeeWei }, false)
    : Transaction.prepare(
        { type: "eip1559", ...common, maxFeePerGas: maxFeeWei, maxPriorityFeePerGas: tipWei, accessList: [] },
        false,
      );
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new AnchorFault(
      "key_unusable",
      `the file in SVC_ANCHOR_KEY_FILE cannot be read: ${(error as NodeJS.ErrnoException).code}`,
    );
  }
}
