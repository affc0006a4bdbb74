/**
 * Every tree of 1 to 300 leaves in every kernel: roots, frontiers, each inclusion, each consistency pair, and each path
 * with every element changed, dropped, or another one inserted. merkle.diff.test.ts mutates smaller trees in more ways.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import * as naive from "@svc/testkit/oracles/naive-merkle";
import { encodeHex } from "../../src/encoding/hex.ts";
import { kernels } from "./kernels.ts";

const MAX_SIZE = 300;
/** The reference is slow: it judges mutated paths only up to this size. */
const MAX_SIZE_FOR_REFERENCE = 96;
const leaves = Array.from({ length: MAX_SIZE }, (_, i) => naive.leafHash(Buffer.from(`leaf ${i}`)));
const other = new Uint8Array(createHash("sha256").update("other").digest());

function joined(hashes: readonly Uint8Array[]): string {
  return hashes.map(encodeHex).join(" ");
}

/** Yields paths that differ from this one in a single place. */
function* mutations(path: readonly Uint8Array[]): Generator<Uint8Array[]> {
  for (const [i, hash] of path.entries()) {
    yield path.with(
      i,
      hash.map((byte, at) => (at === i ? byte ^ 1 : byte)),
    );
    yield path.toSpliced(i, 1);
    yield path.toSpliced(i, 0, other);
  }
  yield [...path, other];
}

test(`roots, frontiers and proofs of all trees of 1 to ${MAX_SIZE} leaves`, () => {
  // The roots of all ranges that begin at 0, by the recursion of RFC 6962 section 2.1.
  const roots = leaves.map((_, last) => naive.mth(leaves.slice(0, last + 1)));
  let refused = 0;
  for (let size = 1; size <= MAX_SIZE; size++) {
    const some = leaves.slice(0, size);
    const root = roots[size - 1] ?? other;
    for (const kernel of kernels) {
      assert.equal(encodeHex(kernel.rootFromLeafHashes(some)), encodeHex(root), `${kernel.name}: size ${size}`);
      const frontier = kernel.appendToFrontier(0, [], some);
      assert.equal(joined(frontier), joined(naive.frontier(some)), `${kernel.name}: size ${size}`);
      assert.equal(encodeHex(kernel.rootFromFrontier(frontier)), encodeHex(root), `${kernel.name}: size ${size}`);
    }
    for (let index = 0; index < size; index++) {
      const leaf = leaves[index] ?? other;
      const [path = [], ...others] = kernels.map((kernel) => kernel.proveInclusion(some, index));
      for (const one of others) assert.equal(joined(one), joined(path), `inclusion of ${index} in ${size}`);
      for (const kernel of kernels) {
        assert.ok(kernel.verifyInclusion(leaf, index, size, path, root), `${kernel.name}: ${index} in ${size}`);
        if (kernel.name === "reference" && size > MAX_SIZE_FOR_REFERENCE) continue;
        for (const mutated of mutations(path)) {
          assert.ok(!kernel.verifyInclusion(leaf, index, size, mutated, root), `${kernel.name}: ${index} in ${size}`);
          refused++;
        }
      }
    }
    for (let from = 1; from <= size; from++) {
      const fromRoot = roots[from - 1] ?? other;
      const [path = [], ...others] = kernels.map((kernel) => kernel.proveConsistency(some, from));
      for (const one of others) assert.equal(joined(one), joined(path), `consistency of ${from} and ${size}`);
      for (const kernel of kernels) {
        const verify = (tried: Uint8Array[]) => kernel.verifyConsistency(from, fromRoot, size, root, tried);
        assert.ok(verify(path), `${kernel.name}: ${from} to ${size}`);
        if (kernel.name === "reference" && size > MAX_SIZE_FOR_REFERENCE) continue;
        for (const mutated of mutations(path)) {
          assert.ok(!verify(mutated), `${kernel.name}: ${from} to ${size}`);
          refused++;
        }
      }
    }
  }
  assert.ok(refused > 1_500_000, `only ${refused} mutations were tried`);
});
