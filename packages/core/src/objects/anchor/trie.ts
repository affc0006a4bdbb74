/**
 * Merkle-Patricia proofs (Ethereum yellow paper, appendix D): the value that a trie of a known root holds under a key,
 * shown by the nodes on the way, the root's first. Every node must be used, and every step uses up at least one of the
 * key's 64 half-bytes, so that no proof costs more than its bytes. It never shows that a key is absent: to an anchor
 * that is a difference like any other.
 */
import { encodeHex } from "../../encoding/hex.ts";
import { keccak256 } from "./keccak.ts";
import { decodeRlp, type RlpItem, rlpBytes } from "./rlp.ts";

/** The half-bytes of a 32-byte key; a path has at most that many nodes. */
const KEY_NIBBLES = 64;
const BRANCH_ITEMS = 17;
const HASH_BYTES = 32;

/** The reason why a proof shows no value, and the index of the node. */
export interface TrieFault {
  readonly code: "anchor_evidence_invalid" | "anchor_does_not_bind";
  readonly node: number;
  readonly message: string;
}

/** The value under the key, or the reason why the proof does not show one. */
export type TrieLookup =
  | { readonly ok: true; readonly value: Uint8Array }
  | { readonly ok: false; readonly fault: TrieFault };

/** A node: a branch of 16 children and a value, or the rest of a path and its target. */
type Node =
  | { readonly children: readonly RlpItem[] }
  | { readonly path: string; readonly isLeaf: boolean; readonly target: RlpItem };

/**
 * Looks up the value under a key of 32 bytes in the trie of this root. Codes: `anchor_evidence_invalid` if a node
 * cannot be decoded, is missing or is unused; `anchor_does_not_bind` if a node is not the one that is referred to, or
 * if the trie holds nothing under the key.
 */
export function lookUp(root: Uint8Array, key: Uint8Array, nodes: readonly Uint8Array[]): TrieLookup {
  if (nodes.length > KEY_NIBBLES)
    return fault("anchor_evidence_invalid", KEY_NIBBLES, "no path in a trie has that many nodes");
  const decoded: Node[] = [];
  for (const [index, bytes] of nodes.entries()) {
    // A shorter node is inside of its parent.
    const item = bytes.length < HASH_BYTES ? null : decodeRlp(bytes);
    const node = item === null ? null : nodeOf(item);
    if (node === null) return fault("anchor_evidence_invalid", index, "it cannot be decoded as a node of a trie");
    decoded.push(node);
  }
  return walk(root, encodeHex(key), nodes, decoded);
}

function walk(root: Uint8Array, key: string, nodes: readonly Uint8Array[], decoded: readonly Node[]): TrieLookup {
  let used = 0;
  let rest = key;
  let next: RlpItem = { bytes: root, encodedLength: 1 + HASH_BYTES };
  for (;;) {
    // A node whose encoding is short is here itself.
    let node: Node | null = nodeOf(next);
    if (node === null) {
      const hash = rlpBytes(next, HASH_BYTES);
      if (hash === null) return fault("anchor_evidence_invalid", used, "it refers to no node by a hash");
      const bytes = nodes[used];
      node = decoded[used] ?? null;
      if (bytes === undefined || node === null)
        return fault("anchor_evidence_invalid", used, "a node on the way is missing");
      if (encodeHex(keccak256(bytes)) !== encodeHex(hash))
        return fault("anchor_does_not_bind", used, "it is not the node that is referred to");
      used++;
    }
    const at = used - 1;
    if ("children" in node) {
      const child: RlpItem | undefined = rest === "" ? undefined : node.children[nibble(rest)];
      if (child === undefined || isEmpty(child))
        return fault("anchor_does_not_bind", at, "the trie holds nothing under that key");
      rest = rest.slice(1);
      next = child;
      continue;
    }
    if (!rest.startsWith(node.path) || (node.isLeaf && rest !== node.path))
      return fault("anchor_does_not_bind", at, "the trie holds nothing under that key");
    if (!node.isLeaf) {
      rest = rest.slice(node.path.length);
      next = node.target;
      continue;
    }
    const value = rlpBytes(node.target);
    if (value === null) return fault("anchor_evidence_invalid", at, "its value is no byte string");
    if (used < nodes.length) return fault("anchor_evidence_invalid", used, "it is not used");
    return { ok: true, value };
  }
}

/** Returns the node of a decoded encoding, or null if it encodes no node. */
function nodeOf(item: RlpItem): Node | null {
  if (!("items" in item)) return null;
  const { items } = item;
  if (items.length === BRANCH_ITEMS) {
    const children = items.slice(0, BRANCH_ITEMS - 1);
    const isBranch = children.every((child) => isEmpty(child) || isReference(child)) && "bytes" in (items[16] ?? {});
    return isBranch ? { children } : null;
  }
  const [encodedPath, target] = items;
  const path = rlpBytes(encodedPath);
  if (items.length !== 2 || path === null || target === undefined) return null;
  return shortNode(encodeHex(path), target);
}

/**
 * Returns an extension or a leaf: the first half-byte of its path says which, and whether a half-byte of padding
 * follows.
 */
function shortNode(encodedPath: string, target: RlpItem): Node | null {
  const [, even, odd, path] = /^(?:([02])0|([13]))(.*)$/.exec(encodedPath) ?? [];
  if (path === undefined) return null;
  const isLeaf = even === "2" || odd === "3";
  // An extension without a path would be a step that leads nowhere.
  if (!isLeaf && (path === "" || !isReference(target))) return null;
  return { path, isLeaf, target };
}

/**
 * Says whether an item is a reference to a node: its hash, or the node itself if its encoding is shorter than a hash.
 */
function isReference(item: RlpItem): boolean {
  return "items" in item ? item.encodedLength < HASH_BYTES && nodeOf(item) !== null : item.bytes.length === HASH_BYTES;
}

function isEmpty(item: RlpItem): boolean {
  return "bytes" in item && item.bytes.length === 0;
}

function nibble(text: string): number {
  return "0123456789abcdef".indexOf(text.charAt(0));
}

function fault(code: TrieFault["code"], node: number, message: string): TrieLookup {
  return { ok: false, fault: { code, node, message } };
}
