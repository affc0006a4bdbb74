/**
 * Level 1: `merkle.*`, by the recursive definitions of RFC 6962 and RFC 9162 on node's SHA-256 (packages/testkit).
 * Every inclusion in up to 33 leaves, and proofs in trees too large to be built, from their paths backwards.
 */
import type { JsonObject } from "@svc/core";
import * as naive from "@svc/testkit/oracles/naive-merkle";
import { type Draft, hex } from "./draft.ts";
import { Draws } from "./draws.ts";

const LARGEST = 33;
const MAX = 2n ** 53n - 1n;
const data = Array.from({ length: 100 }, (_, index) => Buffer.from(`leaf ${index}`));
const leaves = data.map((one) => naive.leafHash(one));

/** Returns all cases of the family. */
export function merkleDrafts(): Draft[] {
  return [
    ...roots(),
    ...inclusions(),
    ...badInclusions(),
    ...consistencies(),
    ...badConsistencies(),
    ...large(),
    ...sizes(),
  ];
}

function roots(): Draft[] {
  const root = (slug: string, list: readonly Uint8Array[]): Draft => {
    const hashes = list.map((one) => naive.leafHash(one));
    const expected = { ok: true, root: hex(naive.mth(hashes)), frontier: naive.frontier(hashes).map(hex) };
    return { name: `merkle-root/${slug}`, request: { op: "merkle.root", leaves: list.map(hex) }, expected };
  };
  const numbers = [...Array.from({ length: LARGEST }, (_, index) => index + 1), 63, 64, 65, 100];
  const same = Array.from({ length: 5 }, () => Buffer.from("same"));
  return [
    ...numbers.map((size) => root(`size-${size}`, data.slice(0, size))),
    root("empty-leaf", [new Uint8Array()]),
    root("empty-leaves", [new Uint8Array(), new Uint8Array()]),
    root("same-leaves", same),
    root("swapped", [data[1], data[0]] as Uint8Array[]),
    root("leaf-like-a-node", [Buffer.concat([Buffer.of(1), ...leaves.slice(0, 2)])]),
    root("leaf-like-two-hashes", [Buffer.concat(leaves.slice(0, 2))]),
    root("long-leaf", [new Draws("long leaf").bytes(3000)]),
    {
      name: "merkle-root/no-leaves",
      request: { op: "merkle.root", leaves: [] },
      expected: { ok: false, code: "malformed" },
    },
  ];
}

function inclusion(slug: string, request: JsonObject, holds: boolean): Draft {
  const expected = holds ? { ok: true } : { ok: false, code: "inclusion_invalid" };
  return { name: `merkle-inclusion/${slug}`, request: { op: "merkle.inclusion", ...request }, expected };
}

function goodInclusion(index: number, size: number) {
  const own = leaves.slice(0, size);
  return {
    leaf_hash: hex(leaves[index] ?? new Uint8Array()),
    leaf_index: index,
    tree_size: size,
    path: naive.path(index, own).map(hex),
    root: hex(naive.mth(own)),
  };
}

function inclusions(): Draft[] {
  return Array.from({ length: LARGEST }, (_, at) => at + 1).flatMap((size) =>
    Array.from({ length: size }, (_, index) => inclusion(`${size}-${index}`, goodInclusion(index, size), true)),
  );
}

