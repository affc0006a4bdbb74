/**
 * The frontier of the checkpoint tree as hex, moved over window hashes. The kernel computes the tree itself (protocol
 * section 1).
 */
import { encodeHex, type HashHex, hexToBytes, type Kernel } from "@svc/core";

/** Returns the frontier after appending window hashes to a tree of `size` windows. */
export function frontierAfter(
  kernel: Kernel,
  size: number,
  frontier: readonly HashHex[],
  windowHashes: readonly HashHex[],
): HashHex[] {
  const leaves = windowHashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  return kernel.appendToFrontier(size, frontier.map(hexToBytes), leaves).map((hash) => encodeHex(hash) as HashHex);
}

/** Returns the root of a frontier, or null for an invalid one. */
export function rootOf(kernel: Kernel, frontier: readonly HashHex[]): HashHex | null {
  try {
    return frontierRoot(kernel, frontier);
  } catch {
    return null;
  }
}

/** Returns the root of a tree of at least one window. */
export function frontierRoot(kernel: Kernel, frontier: readonly HashHex[]): HashHex {
  return encodeHex(kernel.rootFromFrontier(frontier.map(hexToBytes))) as HashHex;
}
