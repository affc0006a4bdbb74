/**
 * Merkle-Patricia proofs, true and hostile: no proof shows a value that the trie does not hold, and none makes the
 * verifier throw.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeRlp, trie } from "@svc/testkit/evidence/chain";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { lookUp } from "../../src/objects/anchor/trie.ts";

/** Keys that share long beginnings, so that extensions and nodes inside nodes occur. */
const key = fc
  .tuple(
    fc.constantFrom("", "00", "0000", "0f".repeat(10), "ab".repeat(31)),
    fc.uint8Array({ minLength: 32, maxLength: 32 }),
  )
  .map(([start, rest]) => (start + hex(rest)).slice(0, 64));
const value = fc.uint8Array({ minLength: 1, maxLength: 40 });
const entries = fc.uniqueArray(fc.tuple(key, value), { minLength: 1, maxLength: 24, selector: ([one]) => one });

test("every entry of a trie is shown", () => {
  fc.assert(
    fc.property(entries, (all) => {
      const { root, prove } = trie(new Map(all));
      for (const [one, held] of all) {
        assert.deepEqual(lookUp(root, fromHex(one), prove(one)), { ok: true, value: held });
      }
    }),
  );
});

test("a key that the trie lacks is never shown", () => {
  fc.assert(
    fc.property(entries, key, (all, absent) => {
      const map = new Map(all);
      fc.pre(!map.has(absent));
      const { root, prove } = trie(map);
      for (const [one] of all) assert.equal(lookUp(root, fromHex(absent), prove(one)).ok, false);
    }),
  );
});

test("a changed proof shows nothing", () => {
  const change = fc.record({
    kind: fc.constantFrom("flip", "drop", "repeat", "swap", "append"),
    at: fc.nat(),
    bit: fc.nat(),
  });
  fc.assert(
    fc.property(entries, change, (all, { kind, at, bit }) => {
      const { root, prove } = trie(new Map(all));
      const [one] = all[at % all.length] ?? [""];
      const proof = prove(one).map((node) => Uint8Array.from(node));
      const index = at % proof.length;
      const node = proof[index] ?? new Uint8Array();
      if (kind === "flip") node[bit % node.length] = (node[bit % node.length] ?? 0) ^ (1 << (bit % 8));
      if (kind === "drop") proof.splice(index, 1);
      if (kind === "repeat") proof.splice(index, 0, node);
      if (kind === "append") proof.push(node);
      if (kind === "swap") {
        fc.pre(proof.length > 1);
        proof.reverse();
      }
      assert.equal(lookUp(root, fromHex(one), proof).ok, false);
    }),
    { numRuns: runs(1000) },
  );
});

test("arbitrary nodes are answered with a fault", () => {
  const item = fc.oneof(fc.uint8Array({ maxLength: 40 }), fc.constant([]), fc.constant(new Uint8Array(32)));
  const node = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc.array(item, { maxLength: 18 }).map(encodeRlp),
    fc.array(item, { minLength: 17, maxLength: 17 }).map(encodeRlp),
    fc.tuple(fc.uint8Array({ maxLength: 33 }), item).map(encodeRlp),
  );
  fc.assert(
    fc.property(fc.array(node, { maxLength: 6 }), key, (nodes, one) => {
      const found = lookUp(new Uint8Array(32), fromHex(one), nodes);
      assert.equal(found.ok, false);
    }),
    { numRuns: runs(1000) },
  );
});

test("more nodes than a path can have are refused before they are read", () => {
  const found = lookUp(
    new Uint8Array(32),
    new Uint8Array(32),
    Array.from({ length: 65 }, () => new Uint8Array()),
  );
  assert.ok(!found.ok && found.fault.code === "anchor_evidence_invalid" && found.fault.node === 64);
});

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}
