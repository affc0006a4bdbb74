/**
 * The kind of a value: the one that shares most members with it, if it has half of the members that the kind demands.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Json, type JsonObject, type Kind, referenceKernel, verify } from "../src/index.ts";
import { checksOf } from "../src/report/checks.ts";
import { detectKind, isKind, isObject, isOverAnchors, kindEntry } from "../src/verify/kinds.ts";
import { vaultEvidence } from "../src/verify/vaults.ts";
import { KINDS } from "./tamper-goods.ts";

const INCLUSION = ["leaf_hash", "leaf_index", "tree_size", "inclusion_path"];
const STATEMENT = ["witness_id", "key_epoch", "cosigned_at", "checkpoint_hash", "signature"];

/** Returns an object with these members; their values do not matter. */
function withMembers(...names: readonly string[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, 0]));
}

test("what has all members of a kind, or all that it demands, is of that kind", () => {
  for (const kind of KINDS) {
    const { members, required } = kindEntry(kind, null, vaultEvidence);
    assert.equal(detectKind(withMembers(...members)), kind);
    assert.equal(detectKind(withMembers(...required)), kind);
  }
  assert.equal(detectKind(withMembers("from_anchor", "to_anchor", "consistency_path")), "consistency");
});

test("a name is that of a kind in these letters alone, and no member that every object has is one", () => {
  for (const kind of [...KINDS, "truth-package"]) assert.equal(isKind(kind), true, kind);
  for (const name of ["", "Bundle", "bundles", "toString", "__proto__"]) assert.equal(isKind(name), false, name);
});

test("half of the members that a kind demands are enough, and less is of no kind", () => {
  assert.equal(kindEntry("inclusion", null, vaultEvidence).required.length, 2 * INCLUSION.length);
  assert.equal(detectKind(withMembers(...INCLUSION)), "inclusion");
  assert.equal(detectKind(withMembers(...INCLUSION.slice(1))), null);
  assert.equal(detectKind(withMembers(...INCLUSION.slice(1), "unknown", "stranger")), null);
  assert.equal(detectKind({}), null);
});

test("of two kinds the one that shares more members counts, and of two that share as many the first", () => {
  const both = [...INCLUSION, ...STATEMENT];
  assert.equal(detectKind(withMembers(...both)), "witness");
  assert.equal(detectKind(withMembers(...both, "seq_no")), "inclusion");
  assert.equal(detectKind(withMembers(...both, "seq_no", "window_count")), "witness");
});

test("an object is neither null nor a list, a text, a number or a truth value", () => {
  assert.equal(isObject({}), true);
  for (const value of [null, [], "{}", 0, true] as Json[]) {
    assert.equal(isObject(value), false, JSON.stringify(value));
    assert.equal(detectKind(value), null, JSON.stringify(value));
    const { problems } = verify(referenceKernel.canonicalize(value));
    assert.deepEqual(
      problems.map(({ code, path }) => [code, path]),
      [["malformed", ""]],
    );
  }
  const [problem] = verify(referenceKernel.canonicalize({})).problems;
  assert.deepEqual([problem?.code, problem?.path], ["unsupported_object", ""]);
});

test("consistency evidence with one of the anchors is meant to be over anchors, and nothing else is", () => {
  for (const names of [["from_anchor"], ["to_anchor"], ["from_anchor", "to_anchor"]]) {
    assert.equal(isOverAnchors("consistency", withMembers(...names)), true, names.join());
    assert.equal(isOverAnchors("window", withMembers(...names)), false, names.join());
  }
  const asManyOfBoth = withMembers("to_checkpoint", "to_anchor");
  for (const value of [withMembers("from_checkpoint", "anchor"), asManyOfBoth, {}, null, ["from_anchor"]] as Json[])
    assert.equal(isOverAnchors("consistency", value), false, JSON.stringify(value));
  assert.equal(kindEntry("window", withMembers("from_anchor")), kindEntry("window"));
  assert.notEqual(kindEntry("consistency", withMembers("from_anchor")), kindEntry("consistency"));
});

test("a value that is verified as a kind gets the checks of that kind", () => {
  for (const kind of KINDS) {
    const report = verify(referenceKernel.canonicalize(withMembers("from_anchor")), { kind });
    const due = checksOf(kind === "consistency" ? "anchor-consistency" : kind);
    assert.deepEqual(
      report.checks.map(({ id }) => id),
      due,
      kind,
    );
  }
});

test("an unknown kind is a caller's mistake, and the error names it", () => {
  for (const kind of ["", "Receipt", "ivc", "__proto__"])
    assert.throws(() => verify(new Uint8Array(), { kind: kind as Kind }), {
      name: "TypeError",
      message: `${JSON.stringify(kind)} is no kind that this release verifies`,
    });
});
