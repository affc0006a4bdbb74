/**
 * Epochs by recomputation: what is issued verifies, what is not the range's steps does not, and no count sizes work.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resealEpoch } from "@svc/testkit/evidence/resealed";
import { at, frontierOf, id } from "@svc/testkit/evidence/service";
import { readVectorJson, vectorCases } from "@svc/testkit/vectors";
import { crossCheck, type IvcEpoch, ivcEpochHash, type Json, showFrontier, verify } from "../../src/index.ts";
import { IVC_NOTE } from "../../src/objects/ivc/examine.ts";
import { genesisState } from "../../src/objects/ivc/state.ts";
import { checkpoints, first, issue, kernel, second, shown, trust, windows } from "./two-epochs.ts";

/** Seals an epoch anew, as a service would that lies. */
const lying = (epoch: IvcEpoch, change: Partial<IvcEpoch>) => resealEpoch(epoch, change);

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value));
function codes(epoch: IvcEpoch, policy: Json = trust as Json): string[] {
  const { report, cross_check } = crossCheck(bytesOf(epoch), { trust: policy });
  assert.equal(cross_check.first_difference, null);
  return [report.verdict, ...report.problems.map(({ code }) => code)];
}

test("what is issued verifies, the first epoch and one after it", () => {
  assert.deepEqual(codes(first), ["verified"]);
  assert.deepEqual(codes(second), ["verified"]);
  assert.equal(second.previous_ivc_epoch_hash, ivcEpochHash(kernel, first));
  assert.equal(second.initial_state, first.final_state);
  assert.equal(first.initial_state, genesisState(kernel, first.stream_id, first.origin));
});

test("the check says what it is, whatever the epoch says of a review", async () => {
  const reviewed = await lying(first, { review: { state: "reviewed", reference: "report 1" } });
  for (const [epoch, own] of [
    [first, false],
    [reviewed, false],
    [second, true],
  ] as const) {
    const { checks, assurance } = verify(bytesOf(epoch), { trust });
    const { status, note = "" } = checks.find((check) => check.id === "ivc") ?? {};
    assert.equal(status, "pass");
    assert.ok(note.startsWith(IVC_NOTE));
    assert.equal(note.includes("its own word"), own);
    assert.deepEqual([assurance.included, assurance.complete, assurance.witnessed.valid], [false, false, 0]);
  }
});

test("no trust policy can require an epoch, and none asks one for a quorum", () => {
  const asking = { ...trust, require: ["included", "anchored"], quorum: 1, witnesses: [] };
  assert.deepEqual(codes(first, asking as unknown as Json), ["verified"]);
});

test("an expected stream is held against it", () => {
  assert.deepEqual(codes(first, { ...trust, expect: { stream_id: id("str", 2) } } as Json), [
    "rejected",
    "stream_unexpected",
  ]);
});

test("a count that is not the range's, or no possible one, is refused before anything is done by it", async () => {
  const largest = Number.MAX_SAFE_INTEGER;
  for (const change of [
    { step_count: 0 },
    { step_count: 1 },
    { step_count: 3 },
    { step_count: largest, to_checkpoint_no: largest },
    { step_count: 1025, to_checkpoint_no: 1025 },
    { step_count: 0, from_checkpoint_no: 3, to_checkpoint_no: 2 },
  ])
    assert.ok(codes(await lying(first, change)).includes("ivc_steps_incomplete"), JSON.stringify(change));
  const absent = await lying(first, { step_count: 1024, to_checkpoint_no: 1024 });
  const { checkpoints: _, ...without } = absent;
  assert.deepEqual(codes(without as IvcEpoch), ["untrusted", "ivc_steps_absent"]);
  assert.deepEqual(codes(absent), ["rejected", "ivc_steps_incomplete"]);
  assert.deepEqual(codes({ ...first, step_count: 2 ** 53 }).slice(0, 2), ["rejected", "malformed"]);
});

