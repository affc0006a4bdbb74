/**
 * A chain in memory for fixtures: just enough of an Ethereum-like state (accounts, one contract's storage, a header) to
 * make the evidence of an anchor, the same each time. It builds tries from the whole set of their entries, without the
 * verifier's own code.
 */
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { AnchorEvidence } from "@svc/core";

/** A byte string or a list, for RLP. */
export type Rlp = Uint8Array | readonly Rlp[];

/** A block with an anchoring contract: evidence for one epoch and the block's names. */
export interface MadeBlock {
  readonly block_number: number;
  readonly block_hash: string;
  readonly code_hash: string;
  readonly evidence: AnchorEvidence;
}

/** The contract's address, and a stand-in for its code. */
export const CONTRACT = `0x${"c0de".repeat(10)}`;
const CODE = new TextEncoder().encode("code of the anchoring contract");
const OTHER_ACCOUNTS = 20;

/**
 * Returns a block at a time in Unix seconds whose state holds these epoch hashes (bare hex, by epoch number), with the
 * evidence for one. `depth`: the branches, all of them full, above the contract's account and above the slot; a state
 * of 100 million accounts has about seven.
 */
export function makeBlock(
  number: number,
  unixSeconds: number,
  epochs: ReadonlyMap<number, string>,
  epochNo: number,
  depth = 0,
): MadeBlock {
  const slots = new Map([
    ...neighbours(slotKey(epochNo), depth).map((key) => [key, encodeRlp(fromHex("11".repeat(32)))] as const),
    ...[...epochs].map(([no, hash]) => [slotKey(no), encodeRlp(trimmed(fromHex(hash)))] as const),
  ]);
  const storage = trie(slots);
  const code = keccak_256(CODE);
  const contractKey = hex(keccak_256(fromHex(CONTRACT.slice(2))));
  const accounts = new Map([[contractKey, account(1, storage.root, code)]]);
  for (const key of neighbours(contractKey, depth)) accounts.set(key, account(1, code, code));
  for (let index = 0; index < OTHER_ACCOUNTS; index++) {
    const key = hex(keccak_256(integer(index + 1, 20)));
    accounts.set(key, account(index, trie(new Map()).root, keccak_256(new Uint8Array())));
  }
  const state = trie(accounts);
  const zeros = (length: number) => new Uint8Array(length);
  const header = encodeRlp([
    keccak_256(integer(number - 1)),
    keccak_256(encodeRlp([])),
    zeros(20),
    state.root,
    trie(new Map()).root,
    trie(new Map()).root,
    zeros(256),
    integer(0),
    integer(number),
    integer(30_000_000),
    integer(21_000),
    integer(unixSeconds),
    zeros(0),
    zeros(32),
    zeros(8),
    integer(1_000_000_000),
  ]);
  return {
    block_number: number,
    block_hash: `0x${hex(keccak_256(header))}`,
    code_hash: `0x${hex(code)}`,
    evidence: {
      block_header_rlp: hex(header),
      account_proof: state.prove(contractKey).map(hex),
      storage_proof: storage.prove(slotKey(epochNo)).map(hex),
    },
  };
}

/** Returns keys that part from one at each of its first half-bytes, in each other direction. */
function neighbours(key: string, depth: number): string[] {
  return Array.from({ length: depth }, (_, at) =>
    [..."0123456789abcdef"]
      .filter((digit) => digit !== key.charAt(at))
      .map((digit) => `${key.slice(0, at)}${digit}${key.slice(at + 1)}`),
  ).flat();
}

/** Returns the RLP of a value. */
export function encodeRlp(value: Rlp): Uint8Array {
  if (value instanceof Uint8Array) {
    const [first = 0] = value;
    return value.length === 1 && first < 0x80 ? value : joined(prefix(0x80, value.length), value);
  }
  const content = joined(...value.map(encodeRlp));
  return joined(prefix(0xc0, content.length), content);
}

