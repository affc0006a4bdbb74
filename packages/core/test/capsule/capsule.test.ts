/** One capsule of each size, against a tree that is computed naively: its leaves, root and paths, and their order. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import {
  type Capsule,
  type CapsuleSize,
  type HashHex,
  type Json,
  keepsApart,
  LISTED_NAMES,
  makeCapsule,
  openField,
  referenceKernel,
  slotOf,
} from "../../src/index.ts";
import { commitmentOf } from "../../src/objects/capsule/commitment.ts";
import { isLeafAt, rootsOf } from "../../src/objects/capsule/paths.ts";
import { countFurther, pathLength } from "../../src/objects/capsule/slot.ts";

const kernel = referenceKernel;
const sha256 = (...parts: readonly Uint8Array[]) => createHash("sha256").update(Buffer.concat(parts)).digest();
const drawn = (...words: readonly unknown[]) => sha256(Buffer.from(JSON.stringify(words))).toString("hex") as HashHex;
const OWNER = { installationId: "ins_01k30000000000000000000001", sourceRef: `psr_${drawn("source")}` };
const NAMES = [...LISTED_NAMES, "author"];

/** Returns the levels of the tree over leaves, the hashes of the leaves first (RFC 6962, for a power of two). */
function levelsOf(leaves: readonly HashHex[]): Buffer[][] {
  const levels = [leaves.map((leaf) => sha256(Uint8Array.of(0), Buffer.from(leaf, "hex")))];
  for (let level = levels[0] ?? []; level.length > 1; ) {
    const below = level;
    level = Array.from({ length: below.length / 2 }, (_, at) =>
      sha256(Uint8Array.of(1), ...below.slice(2 * at, 2 * at + 2)),
    );
    levels.push(level);
  }
  return levels;
}

/** Returns the siblings on the way from a leaf to the root, from a level on. */
function pathOf(leaves: readonly HashHex[], index: number, from = 0): string[] {
  const levels = levelsOf(leaves).slice(from, -1);
  return levels.map((level, at) => level[(index >> (from + at)) ^ 1]?.toString("hex") ?? "");
}

function made(capsuleSize: CapsuleSize, names: readonly string[] = NAMES) {
  let slotSalt = "";
  for (let draw = 0; slotSalt === "" || !keepsApart(kernel, names, slotSalt, capsuleSize); draw++)
    slotSalt = drawn("salt", draw).slice(0, 32);
  const asked: number[] = [];
  const decoy = (index: number) => {
    asked.push(index);
    return drawn("decoy", index);
  };
  // In another order than that of their places.
  const fields = [...names].reverse().map((name) => ({ name, value: `value of ${name}`, blind: drawn("blind", name) }));
  return { capsule: makeCapsule(kernel, { ...OWNER, capsuleSize, slotSalt, fields, decoy }), asked };
}

const SIZES = [8, 64, 512] as const;

test("a capsule is the tree over its commitments, each at the place of its name, and decoys elsewhere", () => {
  for (const size of SIZES) {
    const { capsule, asked } = made(size);
    const { fields, leaves, capsuleRoot, capsulePath, commitments, slotSalt } = capsule;
    const author = slotOf(kernel, "author", slotSalt, size);
    assert.deepEqual(
      fields.map(({ name, index }) => [name, index]),
      [...LISTED_NAMES.map((name, index) => [name, index]), ["author", author]],
    );
    const expected = Array.from({ length: size }, (_, at) => drawn("decoy", at));
    for (const field of fields) expected[field.index] = commitmentOf(kernel, OWNER, field);
    assert.deepEqual(leaves, expected);
    const rest = Array.from({ length: size }, (_, at) => at).filter((at) => at > 3 && at !== author);
    assert.deepEqual(asked, rest);
    assert.deepEqual(commitments, Object.fromEntries(LISTED_NAMES.map((name, at) => [name, leaves[at]])));
    assert.equal(capsuleRoot, levelsOf(leaves).at(-1)?.[0]?.toString("hex"));
    assert.deepEqual(capsulePath, pathOf(leaves, 0, 2));
    const { installationId, sourceRef, capsuleSize } = capsule;
    assert.deepEqual({ installationId, sourceRef, capsuleSize }, { ...OWNER, capsuleSize: size });
  }
});

