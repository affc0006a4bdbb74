/**
 * The interface of a kernel: strict JSON, canonical bytes, digests, RFC 6962 trees, Ed25519 and inflating (protocol
 * sections 1 to 3 and 15). Two implementations are behind it, and all their answers must be equal. A kernel knows no
 * protocol object.
 */

import type { JsonDocument } from "./document.ts";

/**
 * A JSON value that protocol section 2 accepts. Member names such as `__proto__` are own members like any other. Wire
 * objects are assignable to it, since `type` declares them: an `interface` is not, because others may add members to
 * it.
 */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

/** A JSON object. Its members are own, enumerable properties. */
export interface JsonObject {
  readonly [name: string]: Json;
}

/** The reasons why bytes are not the JSON of protocol section 2. */
export type JsonErrorCode = "json_malformed" | "duplicate_name" | "lossy_number" | "invalid_unicode" | "too_deep";

/** A parsed value, or the first error and its byte offset: first ill-formed UTF-8, then errors in text order. */
export type ParsedJson =
  | { readonly ok: true; readonly value: Json }
  | { readonly ok: false; readonly code: JsonErrorCode; readonly offset: number };

/** A checked text, or its first error as in ParsedJson. */
export type OpenedJson =
  | { readonly ok: true; readonly document: JsonDocument }
  | { readonly ok: false; readonly code: JsonErrorCode; readonly offset: number };

/**
 * One signature to check. If a member has another length than stated here, the signature does not verify; that is never
 * an error.
 */
export interface SignatureItem {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  /** Any length. */
  readonly message: Uint8Array;
  /** 64 bytes: R and S. */
  readonly signature: Uint8Array;
}

/** SHA-256 of bytes that come piece by piece. */
export interface Hasher {
  /** Takes in the next bytes, which are not kept. */
  update(bytes: Uint8Array): unknown;
  /** Returns the hash of all bytes, 32 bytes. Call it once, last. */
  digest(): Uint8Array;
}

/** A node hash of an RFC 6962 tree: 32 bytes. */
export type NodeHash = Uint8Array;

/** Computes for every verifier. All functions are pure, synchronous and total over their stated input. */
export interface Kernel {
  readonly name: "wasm" | "reference";
  /** SHA-256 of the compiled kernel's bytes in lowercase hex; null for the reference kernel, which has none. */
  readonly sha256Hex: string | null;

  /** Parses exactly the JSON that protocol section 2 accepts. Never throws. Nesting deeper than 64 is `too_deep`. */
  parseJson(bytes: Uint8Array): ParsedJson;
  /**
   * Returns the RFC 8785 canonical form of a value, as UTF-8 bytes (J in protocol section 1). Throws TypeError for a
   * value that is not JSON.
   */
  canonicalize(value: Json): Uint8Array;
  /**
   * Parses as `parseJson` does, and keeps the canonical bytes, parts of which can be hashed as they stand. Never
   * throws. Do not change the bytes while the document is in use.
   */
  openJson(bytes: Uint8Array): OpenedJson;

  /**
   * Inflates a raw deflate stream (RFC 1951), and passes its content to `take` piece by piece, in order; a piece is
   * valid only until `take` returns. `packed`: the whole stream. `sizeBytes`: the declared size of its content, 0 to
   * 2^32-1. Returns whether the stream is as protocol section 15 demands: it gives exactly so many bytes, ends exactly
   * where its bytes end, and has no bit without a meaning. A bad stream may have passed pieces before, but never more
   * than the declared size. Throws only what `take` throws.
   */
  inflate(packed: Uint8Array, sizeBytes: number, take: (piece: Uint8Array) => void): boolean;

  /** Returns SHA-256; 32 bytes. */
  sha256(bytes: Uint8Array): Uint8Array;
  /** Returns a hasher for bytes that need not be in memory together. */
  hasher(): Hasher;
  /**
   * Returns what core's `crc32` returns; there only if the runtime has a faster one, with which packages are then
   * unpacked.
   */
  readonly crc32?: (bytes: Uint8Array, before?: number) => number;
  /** Returns H(tag, bytes) of protocol sections 1 and 17; 32 bytes. The word is as in `tagLine`. */
  taggedHash(tag: string, bytes: Uint8Array, word?: string): Uint8Array;
  /** Returns H(tag, bytes) of each of many byte strings, in order; 32 bytes each, in one byte string. */
  taggedHashes(tag: string, messages: readonly Uint8Array[], word?: string): Uint8Array;

  /**
   * Checks signatures by protocol section 3 (RFC 8032, canonical encodings, cofactored, A of small order refused).
   * Returns one verdict for each item, in order, equal to the verdict on the item alone.
   */
  verifyEd25519(items: readonly SignatureItem[]): boolean[];

  /** Returns the RFC 6962 leaf hash: SHA-256(0x00 || data). */
  leafHash(data: Uint8Array): NodeHash;
  /** Returns the RFC 6962 leaf hashes of many data, in order. */
  leafHashes(data: readonly Uint8Array[]): NodeHash[];
  /** Returns the RFC 6962 node hashes of many pairs, in order: SHA-256(0x01 || pair). `pairs`: two hashes each. */
  nodeHashes(pairs: readonly Uint8Array[]): NodeHash[];
  /**
   * Returns the frontier after leaf hashes are appended to a tree of `size` leaves with this frontier. Throws
   * RangeError for a wrong frontier length.
   */
  appendToFrontier(size: number, frontier: readonly NodeHash[], leafHashes: readonly NodeHash[]): NodeHash[];
  /**
   * Returns the root hash of a tree of at least one leaf from its frontier, the largest subtree first. Throws
   * RangeError for an empty frontier.
   */
  rootFromFrontier(frontier: readonly NodeHash[]): NodeHash;
  /** Returns the root hash of leaf hashes, at least one. */
  rootFromLeafHashes(leafHashes: readonly NodeHash[]): NodeHash;
  /**
   * Returns the inclusion path of RFC 9162 section 2.1.3.1, the leaf side first. Throws RangeError unless leafIndex <
   * leafHashes.length.
   */
  proveInclusion(leafHashes: readonly NodeHash[], leafIndex: number): NodeHash[];
  /**
   * Checks an inclusion proof by RFC 9162 section 2.1.3.2. Returns false also for an index outside the tree, and for a
   * path of another length than index and size demand.
   */
  verifyInclusion(
    leafHash: NodeHash,
    leafIndex: number,
    treeSize: number,
    path: readonly NodeHash[],
    root: NodeHash,
  ): boolean;
  /**
   * Returns the consistency path of RFC 9162 section 2.1.4.1. Throws RangeError unless 1 <= fromSize <=
   * leafHashes.length.
   */
  proveConsistency(leafHashes: readonly NodeHash[], fromSize: number): NodeHash[];
  /**
   * Checks a consistency proof by RFC 9162 section 2.1.4.2. Returns false also for fromSize 0 and fromSize > toSize;
   * equal sizes need equal roots and an empty path.
   */
  verifyConsistency(
    fromSize: number,
    fromRoot: NodeHash,
    toSize: number,
    toRoot: NodeHash,
    path: readonly NodeHash[],
  ): boolean;
}
