/**
 * The trees with arguments that are no sizes, indexes or hashes: `verify` functions return false, the others throw
 * RangeError.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { kernels } from "./kernels.ts";

const NO_SIZES = [-1, 0.5, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2 ** 53, 2 ** 64];

for (const kernel of kernels) {
  const leaves = [0, 1, 2, 3, 4].map((i) => kernel.leafHash(Uint8Array.of(i)));
  const [leaf = new Uint8Array()] = leaves;
  const root = kernel.rootFromLeafHashes(leaves);
  const short = leaf.slice(1);

  test(`${kernel.name}: no proof verifies at what is no size or index`, () => {
    assert.equal(kernel.verifyInclusion(leaf, 0, 1, [], leaf), true);
    for (const no of NO_SIZES) {
      assert.equal(kernel.verifyInclusion(leaf, no, 1, [], leaf), false, `index ${no}`);
      assert.equal(kernel.verifyInclusion(leaf, 0, no, [], leaf), false, `size ${no}`);
      assert.equal(kernel.verifyInclusion(leaf, no, no, [], leaf), false, `both ${no}`);
      assert.equal(kernel.verifyConsistency(no, leaf, 5, root, []), false, `from ${no}`);
      assert.equal(kernel.verifyConsistency(1, leaf, no, root, []), false, `to ${no}`);
      assert.equal(kernel.verifyConsistency(no, leaf, no, leaf, []), false, `both ${no}`);
    }
    assert.equal(kernel.verifyInclusion(leaf, 0, 0, [], leaf), false);
    assert.equal(kernel.verifyInclusion(leaf, 1, 1, [], leaf), false);
    assert.equal(kernel.verifyConsistency(0, leaf, 0, leaf, []), false);
    assert.equal(kernel.verifyConsistency(0, leaf, 5, root, []), false);
    assert.equal(kernel.verifyConsistency(5, root, 4, root, []), false);
  });

  test(`${kernel.name}: equal sizes are consistent with equal roots and an empty path only`, () => {
    assert.equal(kernel.verifyConsistency(5, root, 5, root, []), true);
    assert.equal(kernel.verifyConsistency(4, root, 4, root, []), true);
    assert.equal(kernel.verifyConsistency(5, root, 5, leaf, []), false);
    assert.equal(kernel.verifyConsistency(5, root, 5, root, [root]), false);
  });

  test(`${kernel.name}: hashes of another length never verify`, () => {
    assert.equal(kernel.verifyInclusion(short, 0, 1, [], short), false);
    assert.equal(kernel.verifyConsistency(1, short, 1, short, []), false);
    // Both make the same bytes under the root as the honest pair.
    const [left, right] = [leaves[0] ?? leaf, leaves[1] ?? leaf];
    const both = kernel.rootFromLeafHashes([left, right]);
    assert.equal(kernel.verifyInclusion(left, 0, 2, [right], both), true);
    const longLeft = Uint8Array.of(...left, ...right.slice(0, 1));
    assert.equal(kernel.verifyInclusion(longLeft, 0, 2, [right.slice(1)], both), false);
    assert.equal(kernel.verifyInclusion(new Uint8Array(), 0, 2, [Uint8Array.of(...left, ...right)], both), false);
  });

  test(`${kernel.name}: proving and growing refuse what they cannot do`, () => {
    for (const no of [...NO_SIZES, 5])
      assert.throws(() => kernel.proveInclusion(leaves, no), RangeError, `index ${no}`);
    assert.throws(() => kernel.proveInclusion([], 0), RangeError);
    for (const no of [...NO_SIZES, 0, 6])
      assert.throws(() => kernel.proveConsistency(leaves, no), RangeError, `from ${no}`);
    assert.throws(() => kernel.rootFromLeafHashes([]), RangeError);
    assert.throws(() => kernel.rootFromFrontier([]), RangeError);
    for (const no of NO_SIZES) assert.throws(() => kernel.appendToFrontier(no, [], leaves), RangeError, `size ${no}`);
    assert.throws(() => kernel.appendToFrontier(0, [leaf], leaves), RangeError);
    assert.throws(() => kernel.appendToFrontier(3, [leaf], leaves), RangeError);
    assert.throws(() => kernel.appendToFrontier(3, [leaf, leaf, leaf], []), RangeError);
  });

  test(`${kernel.name}: proving and growing refuse hashes of another length`, () => {
    assert.throws(() => kernel.appendToFrontier(0, [], [short]), RangeError);
    assert.throws(() => kernel.appendToFrontier(1, [short], []), RangeError);
    assert.throws(() => kernel.rootFromFrontier([short]), RangeError);
    assert.throws(() => kernel.rootFromLeafHashes([leaf, short]), RangeError);
    assert.throws(() => kernel.proveInclusion([leaf, short], 0), RangeError);
    assert.throws(() => kernel.proveConsistency([leaf, short], 1), RangeError);
  });

  test(`${kernel.name}: growing changes neither of its arguments`, () => {
    const frontier = kernel.appendToFrontier(0, [], leaves.slice(0, 3));
    const before = [...frontier];
    kernel.appendToFrontier(3, frontier, leaves);
    assert.deepEqual(frontier, before);
    assert.equal(leaves.length, 5);
  });
}
