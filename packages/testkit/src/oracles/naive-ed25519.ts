/**
 * Ed25519 by the words of protocol section 3 alone, slowly: multiples by doubling and adding, encodings checked as
 * numbers. It shares the field and the addition of points with `@noble/ed25519`, and nothing with a kernel.
 */
import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";

export { Point };

/** The order of the base point, L in RFC 8032. */
export const ORDER = Point.CURVE().n;
/** The prime of the field. */
export const PRIME = Point.CURVE().p;

/**
 * Says whether a signature verifies: A and R are canonical, A is not of small order, S is below L, and [8][S]B = [8]R +
 * [8][k]A.
 */
export function naiveVerify(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
  if (publicKey.length !== 32 || signature.length !== 64) return false;
  const encodedR = signature.subarray(0, 32);
  const s = littleEndian(signature.subarray(32));
  const [a, r] = [canonicalPoint(publicKey), canonicalPoint(encodedR)];
  if (s >= ORDER || a === null || r === null || multiply(a, 8n).equals(Point.ZERO)) return false;
  const digest = createHash("sha512").update(encodedR).update(publicKey).update(message).digest();
  // Every point has an order that divides 8L.
  const k = littleEndian(digest) % (8n * ORDER);
  const right = multiply(r.add(multiply(a, k)), 8n);
  return multiply(multiply(Point.BASE, s), 8n).equals(right);
}

function canonicalPoint(bytes: Uint8Array): Point | null {
  const sign = (bytes[31] ?? 0) >> 7;
  const y = littleEndian(bytes) - (sign === 1 ? 2n ** 255n : 0n);
  if (y >= PRIME) return null;
  try {
    // It takes any encoding; what is not canonical was refused above, or has x = 0 and a sign.
    const point = Point.fromBytes(bytes, true);
    return point.x === 0n && sign === 1 ? null : point;
  } catch {
    return null;
  }
}

/** Multiplies by doubling and adding alone, so that no part of small order is lost. */
export function multiply(point: Point, scalar: bigint): Point {
  let [sum, doubled] = [Point.ZERO, point];
  for (let rest = scalar; rest > 0n; rest >>= 1n, doubled = doubled.double()) if (rest & 1n) sum = sum.add(doubled);
  return sum;
}

/** Returns the number of little-endian bytes. */
export function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).reverse().toString("hex")}`);
}

/** Returns a number as 32 little-endian bytes. */
export function toLittleEndian(number: bigint): Uint8Array {
  return new Uint8Array(Buffer.from(number.toString(16).padStart(64, "0"), "hex").reverse());
}
