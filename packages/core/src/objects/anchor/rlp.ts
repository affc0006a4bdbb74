/**
 * Recursive Length Prefix, decoded strictly (Ethereum yellow paper, appendix B): every value has one encoding, so the
 * bytes under a hash can be read in one way only. Work and memory are in proportion to the bytes.
 */

/** Lists may nest so deep. Trie nodes inside nodes are shorter than 32 bytes, so real ones stay far below. */
const MAX_RLP_DEPTH = 16;

/** A byte string, or a list and the length of its whole encoding in bytes. */
export type RlpItem =
  | { readonly bytes: Uint8Array }
  | { readonly items: readonly RlpItem[]; readonly encodedLength: number };

/** Returns the one item that the bytes encode; null if they are not its only encoding, or if more bytes follow. */
export function decodeRlp(bytes: Uint8Array): RlpItem | null {
  const read = readItem(bytes, 0, bytes.length, MAX_RLP_DEPTH);
  return read !== null && read.end === bytes.length ? read.item : null;
}

/** Returns the list that the bytes encode, or null if they encode none. */
export function decodeRlpList(bytes: Uint8Array): readonly RlpItem[] | null {
  const item = decodeRlp(bytes);
  return item !== null && "items" in item ? item.items : null;
}

/**
 * Returns the bytes of an item, exactly `length` of them if a length is given; null for a list, a missing item and any
 * other length.
 */
export function rlpBytes(item: RlpItem | undefined, length?: number): Uint8Array | null {
  if (item === undefined || !("bytes" in item)) return null;
  return length === undefined || item.bytes.length === length ? item.bytes : null;
}

/** Returns an unsigned integer of at most 32 bytes without leading zeros, as its bytes; null for anything else. */
export function rlpInteger(item: RlpItem | undefined): Uint8Array | null {
  const bytes = rlpBytes(item);
  return bytes !== null && bytes.length <= 32 && bytes[0] !== 0 ? bytes : null;
}

/** Returns big-endian bytes as a number, or null if a double could not carry it exactly. */
export function safeNumber(bytes: Uint8Array): number | null {
  let value = 0;
  for (const byte of bytes) {
    value = value * 256 + byte;
    if (!Number.isSafeInteger(value)) return null;
  }
  return value;
}

interface Read {
  readonly item: RlpItem;
  readonly end: number;
}

function readItem(bytes: Uint8Array, start: number, limit: number, depth: number): Read | null {
  const prefix = bytes[start];
  if (prefix === undefined) return null;
  if (prefix < 0x80) return { item: { bytes: bytes.subarray(start, start + 1) }, end: start + 1 };
  const isList = prefix >= 0xc0;
  const content = contentAt(bytes, start, limit, prefix - (isList ? 0xc0 : 0x80));
  if (content === null) return null;
  const { from, to } = content;
  if (isList) {
    const items = depth === 0 ? null : readItems(bytes, from, to, depth - 1);
    return items === null ? null : { item: { items, encodedLength: to - start }, end: to };
  }
  // A single byte below 0x80 stands for itself.
  if (to - from === 1 && (bytes[from] ?? 0) < 0x80) return null;
  return { item: { bytes: bytes.subarray(from, to) }, end: to };
}

function readItems(bytes: Uint8Array, from: number, to: number, depth: number): RlpItem[] | null {
  const items: RlpItem[] = [];
  for (let at = from; at < to; ) {
    const read = readItem(bytes, at, to, depth);
    if (read === null) return null;
    items.push(read.item);
    at = read.end;
  }
  return items;
}

/**
 * Returns where the content of an item lies. `length` is the number in its prefix: up to 55 the length itself, from 56
 * the length of the length.
 */
function contentAt(
  bytes: Uint8Array,
  start: number,
  limit: number,
  length: number,
): { readonly from: number; readonly to: number } | null {
  if (length <= 55) return start + 1 + length <= limit ? { from: start + 1, to: start + 1 + length } : null;
  const from = start + 1 + length - 55;
  if (bytes[start + 1] === 0) return null;
  const long = safeNumber(bytes.subarray(start + 1, from));
  if (long === null || long <= 55 || long > limit - from) return null;
  return { from, to: from + long };
}
