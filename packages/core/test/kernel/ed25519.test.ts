/** Signature checks: lengths, order, and signatures that node:crypto made honestly. */

import assert from "node:assert/strict";
import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { test } from "node:test";
import type { SignatureItem } from "../../src/kernel/kernel.ts";
import { kernels } from "./kernels.ts";

function rawPublicKey(key: KeyObject): Uint8Array {
  return new Uint8Array(key.export({ format: "der", type: "spki" }).subarray(-32));
}

function signedItems(count: number, pair = generateKeyPairSync("ed25519")): SignatureItem[] {
  return Array.from({ length: count }, (_, i) => {
    const message = new Uint8Array(i * 7).fill(i);
    const signature = new Uint8Array(sign(null, message, pair.privateKey));
    return { publicKey: rawPublicKey(pair.publicKey), message, signature };
  });
}

function flip(bytes: Uint8Array, bit: number): Uint8Array {
  return bytes.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}

for (const kernel of kernels) {
  test(`${kernel.name}: no items, no verdicts`, () => {
    assert.deepEqual(kernel.verifyEd25519([]), []);
  });

  test(`${kernel.name}: accepts what node:crypto signs, few and many by one key`, () => {
    const items = [signedItems(1), signedItems(3), signedItems(9), signedItems(2)].flat();
    assert.deepEqual(
      kernel.verifyEd25519(items),
      items.map(() => true),
    );
  });

  test(`${kernel.name}: finds the bad ones among good ones, in order`, () => {
    const items = [...signedItems(6), ...signedItems(6)].map((item, i) => {
      if (i % 4 === 1) return { ...item, message: Uint8Array.of(...item.message, 0) };
      if (i % 4 === 2) return { ...item, signature: flip(item.signature, i * 40) };
      if (i % 4 === 3) return { ...item, publicKey: flip(item.publicKey, i * 20) };
      return item;
    });
    const expected = items.map((_, i) => i % 4 === 0);
    assert.deepEqual(kernel.verifyEd25519(items), expected);
    assert.deepEqual(
      items.map((item) => kernel.verifyEd25519([item])[0]),
      expected,
    );
  });

  test(`${kernel.name}: members of a wrong length do not verify`, () => {
    const [item] = signedItems(1);
    assert.ok(item);
    const { publicKey, signature } = item;
    const wrong: SignatureItem[] = [
      { ...item, publicKey: new Uint8Array() },
      { ...item, publicKey: publicKey.slice(1) },
      { ...item, publicKey: Uint8Array.of(...publicKey, 0) },
      { ...item, signature: new Uint8Array() },
      { ...item, signature: signature.slice(0, 32) },
      { ...item, signature: signature.slice(0, 63) },
      { ...item, signature: Uint8Array.of(...signature, 0) },
    ];
    assert.deepEqual(kernel.verifyEd25519([item, ...wrong, item]), [true, ...wrong.map(() => false), true]);
  });
}
