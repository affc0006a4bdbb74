/**
 * The compiled kernel behind the Kernel interface. The value that `parseJson` gives and the refusal of what is not JSON are made in
 * TypeScript; all that decides a verdict is computed in WebAssembly.
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
import { inflateWhole } from "../../archive/inflate/inflate.ts";
import { encodeHex } from "../../encoding/hex.ts";
import type { Kernel } from "../kernel.ts";
import { sha256 as referenceSha256 } from "../reference/digest.ts";
import { Documents } from "./document.ts";
import { hashAll, PieceHasher, sha256, taggedHashes, verifyEd25519 } from "./hashes.ts";
import { canonicalize, parseJson } from "./json.ts";
import * as merkle from "./merkle.ts";

/** What unpacks the inlined kernel and identifies it; what a runtime has of its own is faster. */
export interface Unpacking {
  /** SHA-256 by other code than the kernel that is being identified; 32 bytes. */
  readonly sha256?: (bytes: Uint8Array) => Uint8Array;
  readonly unpack?: Unpack;
}

const LEAF_PREFIX = Uint8Array.of(0);

/**
 * The compiled kernel, started from the bytes of a kernel.wasm, from what `compileKernel` of `@svc/wasm` gave (perhaps in another
 * thread), or else from the bytes inlined here, if they are the ones that were built. Throws KernelUnavailable, KernelDamaged.
 */
export function startWasmKernel(source?: Uint8Array | CompiledKernel, unpacking: Unpacking = {}): Kernel {
  if (source === undefined) return kernelOf(compileKernelSync(intactKernel(unpacking)), KERNEL_SHA256);
  return kernelOf("module" in source ? source : compileKernelSync(source));
}

/**
 * As startWasmKernel, compiled in the background, as browsers want it. Rejects with KernelUnavailable.
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

/** The bytes of the inlined kernel, if it is the one that was built. Throws KernelDamaged. */
export function intactKernel({ sha256 = referenceSha256, unpack = inflateText }: Unpacking = {}): Uint8Array {
  const bytes = inlinedKernel(unpack);
  const actual = encodeHex(sha256(bytes));
  if (actual !== KERNEL_SHA256)
    throw new KernelDamaged(`The kernel inlined here was changed: its SHA-256 is ${actual}, and was ${KERNEL_SHA256}.`);
  return bytes;
}

function inflateText(base64: string, sizeBytes: number): Uint8Array {
  return inflateWhole(decodeBase64(base64), sizeBytes);
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
