/**
 * Ed25519 verification by protocol section 3, on the curve arithmetic of `@noble/ed25519`, whose own `verify` has other
 * rules. It checks each signature alone: there is no batch equation here. It does NOT sign, and it is not
 * constant-time, since all input is public.
 */

import { Point } from "@noble/ed25519";
import { sha512 } from "@noble/hashes/sha2.js";
import { encodeHex, hexToBytes } from "../../encoding/hex.ts";
import type { SignatureItem } from "../kernel.ts";

/** The order of the base point, L in RFC 8032. */
const ORDER = Point.CURVE().n;
/** From so many signatures by one key on, a table of its multiples pays for itself. */
const TABLE_FROM = 4;

/**
 * Checks each signature by protocol section 3: canonical encodings of A and R, S below L, A not of small order, and the
 * cofactored equation [8][S]B = [8]R + [8][k]A. R may be of small order. Returns verdicts in the order of the items;
 * false for a wrong length. Never throws because of the bytes.
 */
export function verifyEd25519(items: readonly SignatureItem[]): boolean[] {
  const verdicts = items.map(() => false);
  // Key by key, so that at most one table of multiples exists at a time.
  for (const [keyHex, indexes] of groupByKey(items)) {
    const a = decodePoint(hexToBytes(keyHex));
    if (a === null || a.isSmallOrder()) continue;
    const multiplyNegated = multiplier(a.negate(), indexes.length);
    for (const index of indexes) {
      const item = items[index];
      if (item !== undefined) verdicts[index] = verifyOne(item, multiplyNegated);
    }
  }
  return verdicts;
}

function verifyOne({ publicKey, message, signature }: SignatureItem, multiplyNegated: (k: bigint) => Point): boolean {
  if (signature.length !== 64) return false;
  const s = littleEndian(signature.subarray(32));
  if (s >= ORDER) return false;
  const encodedR = signature.subarray(0, 32);
  const r = decodePoint(encodedR);
  if (r === null) return false;
  const k = littleEndian(sha512.create().update(encodedR).update(publicKey).update(message).digest()) % ORDER;
  // Reducing k is right although A may have a torsion part: the cofactor removes that part on both sides.
  return Point.BASE.multiplyUnsafe(s).add(multiplyNegated(k)).subtract(r).isSmallOrder();
}

/**
 * Returns the indexes of the items of each key, in hex. Items whose key has another length than 32 bytes are left out.
 */
function groupByKey(items: readonly SignatureItem[]): Map<string, number[]> {
  const groups = new Map<string, number[]>();
  for (const [index, { publicKey }] of items.entries()) {
    if (publicKey.length !== 32) continue;
    const hex = encodeHex(publicKey);
    const group = groups.get(hex);
    if (group === undefined) groups.set(hex, [index]);
    else group.push(index);
  }
  return groups;
}

/**
 * Returns the point with this encoding of 32 bytes; null if no point has it, or if the encoding is not canonical.
 */
function decodePoint(bytes: Uint8Array): Point | null {
  try {
    return Point.fromBytes(bytes); // strict: y below p, and no sign bit where x = 0
  } catch {
    return null;
  }
}

/** Returns a function from k, 0 .. L-1, to [k]point; with a table of multiples if it will be called often. */
function multiplier(point: Point, calls: number): (k: bigint) => Point {
  if (calls < TABLE_FROM) return (k) => point.multiplyUnsafe(k);
  // rows[i][d] = [d * 16^i]point, so that a scalar of 64 hex digits costs at most 64 additions.
  const rows: Point[][] = [];
  for (let i = 0, base = point; i < 64; i++) {
    const row = [Point.ZERO];
    for (let digit = 1, multiple = base; digit <= 16; digit++) {
      row.push(multiple);
      multiple = multiple.add(base);
    }
    base = row[16] ?? base;
    rows.push(row);
  }
  return (k) => {
    let sum = Point.ZERO;
    for (let i = 0, rest = k; rest > 0n; i++, rest >>= 4n) {
      const digit = Number(rest & 15n);
      const multiple = rows[i]?.[digit];
      if (digit !== 0 && multiple !== undefined) sum = sum.add(multiple);
    }
    return sum;
  };
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(bytes.toReversed())}`);
}
