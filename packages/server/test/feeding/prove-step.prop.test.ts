/** Consistency proofs from a frontier are those that the kernel makes from all leaves. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeHex, type HashHex, type NodeHash, referenceKernel } from "@svc/core";
import fc from "fast-check";
import { proveStep } from "../../src/feeding/prove-step.ts";
import { kernel } from "../../src/kernel.ts";

const LEAVES = Array.from({ length: 300 }, (_, number) => kernel.sha256(Buffer.from(`leaf ${number}`)));
const hex = (hashes: readonly NodeHash[]) => hashes.map((hash) => encodeHex(hash) as HashHex);

/** Asserts that the proof from one size to another is the kernel's own. */
function assertProven(from: number, to: number): void {
  const hashes = LEAVES.slice(0, to).map((leaf) => kernel.leafHash(leaf));
  const frontier = kernel.appendToFrontier(0, [], hashes.slice(0, from));
  const proof = proveStep(kernel, from, { frontier: hex(frontier), leaves: hex(LEAVES.slice(from, to)) });
  assert.deepEqual(hex(proof), hex(referenceKernel.proveConsistency(hashes, from)), `${from} to ${to}`);
}

test("every pair of small sizes", () => {
  for (let to = 1; to <= 40; to++) for (let from = 1; from <= to; from++) assertProven(from, to);
});

test("any pair of sizes", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: LEAVES.length }), fc.integer({ min: 1, max: LEAVES.length }), (one, other) =>
      assertProven(Math.min(one, other), Math.max(one, other)),
    ),
    { numRuns: 100 },
  );
});

test("a frontier of another size is refused", () => {
  assert.throws(
    () => proveStep(kernel, 3, { frontier: hex(LEAVES.slice(0, 1)), leaves: hex(LEAVES.slice(3, 4)) }),
    RangeError,
  );
  assert.throws(() => proveStep(kernel, 4, { frontier: hex(LEAVES.slice(0, 2)), leaves: [] }), RangeError);
});
