/**
 * The compiled kernel behind the Kernel interface. The value that `parseJson` gives and the refusal of what is not JSON are made in
 * TypeScript; all that decides a verdict is computed in WebAssembly.
 */
export { KernelDamaged, KernelStopped, KernelUnavailable } from "@svc/wasm";

import {
  type CompiledKernel,
  compileKernel,
  compileKernelSync,
  inlinedKernel,
  KERNEL_SHA256,
  KernelDamaged,
  KernelInstance,
} from "@svc/wasm";
import { encodeHex } from "../../encoding/hex.ts";
import type { Kernel } from "../kernel.ts";
import { sha256 as referenceSha256 } from "../reference/digest.ts";
import { Documents } from "./document.ts";
import { hashAll, PieceHasher, sha256, taggedHashes, verifyEd25519 } from "./hashes.ts";
import { canonicalize, parseJson } from "./json.ts";
import * as merkle from "./merkle.ts";

/** SHA-256 by other code than the kernel that is being identified; 32 bytes. */
type Sha256 = (bytes: Uint8Array) => Uint8Array;

const LEAF_PREFIX = Uint8Array.of(0);

/**
 * The compiled kernel, started from the bytes of a kernel.wasm, from what `compileKernel` of `@svc/wasm` gave (perhaps in another
 * thread), or else from the bytes inlined here, of which `sha256Of` tells whether they are the ones that were built: where the runtime has
 * SHA-256 of its own, that is faster. Throws KernelUnavailable, KernelDamaged.
 */
export function startWasmKernel(source?: Uint8Array | CompiledKernel, sha256Of: Sha256 = referenceSha256): Kernel {
  if (source === undefined) return kernelOf(compileKernelSync(intactKernel(sha256Of)), KERNEL_SHA256);
  return kernelOf("module" in source ? source : compileKernelSync(source));
}

/** As startWasmKernel, compiled in the background, as browsers want it. Rejects with KernelUnavailable. */
export async function loadWasmKernel(bytes?: Uint8Array): Promise<Kernel> {
  return bytes === undefined
    ? kernelOf(await compileKernel(intactKernel(referenceSha256)), KERNEL_SHA256)
    : kernelOf(await compileKernel(bytes));
}

/** The inlined kernel, if it is the one that was built. */
function intactKernel(sha256Of: Sha256): Uint8Array {
  const bytes = inlinedKernel();
  const actual = encodeHex(sha256Of(bytes));
  if (actual !== KERNEL_SHA256)
    throw new KernelDamaged(`The kernel inlined here was changed: its SHA-256 is ${actual}, and was ${KERNEL_SHA256}.`);
  return bytes;
}

/** Hashes that stand in one byte string. */
function toHashes(bytes: Uint8Array): Uint8Array[] {
  return Array.from({ length: bytes.length / 32 }, (_, row) => bytes.subarray(32 * row, 32 * row + 32));
}

/** `sha256Hex`: of the bytes, where they have just been hashed. */
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
    sha256: (bytes) => sha256(kernel, bytes),
    hasher: () => new PieceHasher(kernel),
    taggedHash: (tag, bytes) => taggedHashes(kernel, tag, [bytes]),
    taggedHashes: (tag, messages) => taggedHashes(kernel, tag, messages),
    verifyEd25519: (items) => verifyEd25519(kernel, items),
    leafHash: (data) => hashAll(kernel, LEAF_PREFIX, [data]),
    leafHashes: (data) => toHashes(hashAll(kernel, LEAF_PREFIX, data)),
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
