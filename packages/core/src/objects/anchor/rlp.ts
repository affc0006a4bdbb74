/**
 * Recursive Length Prefix, decoded strictly (Ethereum yellow paper, appendix B): every value has one encoding, so the
 * bytes under a hash can be read in one way only. Work and memory are in proportion to the bytes.
 */

/** Lists may nest so deep. Trie nodes inside nodes are shorter than 32 bytes, so real ones stay far below. */
export const MAX_RLP_DEPTH = 16;

/** A byte string or a list, and the length of its whole encoding in bytes. */
export type RlpItem = ({ readonly bytes: Uint8Array } | { readonly items: readonly RlpItem[] }) & {
  readonly encodedLength: number;
};

/** Returns the one item that the bytes encode; null if they are not its only encoding, or if more bytes follow. */
export function decodeRlp(bytes: Uint8Array): RlpItem | null {
  const item = readItem(bytes, MAX_RLP_DEPTH);
  return item?.encodedLength === bytes.length ? item : null;
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
export function rlpBytes(item: RlpItem | null | undefined, length?: number): Uint8Array | null {
  if (item == null || !("bytes" in item)) return null;
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

/** Returns the first item in the bytes. */
function readItem(bytes: Uint8Array, depth: number): RlpItem | null {
  const [prefix] = bytes;
  if (prefix === undefined) return null;
  if (prefix < 0x80) return { bytes: bytes.subarray(0, 1), encodedLength: 1 };
  const isList = prefix >= 0xc0;
  const content = contentIn(bytes, prefix - (isList ? 0xc0 : 0x80));
  if (content === null) return null;
  const encodedLength = content.byteOffset + content.length - bytes.byteOffset;
  if (isList) {
    const items = depth === 0 ? null : readItems(content, depth - 1);
    return items && { items, encodedLength };
  }
  // A single byte below 0x80 stands for itself.
  return content.length === 1 && (content[0] as number) < 0x80 ? null : { bytes: content, encodedLength };
}

function readItems(content: Uint8Array, depth: number): RlpItem[] | null {
  const items: RlpItem[] = [];
  for (let rest = content; rest.length > 0; ) {
    const item = readItem(rest, depth);
    if (item === null) return null;
    items.push(item);
    rest = rest.subarray(item.encodedLength);
  }
  return items;
}

/**
 * Returns the content of the first item. `length` is the number in its prefix: up to 55 the length itself, from 56 the
 * length of the length.
 */
function contentIn(bytes: Uint8Array, length: number): Uint8Array | null {
  const isLong = length > 55;
  const from = isLong ? 1 + length - 55 : 1;
  const long = isLong ? safeNumber(bytes.subarray(1, from)) : length;
  if (long === null || (isLong && (bytes[1] === 0 || long <= 55))) return null;
  const content = bytes.subarray(from, from + long);
  return content.length === long ? content : null;
}
