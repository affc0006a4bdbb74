/**
 * The trees against a naive transcription of RFC 6962 and RFC 9162: every inclusion and consistency pair of sizes 1 ..
 * 64, each path also in every mutation, and paths at sizes up to 2^53-1, whose trees cannot be built.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import * as naive from "@svc/testkit/oracles/naive-merkle";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { encodeHex } from "../../src/encoding/hex.ts";
import { kernels } from "./kernels.ts";

const MAX_SIZE = 64;
const data = Array.from({ length: MAX_SIZE }, (_, i) => filler(`leaf ${i}`));
const leaves = data.map(naive.leafHash);
const extra = filler("extra");
const roots = leaves.map((_, i) => naive.mth(leaves.slice(0, i + 1)));

function filler(text: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(text).digest());
}

function flipBit(hash: Uint8Array, bit: number): Uint8Array {
  return hash.map((byte, i) => (i === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte));
}

function hex(hashes: readonly Uint8Array[]): string[] {
  return hashes.map(encodeHex);
}

/**
 * Yields a path with an element changed, dropped, repeated, added or swapped with the next, or with bytes moved between
 * elements.
 */
function* mutations(path: readonly Uint8Array[]): Generator<[string, Uint8Array[]]> {
  for (const [i, hash] of path.entries()) {
    yield [`bit of ${i} flipped`, path.with(i, flipBit(hash, (i * 37) % 256))];
    yield [`${i} dropped`, path.toSpliced(i, 1)];
    yield [`${i} repeated`, path.toSpliced(i, 0, hash)];
    yield [`${i} cut`, path.with(i, hash.slice(0, 31))];
    yield [`${i} extended`, path.with(i, Uint8Array.of(...hash, 0))];
    const next = path[i + 1];
    if (next !== undefined) yield [`${i} swapped`, path.with(i, next).with(i + 1, hash)];
  }
  for (let i = 0; i <= path.length; i++) yield [`added at ${i}`, path.toSpliced(i, 0, filler("added"))];
}

