/** RFC 6962 trees by the compiled kernel. It takes and returns hashes as one byte string. */
import { type KernelExport, type KernelInstance, REFUSED } from "@svc/wasm";
import { copyAll } from "../../encoding/bytes.ts";
import type { NodeHash } from "../kernel.ts";

/** Does what Kernel.appendToFrontier says. */
export function appendToFrontier(
  kernel: KernelInstance,
  size: number,
  frontier: readonly NodeHash[],
  leafHashes: readonly NodeHash[],
): NodeHash[] {
  const refusal =
    `no frontier of ${frontier.length} hashes belongs to a tree of ${size} leaves that ${leafHashes.length} can be ` +
    `added to`;
  return produce(kernel, "append_to_frontier", refusal, [frontier, leafHashes], size, frontier.length);
}

/** Does what Kernel.rootFromFrontier says. */
export function rootFromFrontier(kernel: KernelInstance, frontier: readonly NodeHash[]): NodeHash {
  return first(produce(kernel, "root_from_frontier", "an empty tree has no root in this protocol", [frontier]));
}

/** Does what Kernel.rootFromLeafHashes says. */
export function rootFromLeafHashes(kernel: KernelInstance, leafHashes: readonly NodeHash[]): NodeHash {
  return first(produce(kernel, "root_from_leaf_hashes", "an empty tree has no root in this protocol", [leafHashes]));
}

/** Does what Kernel.proveInclusion says. */
export function proveInclusion(kernel: KernelInstance, leafHashes: readonly NodeHash[], leafIndex: number): NodeHash[] {
  const refusal = `no leaf ${leafIndex} in a tree of ${leafHashes.length} leaves`;
  return produce(kernel, "prove_inclusion", refusal, [leafHashes], index(leafIndex, refusal));
}

/** Does what Kernel.proveConsistency says. */
export function proveConsistency(
  kernel: KernelInstance,
  leafHashes: readonly NodeHash[],
  fromSize: number,
): NodeHash[] {
  const refusal = `no tree of ${fromSize} leaves to extend to ${leafHashes.length}`;
  return produce(kernel, "prove_consistency", refusal, [leafHashes], index(fromSize, refusal));
}

/** Does what Kernel.verifyInclusion says. */
export function verifyInclusion(
  kernel: KernelInstance,
  leafHash: NodeHash,
  leafIndex: number,
  treeSize: number,
  path: readonly NodeHash[],
  root: NodeHash,
): boolean {
  return holds(kernel, "verify_inclusion", [leafHash, root, ...path], leafIndex, treeSize);
}

/** Does what Kernel.verifyConsistency says. */
export function verifyConsistency(
  kernel: KernelInstance,
  fromSize: number,
  fromRoot: NodeHash,
  toSize: number,
  toRoot: NodeHash,
  path: readonly NodeHash[],
): boolean {
  return holds(kernel, "verify_consistency", [fromRoot, toRoot, ...path], fromSize, toSize);
}

function produce(
  kernel: KernelInstance,
  name: KernelExport,
  refusal: string,
  hashes: readonly (readonly NodeHash[])[],
  ...numbers: number[]
): NodeHash[] {
  if (!hashes.every((list) => list.every((hash) => hash.length === 32)))
    throw new RangeError("a node hash has 32 bytes");
  const count = hashes.reduce((sum, list) => sum + list.length, 0);
  const write = (input: Uint8Array) => copyAll(input, hashes.flat(), 0);
  if (kernel.call(name, 32 * count, write, ...numbers) === REFUSED) throw new RangeError(refusal);
  const output = kernel.output();
  kernel.release();
  const result: NodeHash[] = [];
  for (let at = 0; at < output.length; at += 32) result.push(output.subarray(at, at + 32));
  return result;
}

function holds(kernel: KernelInstance, name: KernelExport, hashes: readonly NodeHash[], ...numbers: number[]): boolean {
  // Hashes of other lengths would let bytes move between the two halves of a node without changing its hash.
  if (!hashes.every((hash) => hash.length === 32) || !numbers.every(Number.isSafeInteger)) return false;
  const write = (input: Uint8Array) => copyAll(input, hashes, 0);
  return kernel.call(name, 32 * hashes.length, write, ...numbers) === 1;
}

/** Returns an index that fits into 32 bits: WebAssembly would take any other modulo 2^32. */
function index(value: number, refusal: string): number {
  if (!Number.isInteger(value) || value < 0 || value >= 2 ** 32) throw new RangeError(refusal);
  return value;
}

function first(hashes: readonly NodeHash[]): NodeHash {
  const [hash] = hashes;
  if (hash === undefined) throw new RangeError("no hash");
  return hash;
}
