/**
 * The header of a block of an Ethereum-like chain (yellow paper, section 4.3), in the members that an anchor needs.
 * Later forks append members; those read here have kept their places since the first block.
 */
import { decodeRlpList, rlpBytes, rlpInteger, safeNumber } from "./rlp.ts";

/** The members that are read from a header. */
export interface BlockHeader {
  /** 32 bytes. */
  readonly stateRoot: Uint8Array;
  /** Null if it is larger than any block number of the protocol. */
  readonly number: number | null;
  /** Unix seconds. */
  readonly unixSeconds: number;
}

/** The members up to extraData, in order: a length in bytes, or an integer. The later ones depend on the chain. */
const LAYOUT = [32, 32, 20, 32, 32, 32, 256, "int", "int", "int", "int", "int"] as const;
const STATE_ROOT = 3;
const NUMBER = 8;
const TIMESTAMP = 11;
/** The first chain's headers have fifteen members, and no header has fewer. */
const MIN_MEMBERS = 15;

/**
 * Decodes the RLP of a header; null if the bytes are none. It gives no trust: the caller must know the hash of the
 * bytes.
 */
export function decodeHeader(bytes: Uint8Array): BlockHeader | null {
  const items = decodeRlpList(bytes);
  if (items === null || items.length < MIN_MEMBERS || items.some((item) => !("bytes" in item))) return null;
  const isHeader = LAYOUT.every((form, index) =>
    form === "int" ? rlpInteger(items[index]) !== null : rlpBytes(items[index], form) !== null,
  );
  const stateRoot = rlpBytes(items[STATE_ROOT]);
  const number = rlpInteger(items[NUMBER]);
  const time = rlpInteger(items[TIMESTAMP]);
  const unixSeconds = time === null ? null : safeNumber(time);
  if (!isHeader || stateRoot === null || number === null || unixSeconds === null) return null;
  return { stateRoot, number: safeNumber(number), unixSeconds };
}
