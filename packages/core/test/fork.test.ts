/**
 * Fork evidence accuses somebody, so none of it may be bent: no small change of good evidence stays `verified`.
 * Excepted are members that only say who keeps it, and unsealed parts of a side that may be left out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { FORK_TRUST, forks, told } from "@svc/testkit/evidence/forks";
import { bundleOf, SERVICE } from "@svc/testkit/evidence/service";
import { FORK_KINDS, type ForkEvidence, type Json, referenceKernel, verify } from "../src/index.ts";
import { mutants } from "./mutations.ts";

const found = await forks();
const check = (value: unknown, trust = FORK_TRUST) => verify(referenceKernel.canonicalize(value as Json), { trust });

/** These may change: no signature covers them. */
const KEEPERS = /^\/(fork_id|detected_at) changed to "(frk_\w+|[-\d:.TZ]+)"$/;
/** These may be left out: no seal covers them, and the contradiction does not rest on them. */
const UNSEALED =
  /^\/(left|right)\/(frontier deleted|members(\/\d (dropped|repeated|swapped)|\/\d\/checkpoint_id changed to .*))$/;

for (const { name, kind, evidence } of found) {
  test(`no mutant of the evidence ${name} (${kind}) stays verified`, () => {
    const { key_hints: _hints, ...good } = JSON.parse(JSON.stringify(evidence)) as ForkEvidence;
    assert.equal(check(good).verdict, "verified");
    const survivors: string[] = [];
    let count = 0;
    for (const { what, value } of mutants(good)) {
      count++;
      const report = check(value);
      if (!report.ok) assert.notEqual(report.problems.length, 0, `${what} is ${report.verdict} without a problem`);
      else if (!KEEPERS.test(what) && !UNSEALED.test(what)) survivors.push(what);
    }
    assert.deepEqual(survivors, []);
    assert.ok(count > 20);
  });
}

test("a fork's sides may stand either way where the kind has no order", () => {
  const ordered = ["chain", "leaf", "omission"];
  for (const { name, kind, evidence } of found) {
    const { left_hash, left_path, right_hash, right_path, index } = evidence.divergence ?? {};
    const divergence =
      evidence.divergence === null
        ? null
        : { index, left_hash: right_hash, left_path: right_path, right_hash: left_hash, right_path: left_path };
    const turned = check({ ...evidence, left: evidence.right, right: evidence.left, divergence });
    assert.equal(turned.verdict, ordered.includes(kind) ? "rejected" : "verified", name);
  }
});

test("evidence under another kind's name never fails to be read", () => {
  for (const { evidence } of found) {
    for (const kind of FORK_KINDS) {
      const { verdict, problems } = check({ ...evidence, kind });
      assert.equal(verdict === "verified", problems.length === 0);
    }
  }
});

test(
  "what the verifier requires and demands of witnesses does not concern fork evidence; the stream that it expects " +
    "does",
  () => {
    const [{ evidence } = found[0] ?? assert.fail()] = found;
    const demanding = { ...FORK_TRUST, quorum: 1, require: ["witnessed" as const, "anchored" as const] };
    for (const one of found) assert.equal(check(one.evidence, demanding).verdict, "verified", one.name);
    const expecting = { ...FORK_TRUST, expect: { stream_id: "str_01k30000000000000000000009" } };
    assert.deepEqual(
      check(evidence, expecting).problems.map(({ code }) => code),
      ["stream_unexpected"],
    );
  },
);

test("in a bundle each piece of evidence is judged, and the bundle's own signatures still hold", async () => {
  const pieces = found.map(({ evidence }) => evidence);
  const report = check(await bundleOf(told, 1, SERVICE, [], pieces));
  assert.equal(report.verdict, "rejected");
  assert.deepEqual(
    report.problems.map(({ code, path }) => `${code} ${path}`),
    pieces.map((_, index) => `fork_detected /artifacts/forks.json/${index}`),
  );
  assert.equal(report.assurance.signed, true);
});