function badInclusions(): Draft[] {
  const sizes = [1, 2, 5, 13];
  const placed = sizes.flatMap((size) =>
    [...new Set([0, size - 1])].flatMap((index) => {
      const good = goodInclusion(index, size);
      const { path, leaf_hash, root } = good;
      const bad: Readonly<Record<string, JsonObject>> = {
        "path-longer": { path: [...path, root] },
        "path-longer-first": { path: [root, ...path] },
        "leaf-flipped": { leaf_hash: flipped(leaf_hash, 0) },
        "root-flipped": { root: flipped(root, 255) },
        "leaf-short": { leaf_hash: leaf_hash.slice(2) },
        "root-long": { root: `${root}00` },
        "root-none": { root: "" },
        "index-at-size": { leaf_index: size },
        "index-next": { leaf_index: index + 1 },
        "size-doubled": { tree_size: size * 2 },
        "size-0": { tree_size: 0 },
        ...(path.length === 0
          ? {}
          : {
              "path-shorter": { path: path.slice(0, -1) },
              "path-shorter-first": { path: path.slice(1) },
              "path-none": { path: [] },
              "path-hash-short": { path: path.with(0, (path[0] ?? "").slice(2)) },
              "path-hash-long": { path: path.with(-1, `${path.at(-1)}00`) },
              ...Object.fromEntries(
                path.map((hash, at) => [`path-${at}-flipped`, { path: path.with(at, flipped(hash, at * 7)) }]),
              ),
            }),
        ...(path.length > 1 ? { "path-reversed": { path: path.toReversed() } } : {}),
      };
      return Object.entries(bad).map(([slug, change]) =>
        inclusion(`bad-${size}-${index}-${slug}`, { ...good, ...change }, false),
      );
    }),
  );
  // A node hash that stands for a leaf: the tree of half the size.
  const nodes = naive.mth(leaves.slice(0, 2));
  const second = goodInclusion(0, 4);
  return [
    ...placed,
    inclusion("bad-node-as-leaf", { ...second, leaf_hash: hex(nodes), path: second.path.slice(1) }, false),
    inclusion(
      "node-in-a-smaller-tree",
      { ...second, leaf_hash: hex(nodes), path: second.path.slice(1), tree_size: 2 },
      true,
    ),
  ];
}

function consistency(slug: string, request: JsonObject, holds: boolean): Draft {
  const expected = holds ? { ok: true } : { ok: false, code: "consistency_invalid" };
  return { name: `merkle-consistency/${slug}`, request: { op: "merkle.consistency", ...request }, expected };
}

function goodConsistency(size1: number, size2: number) {
  return {
    size1,
    root1: hex(naive.mth(leaves.slice(0, size1))),
    size2,
    root2: hex(naive.mth(leaves.slice(0, size2))),
    path: naive.proof(size1, leaves.slice(0, size2)).map(hex),
  };
}

function consistencies(): Draft[] {
  const pairs = Array.from({ length: LARGEST }, (_, at) => at + 1).flatMap((size2) =>
    Array.from({ length: size2 }, (_, at) => [at + 1, size2] as const).filter(
      ([size1]) => size2 <= 9 || size1 === size2 - 1 || (size1 & (size1 - 1)) === 0,
    ),
  );
  return pairs.map(([size1, size2]) => consistency(`${size1}-${size2}`, goodConsistency(size1, size2), true));
}

function badConsistencies(): Draft[] {
  const pairs = [
    [1, 2],
    [2, 3],
    [3, 7],
    [4, 7],
    [6, 8],
    [8, 13],
  ] as const;
  return pairs.flatMap(([size1, size2]) => {
    const good = goodConsistency(size1, size2);
    const { root1, root2, path } = good;
    const bad: Readonly<Record<string, JsonObject>> = {
      "path-shorter": { path: path.slice(0, -1) },
      "path-shorter-first": { path: path.slice(1) },
      "path-longer": { path: [...path, root2] },
      "path-longer-first": { path: [root1, ...path] },
      "path-none": { path: [] },
      "path-hash-short": { path: path.with(0, (path[0] ?? "").slice(2)) },
      "root1-flipped": { root1: flipped(root1, 3) },
      "root2-flipped": { root2: flipped(root2, 254) },
      "root1-short": { root1: root1.slice(2) },
      "root2-long": { root2: `${root2}00` },
      "roots-swapped": { root1: root2, root2: root1 },
      "sizes-swapped": { size1: size2, size2: size1 },
      "size1-0": { size1: 0 },
      "sizes-0": { size1: 0, size2: 0 },
      "same-sizes": { size1: size2 },
      "same-sizes-and-no-path": { size1: size2, path: [] },
      ...Object.fromEntries(
        path.map((hash, at) => [`path-${at}-flipped`, { path: path.with(at, flipped(hash, at * 11)) }]),
      ),
    };
    return Object.entries(bad).map(([slug, change]) =>
      consistency(`bad-${size1}-${size2}-${slug}`, { ...good, ...change }, false),
    );
  });
}

