/**
 * What a kernel must do: strict JSON, canonical bytes, digests, RFC 6962 trees and Ed25519 (protocol sections 1 to 3).
 * Two implementations stand behind this interface, and all that they answer must be equal. A kernel knows no protocol object.
 */

import type { JsonDocument } from "./document.ts";

/**
 * A JSON value as protocol section 2 accepts it. Member names such as `__proto__` are own members like any other. Objects on the wire are
 * assignable to it, since they are declared by `type`: an `interface` is not, because others may add members to it.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its members are own, enumerable properties. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** Why bytes are not the JSON of protocol section 2. */
export type JsonErrorCode = "json_malformed" | "duplicate_name" | "lossy_number" | "invalid_unicode" | "too_deep";

/** A parsed value, or the first error and the byte offset at which it stands: ill-formed UTF-8 before all others, then in text order. */
export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: JsonErrorCode; readonly offset: number };

/** A checked text, or its first error as in ParsedJson. */
export type OpenedJson =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly code: JsonErrorCode; readonly offset: number };

/** One signature to check. Members of another length than stated are a signature that does not verify, never an error. */
export interface SignatureItem {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Any length. */
  readonly message: Uint8Array;
  /** 64 bytes: R and S. */
  readonly signature: Uint8Array;
}

/** SHA-256 of what comes piece by piece. */
export interface Hasher {
  /** Takes in the next bytes, which are not kept. */
  update(bytes: Uint8Array): unknown;
  /** The hash of all that came, 32 bytes. Call once, last. */
  digest(): Uint8Array;
}

/** A node hash of an RFC 6962 tree: 32 bytes. */
export type NodeHash = Uint8Array;

/** The computing core of every verifier. All functions are pure, synchronous and total over their stated input. */
export interface Kernel {
  readonly name: "wasm" | "reference";
  /** SHA-256 of the compiled kernel's bytes in lowercase hex; null for the reference kernel, which has none. */
  readonly sha256Hex: string | null;

  /** Parses exactly what protocol section 2 accepts. Never throws. Nesting deeper than 64 is `too_deep`. */
  parseJson(bytes: Uint8Array): ParsedJson;
  /** RFC 8785 canonical form of a value, as UTF-8 bytes (J in protocol section 1). Throws TypeError for what is not JSON. */
  canonicalize(value: Json): Uint8Array;
  /**
   * Parses as `parseJson` does, and keeps the canonical bytes, of which parts can be hashed as they stand. Never throws. The bytes must
   * not be changed while the document is used.
   */
  openJson(bytes: Uint8Array): OpenedJson;

  /** SHA-256; 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /** SHA-256 of bytes that need not be in memory together. */
  hasher(): Hasher;
  /** H(tag, bytes) of protocol section 1; 32 bytes. */
  taggedHash(tag: string, bytes: Uint8Array): Uint8Array;
  /** H(tag, bytes) of each of many byte strings, in order; 32 bytes each, in one byte string. */
  taggedHashes(tag: string, messages: readonly Uint8Array[]): Uint8Array;

  /**
   * Checks signatures by protocol section 3 (RFC 8032, canonical encodings, cofactored, A of small order refused).
   * The answer has one verdict for each item, in order, and equals what each item alone would give.
   */
  verifyEd25519(items: readonly SignatureItem[]): boolean[];

  /** RFC 6962 leaf hash: SHA-256(0x00 || data). */
  leafHash(data: Uint8Array): NodeHash;
  /** RFC 6962 leaf hashes of many data, in order. */
  leafHashes(data: readonly Uint8Array[]): NodeHash[];
  /** Frontier after appending leaf hashes to a tree of `size` leaves with this frontier. RangeError for a wrong frontier length. */
  appendToFrontier(size: number, frontier: readonly NodeHash[], leafHashes: readonly NodeHash[]): NodeHash[];
  /** Root hash of a tree of at least one leaf from its frontier (largest subtree first). RangeError when it is empty. */
  rootFromFrontier(frontier: readonly NodeHash[]): NodeHash;
  /** Root hash of the given leaf hashes (at least one). */
  rootFromLeafHashes(leafHashes: readonly NodeHash[]): NodeHash;
  /** Inclusion path of RFC 9162 section 2.1.3.1, leaf side first. RangeError unless leafIndex < leafHashes.length. */
  proveInclusion(leafHashes: readonly NodeHash[], leafIndex: number): NodeHash[];
  /** RFC 9162 section 2.1.3.2. False also for an index outside the tree and for a path of another length than it demands. */
  verifyInclusion(
    leafHash: NodeHash,
    leafIndex: number,
    treeSize: number,
    path: readonly NodeHash[],
    root: NodeHash,
  ): boolean;
  /** Consistency path of RFC 9162 section 2.1.4.1. RangeError unless 1 <= fromSize <= leafHashes.length. */
  proveConsistency(leafHashes: readonly NodeHash[], fromSize: number): NodeHash[];
  /** RFC 9162 section 2.1.4.2. False for fromSize 0 and fromSize > toSize; equal sizes need equal roots and an empty path. */
  verifyConsistency(
    fromSize: number,
    fromRoot: NodeHash,
    toSize: number,
    toRoot: NodeHash,
    path: readonly NodeHash[],
  ): boolean;
}