test("the first epoch, checkpoint 1 and no epoch before stand together", async () => {
  const zeros = "0".repeat(64) as IvcEpoch["initial_state"];
  for (const change of [
    { ivc_epoch_no: 2 },
    { previous_ivc_epoch_hash: first.final_state },
    { initial_state: first.final_state },
  ])
    assert.ok(codes(await lying(first, change)).includes("ivc_epoch_chain_broken"), JSON.stringify(change));
  for (const change of [{ ivc_epoch_no: 1 }, { previous_ivc_epoch_hash: zeros }, { ivc_epoch_no: 4 }])
    assert.ok(codes(await lying(second, change)).includes("ivc_epoch_chain_broken"), JSON.stringify(change));
});

test("epoch 1 that begins at a later checkpoint is refused, whatever else it says", async () => {
  const change = {
    ivc_epoch_no: 1,
    previous_ivc_epoch_hash: "0".repeat(64) as IvcEpoch["initial_state"],
    initial_state: genesisState(kernel, second.stream_id, second.origin),
  };
  const { verdict, problems } = verify(bytesOf(await lying(second, change)), { trust });
  assert.equal(verdict, "rejected");
  const places = problems.map(({ code, path }) => `${code} ${path}`);
  assert.ok(places.includes("ivc_epoch_chain_broken /previous_ivc_epoch_hash"), `${places}`);
});

test("another program or construction is not admitted, and its seal is checked all the same", async () => {
  assert.deepEqual(codes(await lying(first, { program: "other/1" })), ["rejected", "ivc_program_unknown"]);
  const proof = { bytes: "00", program_digest: first.final_state, parameters_digest: first.final_state };
  const succinct = await lying(first, { construction: "nova-pallas-ipa/1" });
  assert.deepEqual(codes({ ...succinct, proof }), ["rejected", "ivc_construction_not_reviewed"]);
  assert.deepEqual(codes(succinct), ["rejected", "ivc_construction_not_reviewed"]);
  assert.deepEqual(codes({ ...succinct, created_at: at(501) }), [
    "rejected",
    "ivc_construction_not_reviewed",
    "signature_invalid",
  ]);
});

test("the steps are all of the range, in order, and lead from the frontier to every root", async () => {
  const [one, two] = first.checkpoints ?? [];
  assert.ok(one !== undefined && two !== undefined);
  assert.deepEqual(codes({ ...first, checkpoints: [one] }), ["rejected", "ivc_steps_incomplete"]);
  const framedTwo = showFrontier(two, frontierOf(windows.slice(0, 2)));
  assert.deepEqual(codes({ ...first, checkpoints: [framedTwo, one] }), ["rejected", "ivc_steps_incomplete"]);
  assert.deepEqual(codes({ ...first, checkpoints: [one, one] }), ["rejected", "ivc_steps_incomplete"]);
  const { checkpoints: steps = [] } = second;
  const { frontier: _, ...bare } = shown;
  assert.deepEqual(codes({ ...second, checkpoints: [bare, ...steps.slice(1)] }), ["rejected", "missing_member"]);
  const other = { ...shown, frontier: [first.final_state] };
  assert.ok(codes({ ...second, checkpoints: [other, ...steps.slice(1)] }).includes("checkpoint_root_mismatch"));
  const later = checkpoints[3];
  assert.ok(later !== undefined);
  const framed = showFrontier(later, frontierOf(windows.slice(0, 6)));
  assert.deepEqual(codes({ ...second, checkpoints: [shown, framed] }), ["verified"], "a frontier that nobody needs");
  const wrong = { ...later, frontier: [first.final_state, first.final_state] as IvcEpoch["initial_state"][] };
  assert.deepEqual(codes({ ...second, checkpoints: [shown, wrong] }), ["rejected", "checkpoint_root_mismatch"]);
});

test("a known checkpoint is held against the roots that the epoch gives", () => {
  const [one] = checkpoints;
  assert.ok(one !== undefined);
  const knowing = (checkpoint_root: string) => ({
    ...trust,
    known_checkpoints: [{ stream_id: one.stream_id, window_count: 1, checkpoint_root }],
  });
  assert.ok(codes(first, knowing(first.final_state) as Json).includes("fork_detected"));
});

