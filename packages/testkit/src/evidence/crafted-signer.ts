/**
 * Signers of keys and signatures that no honest signer makes: with a part of small order, or in encodings that are not
 * canonical. With them, tests and fixtures tell the rule of protocol section 3 from those of other verifiers.
 * Deterministic, and secret to nobody.
 */
import { createHash } from "node:crypto";
import { Point } from "@noble/ed25519";
import { encodeHex, hexToBytes, type PublicKeyHex, type Signer } from "@svc/core";

/** The order of the base point. */
const ORDER = Point.CURVE().n;
/** A point of order 8, as its canonical encoding. */
const OF_ORDER_8 = "c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a";
/** The neutral point: canonical; with y = p + 1; with a sign although x = 0. */
const NEUTRAL = {
  canonical: `01${"00".repeat(31)}`,
  large: `ee${"ff".repeat(30)}7f`,
  signed: `01${"00".repeat(30)}80`,
} as const;

/** The ways to craft, each named for its oddity. */
export type Craft =
  | "torsion-in-key"
  | "torsion-in-r"
  | "r-of-small-order"
  | "r-not-canonical"
  | "s-not-reduced"
  | "key-of-small-order"
  | "key-not-canonical"
  | "key-with-negative-zero";

/**
 * Returns the signer of one craft. Its signatures satisfy the equation of section 3, in spite of their other faults.
 */
export function craftedSigner(craft: Craft): Signer {
  const secret = scalarOf("key");
  const torsion = Point.fromHex(OF_ORDER_8);
  const honestKey = Point.BASE.multiply(secret);
  const keys: Partial<Record<Craft, string>> = {
    "torsion-in-key": honestKey.add(torsion).toHex(),
    "key-of-small-order": NEUTRAL.canonical,
    "key-not-canonical": NEUTRAL.large,
    "key-with-negative-zero": NEUTRAL.signed,
  };
  const publicKeyHex = (keys[craft] ?? honestKey.toHex()) as PublicKeyHex;
  const isNeutralKey = craft.startsWith("key-");
  return {
    publicKeyHex,
    sign(message) {
      // Until k is no multiple of 8: otherwise the key's torsion vanishes from the product.
      for (let attempt = 0; ; attempt++) {
        const nonce = craft === "r-of-small-order" || craft === "r-not-canonical" ? 0n : scalarOf(`nonce ${attempt}`);
        const honestR = nonce === 0n ? Point.ZERO : Point.BASE.multiply(nonce);
        const rs: Partial<Record<Craft, string>> = {
          "torsion-in-r": honestR.add(torsion).toHex(),
          "r-not-canonical": NEUTRAL.large,
        };
        const r = rs[craft] ?? honestR.toHex();
        const digest = createHash("sha512").update(r, "hex").update(publicKeyHex, "hex").update(message).digest();
        const k = littleEndian(digest) % ORDER;
        if (craft === "torsion-in-key" && k % 8n === 0n) continue;
        const s = (nonce + (isNeutralKey ? 0n : k * secret)) % ORDER;
        return hexToBytes((r + toLittleEndian(craft === "s-not-reduced" ? s + ORDER : s)) as PublicKeyHex);
      }
    },
  };
}

function scalarOf(label: string): bigint {
  return littleEndian(createHash("sha512").update(`svc crafted ${label}`).digest()) % ORDER;
}

function littleEndian(bytes: Uint8Array): bigint {
  return BigInt(`0x${encodeHex(bytes.toReversed())}`);
}

function toLittleEndian(scalar: bigint): string {
  return encodeHex(Uint8Array.from(Buffer.from(scalar.toString(16).padStart(64, "0"), "hex").reverse()));
}