/** Proofs in trees that nobody can build: random paths, and the roots that they imply. */
function large(): Draft[] {
  const draws = new Draws("large trees");
  const sizes = [2n ** 31n, 2n ** 32n + 1n, 2n ** 33n + 5n, 2n ** 53n - 2n, MAX];
  return sizes.flatMap((size) => {
    const places = [0n, size / 2n, size - 2n, size - 1n];
    return [
      ...places.flatMap((index) => {
        const path = Array.from({ length: naive.pathLength(index, size) }, () => draws.bytes(32));
        const leaf = draws.bytes(32);
        const request = {
          leaf_hash: hex(leaf),
          leaf_index: draws.below(2) === 0 ? Number(index) : `${index}`,
          tree_size: Number(size),
          path: path.map(hex),
          root: hex(naive.rootFromPath(leaf, index, size, path)),
        };
        return [
          inclusion(`large-${size}-${index}`, request, true),
          ...(index === 0n ? [inclusion(`large-${size}-bad`, { ...request, path: request.path.slice(1) }, false)] : []),
        ];
      }),
      ...[1n, size - 1n].flatMap((before) => {
        const path = Array.from({ length: naive.proofLength(before, size) }, () => draws.bytes(32));
        const [old, now] = naive.rootsFromProof(before, size, path, draws.bytes(32));
        // From a size of one bit the old root itself is the first hash of the way.
        const isWhole = (before & (before - 1n)) === 0n;
        const root1 = isWhole ? draws.bytes(32) : old;
        const root2 = isWhole ? naive.rootsFromProof(before, size, path, root1)[1] : now;
        const request = {
          size1: Number(before),
          root1: hex(root1),
          size2: `${size}`,
          root2: hex(root2),
          path: path.map(hex),
        };
        return [
          consistency(`large-${before}-${size}`, request, true),
          consistency(`large-${before}-${size}-bad`, { ...request, path: request.path.slice(0, -1) }, false),
        ];
      }),
    ];
  });
}

/** Sizes as numbers and as texts, and those that are beyond the protocol's integers or are no sizes. */
function sizes(): Draft[] {
  const hash = "00".repeat(32);
  const lone = { leaf_hash: hash, path: [], root: hash };
  const equal = { root1: hash, root2: hash, path: [] };
  const refused = (name: string, op: string, members: JsonObject, code: string): Draft => ({
    name: `merkle-sizes/${name}`,
    request: { op, ...members },
    expected: { ok: false, code },
  });
  const beyond = [
    "9007199254740992",
    "9007199254740993",
    "18446744073709551615",
    "18446744073709551616",
    "9".repeat(40),
  ];
  const none = [
    -1,
    0.5,
    2 ** 53,
    1e300,
    "",
    "-1",
    "+1",
    "01",
    "1.0",
    "1e3",
    " 1",
    "1 ",
    "1\n",
    "0x1",
    "\u0661",
    "\uff11",
    "1_0",
  ];
  return [
    inclusion("one-as-text", { ...lone, leaf_index: "0", tree_size: "1" }, true),
    inclusion("max-as-text", { ...lone, leaf_index: "9007199254740990", tree_size: "9007199254740991" }, false),
    consistency("max-equal", { ...equal, size1: Number(MAX), size2: `${MAX}` }, true),
    consistency("max-as-number-equal", { ...equal, size1: Number(MAX), size2: Number(MAX) }, true),
    ...beyond.flatMap((size, at) => [
      refused(`beyond-${at}`, "merkle.inclusion", { ...lone, leaf_index: 0, tree_size: size }, "malformed"),
      refused(`beyond-index-${at}`, "merkle.inclusion", { ...lone, leaf_index: size, tree_size: 1 }, "malformed"),
      refused(`beyond-consistency-${at}`, "merkle.consistency", { ...equal, size1: size, size2: size }, "malformed"),
    ]),
    ...[...none, null, true, [1], {}].map((size, at) =>
      refused(`no-size-${at}`, "merkle.inclusion", { ...lone, leaf_index: 0, tree_size: size }, "malformed_request"),
    ),
  ];
}

function flipped(hash: string, bit: number): string {
  const bytes = Buffer.from(hash, "hex");
  const at = (bit >> 3) % bytes.length;
  bytes[at] = (bytes[at] ?? 0) ^ (1 << (bit & 7));
  return bytes.toString("hex");
}
