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

/** The lengths of the first members in bytes. Integers follow up to the time, and then what depends on the chain. */
const LENGTHS: readonly number[] = [32, 32, 20, 32, 32, 32, 256];
const STATE_ROOT = 3;
const NUMBER = 8;
const TIMESTAMP = 11;
/** The first chain's headers have fifteen members, and no header has fewer. */
const MIN_MEMBERS = 15;

/**
 * Decodes the RLP of a header; null for other bytes. It gives no trust: the caller must know the hash of the bytes.
 */
export function decodeHeader(bytes: Uint8Array): BlockHeader | null {
  const items = decodeRlpList(bytes) ?? [];
  const isInteger = (index: number) => index >= LENGTHS.length && index <= TIMESTAMP;
  const members = items.map((item, index) => (isInteger(index) ? rlpInteger(item) : rlpBytes(item, LENGTHS[index])));
  const [stateRoot, number, time] = [STATE_ROOT, NUMBER, TIMESTAMP].map((index) => members[index]);
  if (members.length < MIN_MEMBERS || members.includes(null) || !stateRoot || !number || !time) return null;
  const unixSeconds = safeNumber(time);
  return unixSeconds === null ? null : { stateRoot, number: safeNumber(number), unixSeconds };
}
