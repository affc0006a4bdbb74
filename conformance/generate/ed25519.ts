/**
 * Level 2: `ed25519.*`. Honest signatures are node's own; crafted ones are made here with the private scalars in hand,
 * and each states whether it holds. The naive verifier of packages/testkit must say the same.
 */
import assert from "node:assert/strict";
import { naiveVerify, ORDER, Point, PRIME, toLittleEndian } from "@svc/testkit/oracles/naive-ed25519";
import { type Draft, hex } from "./draft.ts";
import { Draws } from "./draws.ts";
import { batchDrafts } from "./ed25519-batches.ts";
import { craft, joined, type Signature, sha512, signed, TORSION } from "./ed25519-signatures.ts";

/** Returns all cases of the level. */
export function ed25519Drafts(): Draft[] {
  return [
    ...Object.entries({ ...honest(), ...edited(), ...crafted(), ...encodings(), ...scalars() }).map(single),
    ...batchDrafts(),
  ];
}

function single([slug, one]: readonly [string, Signature]): Draft {
  const { publicKey, message, signature, holds } = one;
  assert.equal(naiveVerify(publicKey, message, signature), holds, slug);
  return {
    name: `ed25519/${slug}`,
    request: { op: "ed25519.verify", public_key: hex(publicKey), message: hex(message), signature: hex(signature) },
    expected: { ok: holds },
  };
}

function honest(): Record<string, Signature> {
  const draws = new Draws("honest messages");
  const lengths = [0, 1, 2, 31, 32, 33, 63, 64, 65, 110, 111, 112, 127, 128, 129, 239, 240, 255, 256, 1000];
  return Object.fromEntries(
    lengths.flatMap((length) =>
      ["a", "b"].map((key) => [`honest-${length}-${key}`, signed(key, draws.bytes(length))] as const),
    ),
  );
}

/** One bit flipped in each byte, other lengths, and other members. */
function edited(): Record<string, Signature> {
  const good = signed("edited", Buffer.from("loan 1005: approved"));
  const { publicKey, message, signature } = good;
  const other = signed("another", message);
  const bad = (changes: Partial<Signature>): Signature => ({ ...good, ...changes, holds: false });
  const draws = new Draws("flipped bits");
  const each = (name: string, of: Uint8Array, change: (flipped: Uint8Array) => Partial<Signature>) =>
    [...of.keys()].map((at) => {
      const flipped = of.map((byte, index) => (index === at ? byte ^ (1 << draws.below(8)) : byte));
      return [`flipped-${name}-${at}`, bad(change(flipped))] as const;
    });
  return {
    ...Object.fromEntries([
      ...each("signature", signature, (flipped) => ({ signature: flipped })),
      ...each("key", publicKey, (flipped) => ({ publicKey: flipped })),
      ...each("message", message, (flipped) => ({ message: flipped })),
      ...[0, 1, 31, 33, 64].map(
        (length) => [`key-${length}-bytes`, bad({ publicKey: resized(publicKey, length) })] as const,
      ),
      ...[0, 1, 32, 63, 65, 96, 128].map(
        (length) => [`signature-${length}-bytes`, bad({ signature: resized(signature, length) })] as const,
      ),
    ]),
    "other-key": bad({ publicKey: other.publicKey }),
    "other-signature": bad({ signature: other.signature }),
    "message-longer": bad({ message: joined(message, Uint8Array.of(0)) }),
    "message-none": bad({ message: new Uint8Array() }),
    "key-and-r-exchanged": bad({
      publicKey: signature.slice(0, 32),
      signature: joined(publicKey, signature.slice(32)),
    }),
    "halves-exchanged": bad({ signature: joined(signature.slice(32), signature.slice(0, 32)) }),
    prehashed: bad({ message: sha512(message) }),
    zeros: bad({ publicKey: new Uint8Array(32), signature: new Uint8Array(64) }),
  };
}

/** Keys and nonces with parts of small order, whose signatures hold by the equation with the cofactor. */
function crafted(): Record<string, Signature> {
  const list: Record<string, Signature> = {};
  for (const [inKey, ofKey] of TORSION.entries())
    for (const [inR, ofR] of TORSION.entries()) {
      if (inKey !== 0 && inR !== 0 && (inKey + inR) % 3 !== 0) continue;
      list[`torsion-${inKey}-in-key-${inR}-in-r`] = craft(`torsion ${inKey} ${inR}`, { ofKey, ofR });
    }
  for (const [times, point] of TORSION.entries()) {
    list[`r-of-small-order-${times}`] = craft(`r ${times}`, { ofR: point, nonce: 0n });
    list[`key-of-small-order-${times}`] = craft(`key ${times}`, { ofKey: point, secret: 0n, holds: false });
    list[`both-of-small-order-${times}`] = craft(`both ${times}`, {
      ofKey: point,
      secret: 0n,
      ofR: TORSION[(times * 3) % 8] ?? Point.ZERO,
      nonce: 0n,
      holds: false,
    });
  }
  return list;
}

