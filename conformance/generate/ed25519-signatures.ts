/**
 * Signatures, honest ones by node and crafted ones with the private scalars in hand. Each states whether it holds by
 * protocol section 3.
 */
import { createHash } from "node:crypto";
import { testSigner } from "@svc/testkit/evidence/signer";
import { littleEndian, multiply, ORDER, Point, toLittleEndian } from "@svc/testkit/oracles/naive-ed25519";
import { Draws } from "./draws.ts";

/** One signature to check, and whether it verifies. */
export interface Signature {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
  readonly holds: boolean;
}

/** The points of small order: multiples of one of order 8. */
const OF_ORDER_8 = Point.fromHex("c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a");
export const TORSION = Array.from({ length: 8 }, (_, times) => multiply(OF_ORDER_8, BigInt(times)));

/** Returns an honest signature by the key of a label. */
export function signed(label: string, message: Uint8Array): Signature {
  const { publicKeyHex, sign } = testSigner(`kit ${label}`);
  const signature = sign(message) as Uint8Array;
  return { publicKey: bytes(publicKeyHex), message, signature, holds: true };
}

/** The parts of a crafted signature that are not the honest ones. */
export interface Craft {
  readonly ofKey?: Point;
  readonly ofR?: Point;
  readonly secret?: bigint;
  readonly nonce?: bigint;
  /** Other bytes in the place of the canonical encodings. */
  readonly keyBytes?: Uint8Array;
  readonly rBytes?: Uint8Array;
  /** Changes the scalar. */
  readonly scalar?: (s: bigint) => bigint;
  readonly holds?: boolean;
}

/** Returns a signature that satisfies the equation with the cofactor, up to what the craft changes. */
export function craft(label: string, options: Craft): Signature {
  const { ofKey = Point.ZERO, ofR = Point.ZERO, scalar = (s: bigint) => s, holds = true } = options;
  const { secret = scalarOf(`${label} secret`), nonce = scalarOf(`${label} nonce`) } = options;
  const publicKey = options.keyBytes ?? multiply(Point.BASE, secret).add(ofKey).toBytes();
  const r = options.rBytes ?? multiply(Point.BASE, nonce).add(ofR).toBytes();
  const message = Buffer.from(label);
  const k = littleEndian(sha512(r, publicKey, message)) % ORDER;
  const s = scalar((nonce + k * secret) % ORDER);
  return { publicKey, message, signature: joined(r, toLittleEndian(s)), holds };
}

/** Returns a crafted signature for a batch: it holds, and a verifier without the cofactor refuses it. */
export function withTorsion(label: string, times: number): Signature {
  return craft(label, { ofR: TORSION[times % 8] ?? Point.ZERO });
}

/** Returns a signature whose scalar is off by `by`. */
export function offBy(label: string, by: bigint): Signature {
  return craft(label, { scalar: (s) => (s + by + ORDER) % ORDER, holds: false });
}

/** Returns a signature with S + L. */
export function notReduced(label: string): Signature {
  return craft(label, { scalar: (s) => s + ORDER, holds: false });
}

/** Returns a signature by the neutral point as key. */
export function byNeutral(label: string): Signature {
  return craft(label, { secret: 0n, holds: false });
}

function scalarOf(label: string): bigint {
  return new Draws(`scalar ${label}`).bigBelow(ORDER - 1n) + 1n;
}

/** Returns SHA-512 over byte strings, one behind the other. */
export function sha512(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash("sha512");
  for (const part of parts) hash.update(part);
  return new Uint8Array(hash.digest());
}

/** Returns byte strings, one behind the other. */
export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function bytes(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}
