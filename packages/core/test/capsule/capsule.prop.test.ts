/**
 * The promises of a capsule: whatever the fields and the salt, each opens at the place of its name and nowhere else, no
 * two values are under one name, no path of another size leads to the root, and no leaf is used twice.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import {
  type Capsule,
  type CapsuleSize,
  type HashHex,
  type Json,
  keepsApart,
  LISTED_NAMES,
  makeCapsule,
  type OpenedField,
  openField,
  referenceKernel,
  selectKernel,
  slotOf,
} from "../../src/index.ts";
import { commitmentOf, MAX_VALUE_BYTES, MAX_VALUE_DEPTH, valueFault } from "../../src/objects/capsule/commitment.ts";
import { isLeafAt, rootsOf } from "../../src/objects/capsule/paths.ts";
import { CAPSULE_SIZES, pathLength } from "../../src/objects/capsule/slot.ts";

const kernel = selectKernel();
const drawn = (...words: readonly unknown[]) =>
  createHash("sha256").update(JSON.stringify(words)).digest("hex") as HashHex;
const OWNER = { installationId: "ins_01k30000000000000000000001", sourceRef: `psr_${drawn("source")}` };
const MOST_FURTHER: Readonly<Record<CapsuleSize, number>> = { 8: 2, 64: 16, 512: 60 };

const name = fc.stringMatching(/^[a-z][A-Za-z0-9_.-]{0,63}$/);
const value = fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json>;

/** Capsules of every size, with any of the listed names and some further ones. */
const capsules = fc.constantFrom(...CAPSULE_SIZES).chain((capsuleSize) =>
  fc
    .record({
      listed: fc.subarray([...LISTED_NAMES]),
      further: fc.uniqueArray(name, { maxLength: MOST_FURTHER[capsuleSize] }),
      values: fc.array(value, { minLength: 64, maxLength: 64 }),
      seed: fc.nat(),
    })
    .map(({ listed, further, values, seed }) => {
      const names = [...new Set([...listed, ...further.filter((one) => !isListed(one))])];
      let slotSalt = "";
      for (let draw = 0; slotSalt === "" || !keepsApart(kernel, names, slotSalt, capsuleSize); draw++)
        slotSalt = drawn("salt", seed, draw).slice(0, 32);
      const fields = names.map((one, index) => ({
        name: one,
        value: values[index] as Json,
        blind: drawn("blind", seed, index),
      }));
      return makeCapsule(kernel, { ...OWNER, capsuleSize, slotSalt, fields, decoy: (at) => drawn("decoy", seed, at) });
    }),
);

function isListed(one: string): boolean {
  return (LISTED_NAMES as readonly string[]).includes(one);
}

/** Says whether an opening holds, as a verifier sees it. */
function opens({ capsuleSize, slotSalt, capsuleRoot }: Capsule, field: OpenedField, index = field.index): boolean {
  const commitment = commitmentOf(kernel, OWNER, { ...field, index });
  return (
    index === slotOf(kernel, field.name, slotSalt, capsuleSize) &&
    isLeafAt(kernel, commitment, index, { capsuleSize, capsuleRoot, path: field.path })
  );
}

const RUNS = { numRuns: runs(200) };

test("each field opens, at the only place of its name, and its commitment appears once among the leaves", () => {
  fc.assert(
    fc.property(capsules, (capsule) => {
      for (const { name: own, index } of capsule.fields) {
        const field = openField(kernel, capsule, own);
        assert.equal(field.path.length, pathLength(capsule.capsuleSize));
        assert.ok(opens(capsule, field), own);
        const commitment = commitmentOf(kernel, OWNER, field);
        assert.deepEqual(
          capsule.leaves.flatMap((leaf, at) => (leaf === commitment ? [at] : [])),
          [index],
        );
      }
      assert.equal(new Set(capsule.fields.map(({ index }) => index)).size, capsule.fields.length);
      assert.ok(rootsOf(kernel, [capsule])[0] === capsule.capsuleRoot);
    }),
    RUNS,
  );
});

