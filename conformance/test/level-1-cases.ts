/** Cases of level 1, whose answers core gives: texts that readers take in different ways, trees of many sizes. */
import { encodeBase64, encodeHex, type JsonObject, referenceKernel } from "@svc/core";
import { answer } from "../../packages/cli/src/conformance/answer.ts";
import type { Case } from "../src/cases/case.ts";

const TEXTS = [
  '{"b":[1,2.50,-0,1e21,1e-7,5e-324,1.7976931348623157e308],"a":"\\u00e9\\ud83d\\ude00\\/\\b\\u001f\\u007f"}',
  '{"\\ufb33":1,"\\ud83d\\ude00":2,"\\r":3,"1":4,"":5,"\\u0080":6}',
  " [ true , false , null , {} , [ ] ] ",
  "333333333.33333329 ",
  "9007199254740991",
  "9007199254740992",
  "9007199254740993",
  "100000000000000000000000",
  "123456789012345680000",
  "1e400",
  "1e-400",
  "0e-400",
  "0.000001",
  "0.0000001",
  "123e18",
  "-1E+2",
  "01",
  "1.",
  "1.e1",
  ".5",
  "-",
  "1e",
  "1e+",
  "+1",
  "nul",
  "nulx",
  "truefalse",
  "[1,]",
  "[1 2]",
  "[",
  "{",
  '{"a"}',
  '{"a":1,}',
  '{"a":1 "b"}',
  "{a:1}",
  '{"a":1,"\\u0061":2}',
  '{"a":1,"a"x',
  '{"__proto__":1,"constructor":2}',
  '"\\ud800"',
  '"\\udc00"',
  '"\\ud800\\udbff"',
  '"\\ud83d\\u12"',
  '"\\u12g4"',
  '"\\q"',
  '"\\u12',
  '"a\tb"',
  '"\ufffe"',
  '"',
  "",
  " ",
  "\ufeff1",
  "1 2",
  "\u00a01",
  `${"[".repeat(64)}${"]".repeat(64)}`,
  `${"[".repeat(65)}${"]".repeat(65)}`,
  `${'{"a":'.repeat(65)}1`,
  `[${"1".repeat(400)}]`,
];
const BYTES = [
  [0x22, 0xff, 0x22],
  [0x5b, 0xed, 0xa0, 0x80],
  [0x22, 0xc3],
  [0x22, 0xf0, 0x9f, 0x98],
  [0x78, 0xc0, 0x80],
];
const SIZES = [0, 1, 2, 3, 4, 5, 7, 8, 9, 13];

/** Returns the cases; every answer is core's. */
export function levelOneCases(): Case[] {
  const inputs = [
    ...TEXTS.map((text) => new TextEncoder().encode(text)),
    ...BYTES.map((bytes) => new Uint8Array(bytes)),
  ];
  const base64 = inputs.map((bytes) => encodeBase64(bytes));
  const requests: JsonObject[] = [
    ...base64.map((bytes) => ({ op: "json.canonical", bytes })),
    ...["event", "a~!", "", "a b", "é"].map((tag) => ({ op: "digest", tag, bytes: base64[0] ?? "" })),
    ...base64.map((bytes) => ({ op: "digest", tag: "event", bytes })),
    ...SIZES.map((size) => ({ op: "merkle.root", leaves: leavesOf(size) })),
    { op: "merkle.root", leaves: ["0G"] },
    { op: "merkle.root", leaves: ["AB"] },
    { op: "merkle.root", leaves: "00" },
    { op: "json.canonical", bytes: "e30" },
    { op: "json.canonical", bytes: "e31=" },
    { op: "json.canonical", bytes: "e30=", more: 1 },
    ...SIZES.slice(1).flatMap(inclusions),
    ...SIZES.slice(1).flatMap((size2) =>
      SIZES.filter((size1) => size1 <= size2).map((size1) => consistency(size1, size2)),
    ),
    ...oddProofs(),
  ];
  return requests.map((request, index) => {
    const { id: _, message: __, ...right } = answer({ id: 0, ...request }, referenceKernel);
    return { name: `1/own/${index}`, level: 1, request, answer: right } as unknown as Case;
  });
}

function leavesOf(size: number): string[] {
  return Array.from({ length: size }, (_, index) => index.toString(16).padStart(2, "0"));
}

function hashesOf(size: number): Uint8Array[] {
  return leavesOf(size).map((leaf) => referenceKernel.leafHash(Buffer.from(leaf, "hex")));
}

function rootOf(hashes: readonly Uint8Array[]): string {
  return encodeHex(referenceKernel.rootFromFrontier(referenceKernel.appendToFrontier(0, [], [...hashes])));
}

/** The path of RFC 6962 section 2.1.1, from its definition. */
function pathOf(index: number, hashes: readonly Uint8Array[]): string[] {
  if (hashes.length === 1) return [];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  return index < split ? [...pathOf(index, left), rootOf(right)] : [...pathOf(index - split, right), rootOf(left)];
}

/** The proof of RFC 6962 section 2.1.2, from its definition. */
function proofOf(size1: number, hashes: readonly Uint8Array[], isWhole: boolean): string[] {
  if (size1 === hashes.length) return isWhole ? [] : [rootOf(hashes)];
  const split = splitOf(hashes.length);
  const [left, right] = [hashes.slice(0, split), hashes.slice(split)];
  if (size1 <= split) return [...proofOf(size1, left, isWhole), rootOf(right)];
  return [...proofOf(size1 - split, right, false), rootOf(left)];
}

/** The largest power of two below a size of at least 2. */
function splitOf(size: number): number {
  return 2 ** Math.floor(Math.log2(size - 1));
}

function inclusions(size: number): JsonObject[] {
  const hashes = hashesOf(size);
  return [0, size - 1, size >> 1].flatMap((index) => {
    const leaf_hash = encodeHex(hashes[index] ?? new Uint8Array());
    const good = { op: "merkle.inclusion", leaf_hash, leaf_index: index, tree_size: `${size}`, root: rootOf(hashes) };
    const path = pathOf(index, hashes);
    return [path, [...path, leaf_hash], path.slice(1), path.toReversed()].map((one) => ({ ...good, path: one }));
  });
}

function consistency(size1: number, size2: number): JsonObject {
  const hashes = hashesOf(size2);
  const root1 = size1 === 0 ? "00".repeat(32) : rootOf(hashes.slice(0, size1));
  const path = size1 === 0 ? [] : proofOf(size1, hashes, true);
  return { op: "merkle.consistency", size1, root1, size2, root2: rootOf(hashes), path };
}

function oddProofs(): JsonObject[] {
  const [inclusion, proof] = [inclusions(5)[0] ?? {}, consistency(3, 5)];
  const sizes = ["9007199254740991", "9007199254740992", "18446744073709551616", "01", "-1", 1.5, -1, true, null];
  return [
    ...sizes.map((tree_size) => ({ ...inclusion, tree_size })),
    ...sizes.map((size2) => ({ ...proof, size2 })),
    { ...proof, size1: 6 },
    { ...proof, root1: "00" },
    { ...proof, path: [] },
    { ...inclusion, leaf_index: 5 },
    { ...inclusion, root: "" },
  ];
}
