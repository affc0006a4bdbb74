/**
 * The reference kernel: readable TypeScript on `canonicalize`, `@noble/hashes` and `@noble/ed25519` (protocol sections
 * 1 to 3). It is for runtimes that forbid WebAssembly and for cross-checks; it is NOT the fast one.
 */

import type { Kernel } from "../kernel.ts";
import { canonicalize } from "./canonical.ts";
import { hasher, sha256, sha256Of, taggedHash, taggedHashes } from "./digest.ts";
import { openJson } from "./document.ts";
import { verifyEd25519 } from "./ed25519.ts";
import { inflate } from "./inflate/inflate.ts";
import { parseJson } from "./json.ts";
import {
  appendToFrontier,
  leafHash,
  proveConsistency,
  proveInclusion,
  rootFromFrontier,
  rootFromLeafHashes,
} from "./merkle.ts";
import { verifyConsistency, verifyInclusion } from "./merkle-verify.ts";

const NODE_PREFIX = Uint8Array.of(1);

/** The kernel that needs nothing but JavaScript. All its answers equal those of the WebAssembly kernel. */
export const referenceKernel: Kernel = {
  name: "reference",
  sha256Hex: null,
  parseJson,
  canonicalize,
  openJson,
  inflate,
  sha256,
  hasher,
  taggedHash,
  taggedHashes,
  verifyEd25519,
  leafHash,
  leafHashes: (data) => data.map(leafHash),
  nodeHashes: (pairs) => pairs.map((pair) => sha256Of(NODE_PREFIX, pair)),
  appendToFrontier,
  rootFromFrontier,
  rootFromLeafHashes,
  proveInclusion,
  verifyInclusion,
  proveConsistency,
  verifyConsistency,
};