test("no other value, name, place, blind or path opens", () => {
  fc.assert(
    fc.property(capsules, value, name, fc.nat(), (capsule, otherValue, otherName, at) => {
      const [first] = capsule.fields;
      if (first === undefined) return;
      const field = openField(kernel, capsule, first.name);
      if (JSON.stringify(otherValue) !== JSON.stringify(field.value))
        assert.ok(!opens(capsule, { ...field, value: otherValue }));
      if (otherName !== field.name) assert.ok(!opens(capsule, { ...field, name: otherName }));
      const index = at % capsule.capsuleSize;
      if (index !== field.index) assert.ok(!opens(capsule, field, index));
      assert.ok(!opens(capsule, { ...field, blind: drawn("other") }));
      for (const path of [field.path.slice(1), field.path.slice(0, -1), [...field.path, drawn("more")], []])
        assert.ok(!opens(capsule, { ...field, path }));
    }),
    RUNS,
  );
});

test("the listed commitments lead to the root by a path of exactly one length, and in one order", () => {
  fc.assert(
    fc.property(capsules, (capsule) => {
      const { commitments, capsulePath, capsuleRoot } = capsule;
      const leads = (changes: object) => rootsOf(kernel, [{ ...capsule, ...changes }])[0] === capsuleRoot;
      assert.ok(!leads({ capsulePath: capsulePath.slice(1) }));
      assert.ok(!leads({ capsulePath: [...capsulePath, drawn("more")] }));
      assert.ok(
        !leads({ commitments: { ...commitments, content: commitments.context, context: commitments.content } }),
      );
      for (const capsuleSize of CAPSULE_SIZES)
        assert.equal(leads({ capsuleSize }), capsuleSize === capsule.capsuleSize);
    }),
    RUNS,
  );
});

test("the place of a name is the remainder of its hash, as big integers give it", () => {
  fc.assert(
    fc.property(name, fc.constantFrom(...CAPSULE_SIZES), fc.nat(), (own, capsuleSize, seed) => {
      const slotSalt = drawn("salt", seed).slice(0, 32);
      const line = Buffer.from("SVC-PROVENANCE-001/slot\n");
      const hash = createHash("sha256").update(line).update(Buffer.from(slotSalt, "hex")).update(own).digest();
      const further = 4 + Number(hash.readBigUInt64BE() % BigInt(capsuleSize - 4));
      const expected = isListed(own) ? (LISTED_NAMES as readonly string[]).indexOf(own) : further;
      assert.equal(slotOf(referenceKernel, own, slotSalt, capsuleSize), expected);
    }),
    { numRuns: runs(2000) },
  );
});

test("a capsule is refused whose names share a place, have another form, or are too many", () => {
  const slotSalt = drawn("salt").slice(0, 32);
  const make = (names: readonly string[], capsuleSize: CapsuleSize = 8) =>
    makeCapsule(kernel, {
      ...OWNER,
      capsuleSize,
      slotSalt,
      fields: names.map((one) => ({ name: one, value: null, blind: drawn(one) })),
      decoy: (at) => drawn("decoy", at),
    });
  const further = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
  assert.throws(() => make(["content", "content"]), RangeError);
  const [first = "", ...others] = further(20);
  const twin = others.find((one) => slotOf(kernel, one, slotSalt, 8) === slotOf(kernel, first, slotSalt, 8)) ?? "";
  assert.throws(() => make([first, twin]), /share a place/);
  for (const bad of ["", "Name", "1st", "a b", "ü", `a${"b".repeat(64)}`, "a/b"])
    assert.throws(() => make([bad]), TypeError, bad);
  assert.throws(() => make(further(3)), /at most 2 further names/);
  assert.throws(() => make(further(17), 64), /at most 16/);
  assert.throws(() => make(further(61), 512), /at most 60/);
  assert.throws(() => openField(kernel, make(["content"]), "author"), RangeError);
});

test("a value is committed to up to 65,536 bytes and 16 levels, and no further", () => {
  const text = (bytes: number) => "a".repeat(bytes - 2);
  const nested = (depth: number): Json => (depth === 0 ? 1 : [nested(depth - 1)]);
  assert.equal(valueFault(kernel, text(MAX_VALUE_BYTES)), null);
  assert.match(`${valueFault(kernel, text(MAX_VALUE_BYTES + 1))}`, /65537 bytes/);
  assert.equal(valueFault(kernel, nested(MAX_VALUE_DEPTH)), null);
  assert.match(`${valueFault(kernel, nested(MAX_VALUE_DEPTH + 1))}`, /deeper than 16/);
  const fields = [{ name: "content", value: text(MAX_VALUE_BYTES + 1), blind: drawn("blind") }];
  const input = {
    ...OWNER,
    capsuleSize: 8 as const,
    slotSalt: drawn("s").slice(0, 32),
    fields,
    decoy: () => drawn("d"),
  };
  assert.throws(() => makeCapsule(kernel, input), TypeError);
});
