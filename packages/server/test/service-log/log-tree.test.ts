/**
 * The tree of the service log out of stored nodes, against the kernel's own tree over all leaves: roots, paths and
 * frontiers of all sizes, and the number of rows that a path of a large log needs.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeHex, hexToBytes, type NodeHash } from "@svc/core";
import { kernel } from "../../src/kernel.ts";
import {
  insertLeaves,
  type LeafRow,
  lastLeaf,
  leafOf,
  leavesAt,
  loggedAmong,
} from "../../src/service-log/leaves-store.ts";
import { consistencyPath, frontierAt, grown, inclusionPath, rootAt } from "../../src/service-log/log-tree.ts";
import { consistencyRanges, inclusionRanges, wholeSubtrees } from "../../src/service-log/tree.ts";
import { at, hashNo, storeUnderTest } from "../store-under-test.ts";

const SIZE = 37;
const leafHashes = (size: number) =>
  Array.from({ length: size }, (_, index) => kernel.leafHash(hexToBytes(hashNo(index))));
const hex = (hashes: readonly NodeHash[]) => hashes.map(encodeHex);

/** Returns the rows of a log, each leaf grown from the one before. */
function leaves(size: number): LeafRow[] {
  let frontier: readonly NodeHash[] = [];
  return Array.from({ length: size }, (_, index) => {
    const leaf = grown(kernel, index, frontier, hashNo(index));
    frontier = leaf.frontier;
    const row = { leaf_index: index, checkpoint_id: `chk_${index}`, checkpoint_hash: hashNo(index) };
    return { ...row, nodes: leaf.nodes, latest_created_at: at(index) };
  });
}

test("roots, frontiers and paths out of stored nodes are those of the kernel's tree over all leaves", async (t) => {
  const { read, write } = await storeUnderTest(t);
  await write(async (writer) => {
    await insertLeaves(writer, leaves(20));
    await insertLeaves(writer, leaves(SIZE).slice(20));
  });
  await read(async (reader) => {
    for (let size = 1; size <= SIZE; size++) {
      const all = leafHashes(size);
      assert.equal(await rootAt(reader, kernel, size), encodeHex(kernel.rootFromLeafHashes(all)));
      assert.deepEqual(hex(await frontierAt(reader, kernel, size)), hex(kernel.appendToFrontier(0, [], all)));
      for (let index = 0; index < size; index++)
        assert.deepEqual(await inclusionPath(reader, kernel, index, size), hex(kernel.proveInclusion(all, index)));
      for (let earlier = 1; earlier <= size; earlier++)
        assert.deepEqual(
          await consistencyPath(reader, kernel, earlier, size),
          hex(kernel.proveConsistency(all, earlier)),
          `${earlier} to ${size}`,
        );
    }
    assert.deepEqual(await frontierAt(reader, kernel, 0), []);
    await assert.rejects(rootAt(reader, kernel, SIZE + 1), /leaf 37 of the service log is missing/);
  });
});

test("a path of a log of a billion leaves needs some 60 rows at most", () => {
  const size = 1_000_000_007;
  for (const index of [0, 1, 2 ** 29 - 1, 2 ** 29, 777_777_777, size - 1]) {
    assert.ok(inclusionRanges(index, size).flatMap(wholeSubtrees).length <= 60);
    if (index > 0) assert.ok(consistencyRanges(index, size).flatMap(wholeSubtrees).length <= 60);
  }
});

test("leaves are found by their places and their checkpoints; an index, and a checkpoint, is there once", async (t) => {
  const { read, write } = await storeUnderTest(t);
  assert.equal(await read(lastLeaf), null);
  const rows = leaves(5);
  await write((writer) => insertLeaves(writer, rows));
  await read(async (reader) => {
    assert.deepEqual({ ...(await lastLeaf(reader)) }, rows[4]);
    assert.deepEqual({ ...(await leafOf(reader, "chk_2")) }, rows[2]);
    assert.equal(await leafOf(reader, "chk_5"), null);
    assert.deepEqual((await leavesAt(reader, [4, 0, 9])).map(({ leaf_index }) => leaf_index).sort(), [0, 4]);
    assert.deepEqual(await loggedAmong(reader, ["chk_1", "chk_9", "chk_3"]), new Set(["chk_1", "chk_3"]));
    assert.deepEqual(await loggedAmong(reader, []), new Set());
  });
  const again = (change: Partial<LeafRow>) =>
    write((writer) => insertLeaves(writer, [{ ...rows[4], ...change } as LeafRow]));
  await assert.rejects(again({ checkpoint_id: "chk_5" }));
  await assert.rejects(again({ leaf_index: 5 }));
});