for (const kernel of kernels) {
  test(`${kernel.name}: leaf hashes, roots and frontiers of sizes 1 to ${MAX_SIZE}`, () => {
    assert.deepEqual(hex(data.map(kernel.leafHash)), hex(leaves));
    for (let size = 1; size <= MAX_SIZE; size++) {
      const some = leaves.slice(0, size);
      assert.equal(encodeHex(kernel.rootFromLeafHashes(some)), encodeHex(naive.mth(some)), `size ${size}`);
      assert.deepEqual(hex(kernel.appendToFrontier(0, [], some)), hex(naive.frontier(some)), `size ${size}`);
      assert.equal(
        encodeHex(kernel.rootFromFrontier(naive.frontier(some))),
        encodeHex(naive.mth(some)),
        `size ${size}`,
      );
    }
  });

  test(`${kernel.name}: frontiers grow from every size to every size up to ${MAX_SIZE}`, () => {
    const frontiers = Array.from({ length: MAX_SIZE + 1 }, (_, size) => naive.frontier(leaves.slice(0, size)));
    for (const [from, start] of frontiers.entries()) {
      for (const [to, end] of frontiers.entries()) {
        if (to < from) continue;
        const grown = kernel.appendToFrontier(from, start, leaves.slice(from, to));
        assert.deepEqual(hex(grown), hex(end), `${from} to ${to}`);
      }
    }
  });

  test(`${kernel.name}: every inclusion of sizes 1 to ${MAX_SIZE}, and no mutation of it`, () => {
    for (const [last, root] of roots.entries()) {
      const size = last + 1;
      const some = leaves.slice(0, size);
      for (const [index, leaf] of some.entries()) {
        const about = `leaf ${index} of ${size}`;
        const path = kernel.proveInclusion(some, index);
        assert.deepEqual(hex(path), hex(naive.path(index, some)), about);
        assert.equal(kernel.verifyInclusion(leaf, index, size, path, root), true, about);
        for (const [what, mutated] of mutations(path)) {
          assert.equal(kernel.verifyInclusion(leaf, index, size, mutated, root), false, `${about}: ${what}`);
        }
        // A longer path does not become right by a root that fits it.
        for (const longer of [naive.nodeHash(extra, root), naive.nodeHash(root, extra)]) {
          const verdict = kernel.verifyInclusion(leaf, index, size, [...path, extra], longer);
          assert.equal(verdict, false, `${about}: extended with its root`);
        }
        assert.equal(kernel.verifyInclusion(flipBit(leaf, size), index, size, path, root), false, `${about}: leaf`);
        assert.equal(kernel.verifyInclusion(leaf, index, size, path, flipBit(root, size)), false, `${about}: root`);
        for (let other = 0; other <= size; other++) {
          if (other === index) continue;
          assert.equal(kernel.verifyInclusion(leaf, other, size, path, root), false, `${about}: as leaf ${other}`);
        }
        // A path says nothing of the size beyond its own length, so only sizes that demand another length must be
        // refused.
        for (let other = index + 1; other <= MAX_SIZE; other++) {
          if (naive.pathLength(BigInt(index), BigInt(other)) === path.length) continue;
          assert.equal(kernel.verifyInclusion(leaf, index, other, path, root), false, `${about}: as of ${other}`);
        }
      }
    }
  });

  test(`${kernel.name}: every consistency of sizes 1 to ${MAX_SIZE}, and no mutation of it`, () => {
    for (const [last, root] of roots.entries()) {
      const size = last + 1;
      const some = leaves.slice(0, size);
      for (const [fromLast, fromRoot] of roots.slice(0, size).entries()) {
        const from = fromLast + 1;
        const about = `${from} to ${size}`;
        const path = kernel.proveConsistency(some, from);
        assert.deepEqual(hex(path), hex(naive.proof(from, some)), about);
        assert.equal(kernel.verifyConsistency(from, fromRoot, size, root, path), true, about);
        for (const [what, mutated] of mutations(path)) {
          assert.equal(kernel.verifyConsistency(from, fromRoot, size, root, mutated), false, `${about}: ${what}`);
        }
        for (const side of [0, 1]) {
          const above = (hash: Uint8Array) => (side === 0 ? naive.nodeHash(extra, hash) : naive.nodeHash(hash, extra));
          for (const oldRoot of [fromRoot, above(fromRoot)]) {
            const verdict = kernel.verifyConsistency(from, oldRoot, size, above(root), [...path, extra]);
            assert.equal(verdict, false, `${about}: extended with its roots`);
          }
        }
        const wrongFrom = flipBit(fromRoot, size);
        assert.equal(kernel.verifyConsistency(from, wrongFrom, size, root, path), false, `${about}: from root`);
        const wrongTo = flipBit(root, size);
        assert.equal(kernel.verifyConsistency(from, fromRoot, size, wrongTo, path), false, `${about}: to root`);
        for (let other = from; other <= MAX_SIZE; other++) {
          if (naive.proofLength(BigInt(from), BigInt(other)) === path.length) continue;
          const verdict = kernel.verifyConsistency(from, fromRoot, other, root, path);
          assert.equal(verdict, false, `${about}: as to ${other}`);
        }
        if (from === size) continue;
        assert.equal(kernel.verifyConsistency(size, root, from, fromRoot, path), false, `${about}: backwards`);
        assert.equal(kernel.verifyConsistency(from, root, size, fromRoot, path), false, `${about}: roots swapped`);
      }
    }
  });

  const sizes = fc.oneof(
    fc.maxSafeNat(),
    fc.integer({ min: 0, max: 53 }).chain((bit) => fc.integer({ min: -2, max: 2 }).map((by) => 2 ** bit + by)),
  );
  const pairs = fc.tuple(sizes, sizes).filter(([a, b]) => a >= 0 && b >= 0 && a !== b && Math.max(a, b) < 2 ** 53);

  test(`${kernel.name}: inclusion at sizes up to 2^53-1`, () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const [index, size] = [Math.min(a, b), Math.max(a, b)];
        const length = naive.pathLength(BigInt(index), BigInt(size));
        const path = Array.from({ length }, (_, i) => filler(`sibling ${i}`));
        const leaf = filler("leaf");
        const root = naive.rootFromPath(leaf, BigInt(index), BigInt(size), path);
        assert.equal(kernel.verifyInclusion(leaf, index, size, path, root), true);
        assert.equal(kernel.verifyInclusion(leaf, index, size, [...path, leaf], root), false);
        assert.equal(kernel.verifyInclusion(leaf, index, size, path.slice(1), root), path.length === 0);
        if (index > 0) assert.equal(kernel.verifyInclusion(leaf, index - 1, size, path, root), false);
      }),
      { numRuns: runs(2000) },
    );
  });

  test(`${kernel.name}: consistency at sizes up to 2^53-1`, () => {
    fc.assert(
      fc.property(pairs, ([a, b]) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)];
        if (from === 0) return;
        const length = naive.proofLength(BigInt(from), BigInt(to));
        const path = Array.from({ length }, (_, i) => filler(`node ${i}`));
        const [fromRoot, toRoot] = naive.rootsFromProof(BigInt(from), BigInt(to), path, filler("old root"));
        assert.equal(kernel.verifyConsistency(from, fromRoot, to, toRoot, path), true);
        assert.equal(kernel.verifyConsistency(from, fromRoot, to, toRoot, [...path, fromRoot]), false);
        assert.equal(kernel.verifyConsistency(from, fromRoot, to, toRoot, path.slice(1)), false);
      }),
      { numRuns: runs(2000) },
    );
  });

  test(`${kernel.name}: a frontier grows to the largest tree, which has 2^53-1 leaves, and no further`, () => {
    const size = Number.MAX_SAFE_INTEGER - 1;
    const frontier = Array.from({ length: 52 }, (_, i) => filler(`subtree ${i}`));
    const leaf = filler("leaf");
    const grown = kernel.appendToFrontier(size, frontier, [leaf]);
    assert.deepEqual(hex(grown), hex([...frontier, leaf]));
    const root = kernel.rootFromFrontier(grown);
    assert.equal(kernel.verifyInclusion(leaf, size, size + 1, frontier.toReversed(), root), true);
    const path = [...frontier.slice(51), leaf, ...frontier.slice(0, 51).toReversed()];
    assert.equal(kernel.verifyConsistency(size, kernel.rootFromFrontier(frontier), size + 1, root, path), true);
    assert.throws(() => kernel.appendToFrontier(size + 1, grown, [leaf]), RangeError);
  });
}

for (const kernel of kernels)
  test(`${kernel.name}: node hashes of many pairs are those of each`, () => {
    const pairs = leaves.map((leaf, at) => Buffer.concat([leaf, leaves[(at + 1) % leaves.length] ?? leaf]));
    const naively = pairs.map((pair) => createHash("sha256").update(Buffer.of(1)).update(pair).digest("hex"));
    assert.deepEqual(hex(kernel.nodeHashes(pairs)), naively);
    assert.deepEqual(kernel.nodeHashes([]), []);
  });