test("a field opens by the path from its leaf to the root", () => {
  for (const size of SIZES) {
    const { capsule } = made(size);
    for (const name of NAMES) {
      const opened = openField(kernel, capsule, name);
      const { index, path } = opened;
      assert.equal(opened.value, `value of ${name}`);
      assert.deepEqual(path, pathOf(capsule.leaves, index));
      assert.equal(path.length, pathLength(size));
      const [leaf, under] = [capsule.leaves[index] as HashHex, { ...capsule, path }];
      assert.equal(isLeafAt(kernel, leaf, index, under), true);
      assert.equal(isLeafAt(kernel, leaf, index ^ 1, under), false);
      assert.equal(isLeafAt(kernel, drawn("other"), index, under), false);
    }
  }
});

test("the roots of trees of several sizes are computed together, and a path of another length leads to none", () => {
  const capsules = SIZES.map((size) => made(size).capsule);
  const cut = { ...(capsules[1] as Capsule), capsulePath: capsules[1]?.capsulePath.slice(1) ?? [] };
  const long = { ...(capsules[0] as Capsule), capsulePath: [...(capsules[0]?.capsulePath ?? []), drawn("more")] };
  const roots = capsules.map(({ capsuleRoot }) => capsuleRoot);
  assert.deepEqual(rootsOf(kernel, capsules), roots);
  assert.deepEqual(rootsOf(kernel, [...capsules].reverse()), [...roots].reverse());
  assert.deepEqual(rootsOf(kernel, [cut, ...capsules, long]), [null, ...roots, null]);
  assert.deepEqual(rootsOf(kernel, []), []);
  const [first] = capsules;
  assert.ok(first !== undefined);
  const { commitments } = first;
  const turned = {
    ...first,
    commitments: { ...commitments, content: commitments.policy, policy: commitments.content },
  };
  assert.notEqual(rootsOf(kernel, [turned])[0], first.capsuleRoot);
});

test("a capsule is refused if its names share a place, or if a value is too large or too deep", () => {
  const { capsule } = made(8);
  const decoy = () => drawn("decoy");
  const field = (name: string, value: Json) => ({ name, value, blind: drawn("blind", name) });
  const make = (...fields: ReturnType<typeof field>[]) =>
    makeCapsule(kernel, { ...OWNER, capsuleSize: 8, slotSalt: capsule.slotSalt, fields, decoy });
  assert.throws(() => make(field("content", 1), field("content", 2)), { name: "RangeError", message: /share a place/ });
  assert.throws(() => make(field("content", "a".repeat(65_535))), { name: "TypeError", message: /65537 bytes/ });
  assert.equal(make(field("content", "a".repeat(65_534))).fields.length, 1);
  const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
  assert.equal(make(field("content", nested(16))).fields.length, 1);
  assert.throws(() => make(field("content", nested(17))), { name: "TypeError", message: /deeper than 16/ });
  assert.equal(made(8, [...NAMES, "title"]).capsule.fields.length, 6);
});

test("the names beside the listed ones are counted, and each needs a separate place", () => {
  assert.deepEqual([countFurther([]), countFurther(LISTED_NAMES), countFurther([...NAMES, "title"])], [0, 0, 2]);
  const salt = drawn("salt").slice(0, 32);
  assert.throws(() => keepsApart(kernel, ["a", "b", "c"], salt, 8), { name: "RangeError", message: /at most 2 .* 3$/ });
  assert.throws(() => keepsApart(kernel, ["A"], salt, 8), { name: "TypeError", message: /"A"$/ });
  const long = `A${"b".repeat(99)}`;
  assert.throws(() => keepsApart(kernel, [long], salt, 8), { name: "TypeError", message: /"Ab{79}"$/ });
  assert.equal(keepsApart(kernel, ["content", "content"], salt, 8), false);
  assert.equal(keepsApart(kernel, [...LISTED_NAMES], salt, 8), true);
  assert.throws(() => openField(kernel, made(8).capsule, "nobody"), { name: "RangeError", message: /"nobody"$/ });
});
