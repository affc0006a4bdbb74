/** Numbers at the edge of what a double carries: an answer, and never an exception. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { type Json, pinKeys, type Report, referenceKernel, verify } from "../src/index.ts";

const kernel = referenceKernel;
const LARGEST = Number.MAX_SAFE_INTEGER;
const HASH = "ab".repeat(32);
const evidence = await issueStream(3, { perWindow: 2, perCheckpoint: 2 });

function check(value: unknown): Report {
  const json = JSON.parse(JSON.stringify(value)) as Json;
  return verify(kernel.canonicalize(json), { trust: pinKeys(kernel, [SERVICE.publicKeyHex]) });
}

test("a bundle after the largest possible number of windows is malformed", async () => {
  const bundle = await bundleOf(evidence);
  Object.assign(bundle.manifest.prior_windows, { window_count: LARGEST, frontier: Array(53).fill(HASH) });
  const report = check(bundle);
  assert.equal(report.verdict, "rejected");
  assert.equal(report.problems[0]?.code, "malformed");
  assert.equal(report.problems[0]?.path, "/manifest/prior_windows/window_count");
});

test("a bundle may end at the largest possible number of windows", async () => {
  const bundle = await bundleOf(evidence);
  const window_count = LARGEST - bundle.artifacts["windows.json"].length;
  Object.assign(bundle.manifest.prior_windows, { window_count, frontier: Array(52).fill(HASH) });
  assert.ok(check(bundle).problems.every(({ code }) => code !== "malformed"));
});

test("a checkpoint whose list passes the largest window number is malformed", () => {
  const checkpoint = structuredClone(evidence.checkpoints[0]);
  assert.ok(checkpoint !== undefined);
  const [first] = checkpoint.window_roots;
  assert.ok(first !== undefined);
  Object.assign(first, { window_no: LARGEST });
  Object.assign(checkpoint, { frontier: Array(52).fill(HASH) });
  const report = check(checkpoint);
  assert.equal(report.verdict, "rejected");
  assert.deepEqual([report.problems[0]?.code, report.problems[0]?.path], ["malformed", "/window_roots"]);
});

test("a checkpoint of one window may have the largest window number", () => {
  const checkpoint = structuredClone(evidence.checkpoints[0]);
  assert.ok(checkpoint !== undefined);
  const [first] = checkpoint.window_roots;
  const window_roots = [{ ...first, window_no: LARGEST }];
  const { problems } = check({ ...checkpoint, window_roots, frontier: Array(52).fill(HASH) });
  assert.ok(problems.every(({ code }) => code !== "malformed"));
});

test("sequence numbers at the limit are answered", async () => {
  const bundle = await bundleOf(evidence);
  Object.assign(bundle.manifest, { to_seq_no: LARGEST });
  for (const window of bundle.artifacts["windows.json"]) Object.assign(window, { to_seq_no: LARGEST });
  for (const record of bundle.artifacts["receipts.json"]) Object.assign(record, { seq_no: LARGEST });
  assert.equal(check(bundle).verdict, "rejected");
});

test("signatures that the runtime cannot check are not shown as checked", async () => {
  const overwhelmed = {
    ...kernel,
    verifyEd25519(): boolean[] {
      throw new RangeError("out of memory");
    },
  };
  const bundle = await bundleOf(evidence);
  const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
  const report = verify(kernel.canonicalize(bundle), { trust, kernel: overwhelmed });
  assert.deepEqual([report.verdict, report.problems[0]?.code], ["rejected", "unsupported_object"]);
  for (const check of ["receipt_signature", "window_seal", "checkpoint_seal", "bundle_seal"])
    assert.equal(report.checks.find(({ id }) => id === check)?.status, "cannot_evaluate", check);
});
