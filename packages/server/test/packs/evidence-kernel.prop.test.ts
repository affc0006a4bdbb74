/** Long evidence is written by a separate kernel: it must make the same bytes and hashes as both kernels. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, referenceKernel, selectKernel } from "@svc/core";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { evidenceKernel } from "../../src/packs/evidence-kernel.ts";

const kernel = selectKernel("wasm");
const evidence = evidenceKernel(kernel);
const RUNS = { numRuns: runs(1000) };

const name = fc.oneof(
  fc.string({ unit: "grapheme" }),
  fc.constantFrom("10", "9", "a", "b", "é", "\ufb33", "\u{1f600}"),
);
const small = fc.oneof(
  fc.integer(),
  fc.string({ unit: "grapheme" }),
  fc.constantFrom(null, true, -0, 1e21),
  fc.constant([]),
);
/** Lists of all lengths around that of a piece, and of several pieces. */
const list = fc.oneof(fc.array(small, { maxLength: 3 }), fc.array(small, { minLength: 14, maxLength: 50 }));
const object = fc.array(fc.tuple(name, fc.oneof(small, list)), { maxLength: 6 }).map((all) => Object.fromEntries(all));
const value = fc.oneof(list, object, fc.array(object, { minLength: 10, maxLength: 40 }));

const textOf = (bytes: Uint8Array) => Buffer.from(bytes).toString("utf8");

test("long lists, and objects that hold some, have the same canonical text as with both kernels", () => {
  const seen = { longLists: 0, objects: 0 };
  fc.assert(
    fc.property(value as fc.Arbitrary<Json>, (one) => {
      const made = textOf(evidence.canonicalize(one));
      for (const other of [kernel, referenceKernel]) assert.equal(made, textOf(other.canonicalize(one)));
      if (Array.isArray(one) && one.length > 16) seen.longLists += 1;
      if (!Array.isArray(one) && Object.values(one ?? {}).some((member) => Array.isArray(member) && member.length > 16))
        seen.objects += 1;
    }),
    RUNS,
  );
  assert.ok(seen.longLists > 0 && seen.objects > 0, JSON.stringify(seen));
});

test("a hash over pieces is that of both kernels", () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 5 }), (pieces) => {
      const [hasher, ...others] = [evidence.hasher(), kernel.hasher(), referenceKernel.hasher()];
      for (const piece of pieces) for (const one of [hasher, ...others]) one.update(piece);
      const digest = Buffer.from(hasher.digest()).toString("hex");
      for (const other of others) assert.equal(Buffer.from(other.digest()).toString("hex"), digest);
    }),
    RUNS,
  );
});