/** Encodings that are not canonical, and numbers that are no y of a point. */
function encodings(): Record<string, Signature> {
  const list: Record<string, Signature> = {};
  for (let above = 0n; above < 19n; above++)
    for (const sign of [0n, 1n]) {
      const bytes = toLittleEndian(PRIME + above + sign * 2n ** 255n);
      const slug = `p-plus-${above}${sign === 1n ? "-signed" : ""}`;
      list[`key-${slug}`] = craft(`key ${slug}`, { keyBytes: bytes, secret: 0n, holds: false });
      list[`r-${slug}`] = craft(`r ${slug}`, { rBytes: bytes, nonce: 0n, holds: false });
    }
  for (const [slug, y] of [
    ["one", 1n],
    ["minus-one", PRIME - 1n],
  ] as const) {
    const bytes = toLittleEndian(y + 2n ** 255n);
    list[`key-signed-${slug}`] = craft(`key signed ${slug}`, { keyBytes: bytes, secret: 0n, holds: false });
    list[`r-signed-${slug}`] = craft(`r signed ${slug}`, { rBytes: bytes, nonce: 0n, holds: false });
  }
  for (let y = 2n; y < 14n; y++) {
    const bytes = toLittleEndian(y);
    if (isPoint(bytes)) continue;
    list[`key-no-point-${y}`] = craft(`key ${y}`, { keyBytes: bytes, secret: 0n, holds: false });
    list[`r-no-point-${y}`] = craft(`r ${y}`, { rBytes: bytes, nonce: 0n, holds: false });
  }
  return list;
}

/** S past its bounds, and at them. */
function scalars(): Record<string, Signature> {
  const moved = (label: string, scalar: (s: bigint) => bigint, holds = false) => craft(label, { scalar, holds });
  const fixed = (wanted: bigint) => moved(`s ${wanted}`, () => wanted);
  const list: Record<string, Signature> = {
    "s-plus-l": moved("s plus l", (s) => s + ORDER),
    "s-plus-2-l": moved("s plus 2 l", (s) => s + 2n * ORDER),
    "s-plus-8-l": moved("s plus 8 l", (s) => s + 8n * ORDER),
    "s-plus-15-l": moved("s plus 15 l", (s) => (s + 15n * ORDER) % 2n ** 256n),
    "s-plus-one": moved("s plus one", (s) => (s + 1n) % ORDER),
    "s-negated": moved("s negated", (s) => ORDER - s),
    "s-top-bit": moved("s top bit", (s) => s | (1n << 255n)),
    "s-bit-254": moved("s bit 254", (s) => s | (1n << 254n)),
    "s-bit-253": moved("s bit 253", (s) => s | (1n << 253n)),
    "s-as-made": moved("s as made", (s) => s, true),
    "s-is-l": fixed(ORDER),
    "s-is-l-minus-1": fixed(ORDER - 1n),
    "s-is-l-plus-1": fixed(ORDER + 1n),
    "s-is-2-to-255": fixed(2n ** 255n),
    "s-is-all-ones": fixed(2n ** 256n - 1n),
    "s-is-0": fixed(0n),
    "s-is-1": fixed(1n),
    "s-plus-l-torsion": craft("s plus l torsion", {
      ofR: TORSION[1] ?? Point.ZERO,
      scalar: (s) => s + ORDER,
      holds: false,
    }),
    "s-plus-l-small-r": craft("s plus l small r", { nonce: 0n, scalar: (s) => s + ORDER, holds: false }),
    "s-0-r-neutral": craft("s 0 r neutral", { nonce: 0n, scalar: () => 0n, holds: false }),
    "secret-1": craft("secret 1", { secret: 1n }),
    "secret-l-minus-1": craft("secret l minus 1", { secret: ORDER - 1n }),
    "nonce-0": craft("nonce 0", { nonce: 0n }),
    "nonce-1": craft("nonce 1", { nonce: 1n }),
    "r-is-key": craft("r is key", { secret: 7n, nonce: 7n }),
    "r-is-minus-key": craft("r is minus key", { secret: 7n, nonce: ORDER - 7n }),
  };
  return list;
}

function isPoint(bytes: Uint8Array): boolean {
  try {
    return Point.fromBytes(bytes, true) !== null;
  } catch {
    return false;
  }
}

function resized(of: Uint8Array, length: number): Uint8Array {
  return joined(of, new Uint8Array(128)).slice(0, length);
}