function prefix(base: number, length: number): Uint8Array {
  if (length <= 55) return Uint8Array.of(base + length);
  const size = integer(length);
  return joined(Uint8Array.of(base + 55 + size.length), size);
}

/** Returns a trie over hex keys of one length: its root, and a function for the nodes on the way to a key. */
export function trie(entries: ReadonlyMap<string, Uint8Array>): { root: Uint8Array; prove(key: string): Uint8Array[] } {
  const root = encodeRlp(nodeOf([...entries], 0) ?? new Uint8Array());
  const prove = (key: string): Uint8Array[] => {
    const nodes: Uint8Array[] = [];
    let [rest, depth]: [[string, Uint8Array][], number] = [[...entries], 0];
    for (;;) {
      const node = nodeOf(rest, depth);
      if (node === null) return nodes;
      const encoded = encodeRlp(node);
      if (depth === 0 || encoded.length >= 32) nodes.push(encoded);
      if (rest.length === 1) return nodes;
      const shared = sharedLength(rest, depth);
      const at = shared > 0 ? depth + shared : depth + 1;
      rest = rest.filter(([other]) => other.slice(0, at) === key.slice(0, at));
      depth = at;
    }
  };
  return { root: keccak_256(root), prove };
}

function nodeOf(entries: readonly [string, Uint8Array][], depth: number): Rlp | null {
  const [first] = entries;
  if (first === undefined) return null;
  const [key, value] = first;
  if (entries.length === 1) return [compactPath(key.slice(depth), true), value];
  const shared = sharedLength(entries, depth);
  if (shared > 0) return [compactPath(key.slice(depth, depth + shared), false), reference(entries, depth + shared)];
  const children = [..."0123456789abcdef"].map((digit) =>
    reference(
      entries.filter(([other]) => other.charAt(depth) === digit),
      depth + 1,
    ),
  );
  return [...children, new Uint8Array()];
}

/** Returns how a parent refers to a node: by its hash, or by its encoding if that is shorter than a hash. */
function reference(entries: readonly [string, Uint8Array][], depth: number): Rlp {
  const node = nodeOf(entries, depth);
  if (node === null) return new Uint8Array();
  const encoded = encodeRlp(node);
  return encoded.length < 32 ? node : keccak_256(encoded);
}

function sharedLength(entries: readonly [string, Uint8Array][], depth: number): number {
  const [key = ""] = entries[0] ?? [];
  let length = 0;
  while (depth + length < key.length && entries.every(([other]) => other[depth + length] === key[depth + length]))
    length++;
  return length;
}

/** Returns the hex-prefix encoding of a path. */
function compactPath(path: string, isLeaf: boolean): Uint8Array {
  const flag = (isLeaf ? 2 : 0) + (path.length % 2);
  return fromHex(`${flag}${path.length % 2 === 0 ? "0" : ""}${path}`);
}

function account(nonce: number, storageRoot: Uint8Array, codeHash: Uint8Array): Uint8Array {
  return encodeRlp([integer(nonce), integer(1000), storageRoot, codeHash]);
}

/**
 * Returns the storage key of an epoch in the contract's mapping at slot 0: the hash of the slot, as the storage trie
 * has it.
 */
function slotKey(epochNo: number): string {
  return hex(keccak_256(keccak_256(joined(integer(epochNo, 32), new Uint8Array(32)))));
}

/** Returns a number big-endian without leading zeros, or with the given number of bytes. */
function integer(value: number, length?: number): Uint8Array {
  const digits = value === 0 ? "" : value.toString(16);
  const even = digits.length % 2 === 0 ? digits : `0${digits}`;
  return fromHex(length === undefined ? even : even.padStart(2 * length, "0"));
}

function trimmed(bytes: Uint8Array): Uint8Array {
  const start = bytes.findIndex((byte) => byte !== 0);
  return start < 0 ? new Uint8Array() : bytes.subarray(start);
}

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  return new Uint8Array(Buffer.concat(parts));
}

function fromHex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, "hex"));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}
