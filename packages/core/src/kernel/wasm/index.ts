/**
 * The compiled kernel behind the Kernel interface. TypeScript makes the value that `parseJson` returns, and refuses
 * values that are not JSON; WebAssembly computes all that decides a verdict.
 */
export { KernelDamaged, KernelStopped, KernelUnavailable } from "@svc/wasm";

import {
  type CompiledKernel,
  compileKernel,
  compileKernelSync,
  decodeBase64,
  inlinedKernel,
  KERNEL_SHA256,
  KernelDamaged,
  KernelInstance,
  type Unpack,
} from "@svc/wasm";
import { roomFor } from "../../encoding/bytes.ts";
import { encodeHex } from "../../encoding/hex.ts";
import type { Kernel } from "../kernel.ts";
import { sha256 as referenceSha256 } from "../reference/digest.ts";
import { inflate } from "../reference/inflate/inflate.ts";
import { Documents } from "./document.ts";
import { hashAll, hasher, sha256, taggedHashes, verifyEd25519 } from "./hashes.ts";
import { inflater } from "./inflate.ts";
import { canonicalize, parseJson } from "./json.ts";
import * as merkle from "./merkle.ts";

/** Functions that unpack and identify the inlined kernel; those of a runtime itself are faster. */
export interface Unpacking {
  /** SHA-256 by other code than the kernel that is being identified; 32 bytes. */
  readonly sha256?: (bytes: Uint8Array) => Uint8Array;
  readonly unpack?: Unpack;
}

const [LEAF_PREFIX, NODE_PREFIX] = [Uint8Array.of(0), Uint8Array.of(1)];

/**
 * Starts the compiled kernel. `source`: the bytes of a kernel.wasm, or the answer of `compileKernel` of `@svc/wasm`,
 * perhaps from another thread. Without it the kernel starts from the bytes inlined here, if they are the ones that were
 * built. `unpacking`: faster functions of the runtime. Returns the kernel; its `sha256Hex` names given bytes, which
 * nothing else checks. Throws KernelUnavailable without WebAssembly, and KernelDamaged if the inlined bytes were
 * changed.
 *
 * @example
 * console.log(startWasmKernel().name); // wasm
 */
export function startWasmKernel(source?: Uint8Array | CompiledKernel, unpacking: Unpacking = {}): Kernel {
  if (source === undefined) return kernelOf(compileKernelSync(intactKernel(unpacking)), KERNEL_SHA256);
  return kernelOf("module" in source ? source : compileKernelSync(source));
}

/**
 * Starts the compiled kernel as `startWasmKernel` does, but compiles it in the background, as browsers demand on a
 * page. `bytes`: those of a kernel.wasm; by default the bytes inlined here. Rejects with KernelUnavailable, and with
 * KernelDamaged if the inlined bytes were changed.
 *
 * @example
 * const kernel = await loadWasmKernel();
 * console.log(kernel.name); // wasm
 */
export async function loadWasmKernel(bytes?: Uint8Array): Promise<Kernel> {
  return bytes === undefined
    ? kernelOf(await compileKernel(intactKernel()), KERNEL_SHA256)
    : kernelOf(await compileKernel(bytes));
}

/** Returns the bytes of the inlined kernel. Throws KernelDamaged if they are not the ones that were built. */
export function intactKernel({ sha256 = referenceSha256, unpack = inflateText }: Unpacking = {}): Uint8Array {
  const bytes = inlinedKernel(unpack);
  const actual = encodeHex(sha256(bytes));
  if (actual !== KERNEL_SHA256)
    throw new KernelDamaged(`The kernel inlined here was changed: its SHA-256 is ${actual}, and was ${KERNEL_SHA256}.`);
  return bytes;
}

function inflateText(base64: string, sizeBytes: number): Uint8Array {
  const { bytes, take } = roomFor(sizeBytes);
  if (!inflate(decodeBase64(base64), sizeBytes, take)) throw new RangeError("not deflated");
  return bytes;
}

/** Splits a byte string into its hashes. */
function toHashes(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / 32 }, (_, row) => bytes.subarray(32 * row, 32 * row + 32));
}

/** Makes the kernel. `sha256Hex`: the hash of the bytes, if it was just computed. */
function kernelOf(compiled: CompiledKernel, sha256Hex = encodeHex(referenceSha256(compiled.bytes))): Kernel {
  const kernel = new KernelInstance(compiled);
  kernel.start();
  const documents = new Documents(compiled);
  return {
    name: "wasm",
    sha256Hex,
    parseJson: (bytes) => parseJson(kernel, bytes),
    canonicalize: (value) => canonicalize(kernel, value),
    openJson: (bytes) => documents.openJson(bytes),
    inflate: inflater(compiled),
    sha256: (bytes) => sha256(kernel, bytes),
    hasher: () => hasher(kernel),
    taggedHash: (tag, bytes, word) => taggedHashes(kernel, tag, [bytes], word),
    taggedHashes: (tag, messages, word) => taggedHashes(kernel, tag, messages, word),
    verifyEd25519: (items) => verifyEd25519(kernel, items),
    leafHash: (data) => hashAll(kernel, LEAF_PREFIX, [data]),
    leafHashes: (data) => toHashes(hashAll(kernel, LEAF_PREFIX, data)),
    nodeHashes: (pairs) => toHashes(hashAll(kernel, NODE_PREFIX, pairs)),
    appendToFrontier: (size, frontier, leafHashes) => merkle.appendToFrontier(kernel, size, frontier, leafHashes),
    rootFromFrontier: (frontier) => merkle.rootFromFrontier(kernel, frontier),
    rootFromLeafHashes: (leafHashes) => merkle.rootFromLeafHashes(kernel, leafHashes),
    proveInclusion: (leafHashes, leafIndex) => merkle.proveInclusion(kernel, leafHashes, leafIndex),
    verifyInclusion: (leafHash, leafIndex, treeSize, path, root) =>
      merkle.verifyInclusion(kernel, leafHash, leafIndex, treeSize, path, root),
    proveConsistency: (leafHashes, fromSize) => merkle.proveConsistency(kernel, leafHashes, fromSize),
    verifyConsistency: (fromSize, fromRoot, toSize, toRoot, path) =>
      merkle.verifyConsistency(kernel, fromSize, fromRoot, toSize, toRoot, path),
  };
}