test("issuing refuses no step, too many, and a gap", async () => {
  await assert.rejects(issue(null, []), RangeError);
  await assert.rejects(issue(null, checkpoints.slice(1)), RangeError);
  await assert.rejects(issue(first, checkpoints), RangeError);
  await assert.rejects(issue(null, Array(1025).fill(checkpoints[0])), RangeError);
});

/** Verifies the second epoch, or another one after the first, with links beside it. */
function beside(links: readonly unknown[], epoch: IvcEpoch = second, policy: object = trust) {
  const { report, cross_check } = crossCheck(bytesOf(epoch), { trust: policy as Json, links: links as Json[] });
  assert.equal(cross_check.first_difference, null);
  const { note = "" } = report.checks.find(({ id }) => id === "ivc") ?? {};
  return { found: [report.verdict, ...report.problems.map(({ code, path }) => `${code} ${path}`)], note };
}

test("with the epoch before beside it, an epoch's first state is no longer its own word", async () => {
  const { found, note } = beside([checkpoints[0], null, second, first]);
  assert.deepEqual([found, note], [["verified"], `${IVC_NOTE}; it goes on from epoch 1, recomputed too`]);
  const [, , , fourth, ...rest] = checkpoints;
  assert.ok(fourth !== undefined);
  const short = await issue(first, [shown]);
  const third = await issue(short, [showFrontier(fourth, frontierOf(windows.slice(0, 6))), ...rest]);
  const after = beside([first, short], third);
  assert.deepEqual(after.found, ["verified"]);
  assert.match(after.note, /goes on from epoch 2, recomputed too, whose own initial state is its own word$/);
  const elsewhere = { ...trust, expect: { from_seq_no: 9 }, require: ["anchored"] };
  assert.match(beside([first], second, elsewhere).note, /goes on from epoch 1/, "what is asked of the object alone");
});

test("an epoch before it that is another one, or does not hold, links nothing", async () => {
  const { checkpoints: _, ...absent } = first;
  const other = await lying(first, { created_at: at(501) });
  const broken = { ...first, seal: { ...first.seal, signature: "00".repeat(64) } };
  const edited = { ...first, checkpoints: [...(first.checkpoints ?? [])].reverse() };
  for (const link of [absent, other, broken, edited, { ...first, more: 1 }]) {
    const { found, note } = beside([link]);
    assert.deepEqual(found, ["verified"]);
    assert.match(note, /its initial state is its own word: the epoch before is not here, or does not hold$/);
  }
  assert.match(beside([broken, first]).note, /goes on from epoch 1/, "the other one is looked at all the same");
});

test("an epoch that names the one before it, and does not go on where that ends, is broken", async () => {
  for (const change of [{ initial_state: first.initial_state }, { ivc_epoch_no: 3 }] as const) {
    const { found } = beside([first], await lying(second, change));
    assert.ok(found.includes("ivc_epoch_chain_broken /initial_state"), `${found}`);
  }
  const apart = await issue(null, checkpoints.slice(0, 1));
  const skipping = await lying(second, { previous_ivc_epoch_hash: ivcEpochHash(kernel, apart) });
  const { found } = beside([apart], skipping);
  assert.ok(found.includes("ivc_epoch_chain_broken /initial_state"), `${found}`);
});

interface Folding {
  readonly stream_id: string;
  readonly origin: string;
  readonly genesis: string;
  readonly steps: readonly Readonly<
    Record<"checkpoint_no" | "checkpoint_hash" | "state_before" | "state_after", string>
  >[];
}

test("the states are those of the independent implementation", () => {
  const { ivc } = readVectorJson("provenance/trees.json") as { readonly ivc: readonly Folding[] };
  assert.ok(ivc.length > 0);
  const cases = vectorCases<{ readonly input: string }>("provenance/cases/ivc-epoch.jsonl");
  const { input } = cases.find(({ name }) => name === "good-all") ?? assert.fail("there is no case good-all");
  const epoch = JSON.parse(input) as IvcEpoch;
  for (const { stream_id, origin, genesis, steps } of ivc) {
    assert.equal(genesisState(kernel, stream_id, origin), genesis);
    assert.equal(epoch.final_state, steps.at(-1)?.state_after);
  }
});
