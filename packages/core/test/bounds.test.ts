/**
 * Files made to be expensive: an answer of bounded size, without an exception, in memory that the file's size bounds.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, issueStream, ORIGIN, SERVICE, WITNESS } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { type Bundle, type Json, pinKeys, type Report, referenceKernel, verify } from "../src/index.ts";
import { MAX_PROBLEMS } from "../src/report/bounds.ts";

const kernel = referenceKernel;
const pinned = pinKeys(kernel, [SERVICE.publicKeyHex]);
const evidence = await issueStream(3, { perWindow: 2, perCheckpoint: 1 });

async function check(change: (bundle: Bundle) => unknown): Promise<Report> {
  const copy = JSON.parse(JSON.stringify(await bundleOf(evidence))) as Bundle;
  change(copy);
  return verify(new TextEncoder().encode(JSON.stringify(copy)), { trust: pinned });
}

function assertBounded(report: Report): void {
  assert.equal(report.verdict, "rejected");
  assert.ok(report.problems.length <= MAX_PROBLEMS);
  assert.ok(JSON.stringify(report).length < 5_000_000, `${JSON.stringify(report).length} characters`);
}

test("a million wrong elements give a bounded report", async () => {
  assertBounded(await check(({ artifacts }) => Object.assign(artifacts, { "anchors.json": Array(1_000_000).fill(0) })));
});

test("thousands of unknown members under one long name give a bounded report", async () => {
  const members = Object.fromEntries(Array.from({ length: 20_000 }, (_, index) => [`${index}`, 0]));
  assertBounded(await check((bundle) => Object.assign(bundle, { payloads: { ["a".repeat(40_000)]: members } })));
});

test("a thousand problems under a name of a megabyte do not repeat it", async () => {
  const name = "a".repeat(1_000_000);
  const members = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`${index}`, 0]));
  assertBounded(await check((bundle) => Object.assign(bundle, { payloads: { [name]: members } })));
  const payload = JSON.parse("[".repeat(40) + "]".repeat(40)) as Json;
  assertBounded(await check((bundle) => Object.assign(bundle, { [name]: Array(1000).fill({ payload }) })));
});

test("more faults than an argument list can hold are answered", async () => {
  const [policy] = (await bundleOf(evidence)).artifacts["witnesses.json"].witness_policies;
  const faulty = Array(130_000).fill({ ...policy, witnessKeys: [] });
  assertBounded(
    await check(({ artifacts }) => Object.assign(artifacts["witnesses.json"], { witness_policies: faulty })),
  );
});

test("one witness under two keys of one name, or one key under two names, counts once", async () => {
  const bundle = JSON.parse(JSON.stringify(await bundleOf(evidence))) as Json;
  const bytes = kernel.canonicalize(bundle);
  const name = `${ORIGIN}/witness`;
  const witnesses = [
    { name, public_key_hex: WITNESS.publicKeyHex },
    { name, public_key_hex: testSigner("second").publicKeyHex },
    { name: `${ORIGIN}/other`, public_key_hex: WITNESS.publicKeyHex },
  ];
  assert.equal(verify(bytes, { trust: { ...pinned, witnesses, quorum: 1 } }).assurance.witnessed.pinned, 1);
  const twice = verify(bytes, { trust: { ...pinned, witnesses, quorum: 2 } });
  assert.deepEqual(
    twice.problems.map(({ code }) => code),
    ["witness_quorum_unmet"],
  );
});

test("a pinned witness whose key is revoked does not count", async () => {
  const bytes = kernel.canonicalize(JSON.parse(JSON.stringify(await bundleOf(evidence))) as Json);
  const witnesses = [{ name: `${ORIGIN}/witness`, public_key_hex: WITNESS.publicKeyHex }];
  const [witness] = pinKeys(kernel, [WITNESS.publicKeyHex]).signers;
  const trust = { ...pinned, witnesses, quorum: 1, revoked: [witness?.kid ?? ("" as never)] };
  assert.equal(verify(bytes, { trust }).problems[0]?.code, "witness_quorum_unmet");
});

test("what cannot be evaluated and is expected is rejected", async () => {
  const [receipt] = evidence.records;
  const inclusion = {
    window_id: "win_01k30000000000000000000001",
    seq_no: 1,
    event_hash: receipt?.event_hash,
    leaf_hash: "ab".repeat(32),
    leaf_index: 0,
    tree_size: 1,
    inclusion_path: [],
    window_root: "ab".repeat(32),
  };
  const trust = { ...pinned, expect: { stream_id: receipt?.stream_id ?? "" } };
  const codes = verify(kernel.canonicalize(inclusion as Json), { trust }).problems.map(({ code }) => code);
  assert.ok(codes.includes("stream_unexpected"));
});

test("what the runtime cannot hold is rejected, and nothing looks checked", () => {
  const failing = {
    ...kernel,
    parseJson: () => {
      throw new RangeError("Invalid string length");
    },
  };
  const report = verify(new Uint8Array(), { kernel: failing, trust: pinned });
  assert.deepEqual([report.verdict, report.problems[0]?.code], ["rejected", "unsupported_object"]);
  assert.ok(!report.checks.some(({ status }) => status === "pass"));
});
