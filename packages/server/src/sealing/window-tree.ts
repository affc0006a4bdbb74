/**
 * The hashes of a stream's checkpoint tree, whose leaves are its windows, out of the frontiers that are stored with its
 * checkpoints. Each hash takes one checkpoint and at most its windows: the rows for a path grow with the logarithm of
 * the stream's windows.
 */
import { encodeHex, type HashHex, hexToBytes, type Kernel } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { consistencyRanges, type LeafRange, wholeSubtrees } from "../service-log/tree.ts";
import { frontierUnder } from "./checkpoints-store.ts";
import { windowHashes } from "./windows-store.ts";

/**
 * Resolves to the consistency path between two numbers of windows of a stream (RFC 9162 section 2.1.4.1). The earlier
 * one is at least 1, and a checkpoint ends with the later one or behind it. Rejects with Error if rows are missing.
 */
export async function consistencyPath(
  reader: Reader,
  kernel: Kernel,
  streamId: string,
  earlier: number,
  later: number,
): Promise<HashHex[]> {
  const path: HashHex[] = [];
  for (const range of consistencyRanges(earlier, later)) path.push(await rangeHash(reader, kernel, streamId, range));
  return path;
}

/**
 * Resolves to the hash of a subtree. It begins at a multiple of the least power of two that is not below its size, so
 * the frontier of a tree that ends within it is that of all before it, followed by its own.
 */
async function rangeHash(reader: Reader, kernel: Kernel, streamId: string, [from, to]: LeafRange): Promise<HashHex> {
  const under = await frontierUnder(reader, streamId, to);
  const size = Math.max(from, under?.size ?? 0);
  const own = wholeSubtrees([from, size]).length;
  const hashes = await windowHashes(reader, streamId, size + 1, to);
  if (under === null || under.frontier.length < own || hashes.length !== to - size)
    throw new Error(`windows ${from + 1} to ${to} of ${streamId}, or their checkpoint, are missing in the database`);
  const frontier = under.frontier.slice(under.frontier.length - own).map(hexToBytes);
  const leaves = hashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  return encodeHex(kernel.rootFromFrontier(kernel.appendToFrontier(size - from, frontier, leaves))) as HashHex;
}
