/** The rules of an epoch, each broken by itself and sealed by the service, with the place that the report names. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { cosigned, resealCheckpoint, resealEpoch } from "@svc/testkit/evidence/resealed";
import { at, id } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import {
  type Checkpoint,
  type IvcEpoch,
  ivcEpochHash,
  type Json,
  pinKeys,
  type TrustPolicy,
  verify,
  ZERO_HASH,
} from "../../src/index.ts";
import { IVC_NOTE, ivcEpochFaults } from "../../src/objects/ivc/examine.ts";
import { genesisState } from "../../src/objects/ivc/state.ts";
import { checkpoints, first, issue, kernel, second, shown, trust } from "./two-epochs.ts";

const [one, two, three, four] = checkpoints;
if (one === undefined || two === undefined || three === undefined || four === undefined) throw new Error("too few");
const OTHER = first.final_state;

interface Beside {
  readonly policy?: object;
  readonly links?: readonly IvcEpoch[];
}

function reportOf(epoch: IvcEpoch, { policy = {}, links = [] }: Beside = {}) {
  const bytes = Buffer.from(JSON.stringify(epoch));
  const all = { ...trust, ...policy } as unknown as TrustPolicy;
  return verify(bytes, { kernel, trust: all, links: links as unknown as Json[] });
}

/** Returns each problem with its place. */
function found(epoch: IvcEpoch, beside: Beside = {}): string[] {
  return reportOf(epoch, beside).problems.map(({ code, path }) => `${code} ${path}`);
}

const noteOf = (epoch: IvcEpoch, beside: Beside = {}) =>
  reportOf(epoch, beside).checks.find((check) => check.id === "ivc")?.note;

test("each rule of the start of an epoch has its place", async () => {
  const broken = (place: string) => `ivc_epoch_chain_broken /${place}`;
  const [before, initial, number] = [
    broken("previous_ivc_epoch_hash"),
    broken("initial_state"),
    broken("ivc_epoch_no"),
  ];
  const state = "ivc_state_mismatch /final_state";
  const genesis = genesisState(kernel, first.stream_id, first.origin);
  for (const [epoch, change, expected] of [
    [first, {}, []],
    [first, { ivc_epoch_no: 2 }, [number, before]],
    [first, { previous_ivc_epoch_hash: OTHER }, [before]],
    [first, { ivc_epoch_no: 2, previous_ivc_epoch_hash: OTHER }, [number, before]],
    [first, { initial_state: OTHER }, [initial, state]],
    [first, { final_state: first.initial_state }, [state]],
    [second, {}, []],
    [second, { ivc_epoch_no: 1 }, [initial, before]],
    [second, { ivc_epoch_no: 1, previous_ivc_epoch_hash: ZERO_HASH }, [initial, before]],
    [second, { ivc_epoch_no: 1, initial_state: genesis }, [before, state]],
    [second, { previous_ivc_epoch_hash: ZERO_HASH }, [before]],
    [second, { ivc_epoch_no: 3 }, []],
    [second, { ivc_epoch_no: 4 }, [number]],
  ] as const) {
    const lie = await resealEpoch(epoch, change as Partial<IvcEpoch>);
    assert.deepEqual(found(lie), expected, `${epoch.ivc_epoch_no} ${JSON.stringify(change)}`);
  }
});

test("the counts of an epoch are those of its range, and its steps those of its counts", async () => {
  const incomplete = (place: string) => [`ivc_steps_incomplete ${place}`];
  for (const [change, expected] of [
    [{ step_count: 1 }, incomplete("/step_count")],
    [{ step_count: 0 }, incomplete("/step_count")],
    [{ step_count: 1025, to_checkpoint_no: 1025 }, incomplete("/step_count")],
    [{ step_count: 1, to_checkpoint_no: 1 }, incomplete("/checkpoints")],
    [{ step_count: 3, to_checkpoint_no: 3 }, incomplete("/checkpoints")],
  ] as const)
    assert.deepEqual(found(await resealEpoch(first, change)), expected, JSON.stringify(change));
  const backwards = await resealEpoch(second, { step_count: 0, to_checkpoint_no: 2 });
  assert.deepEqual(found(backwards), incomplete("/step_count"), "a range of none");
  const { problems } = reportOf({ ...second, checkpoints: [shown, three] });
  assert.deepEqual(
    problems.map(({ path, expected, actual }) => [path, expected, actual]),
    [["/checkpoints/1/checkpoint_no", "4", "3"]],
  );
  const range = await resealEpoch(first, { step_count: 1 });
  assert.deepEqual([reportOf(range).problems[0]?.expected, reportOf(range).problems[0]?.actual], ["2", "1"]);
  const more = await resealEpoch(first, { step_count: 3, to_checkpoint_no: 3 });
  assert.deepEqual([reportOf(more).problems[0]?.expected, reportOf(more).problems[0]?.actual], ["3", "2"]);
});

test("an epoch is of the stream and the origin of its checkpoints", async () => {
  const elsewhere = "other.example/evidence";
  for (const [change, expected] of [
    [
      { stream_id: id("str", 2), origin: `${elsewhere}/${id("str", 2)}` },
      [0, 1].flatMap((step) => [
        `stream_mismatch /checkpoints/${step}/stream_id`,
        `origin_changed /checkpoints/${step}/origin`,
      ]),
    ],
    [
      { origin: `${elsewhere}/${second.stream_id}` },
      [0, 1].map((step) => `origin_changed /checkpoints/${step}/origin`),
    ],
    [
      { origin: `${elsewhere}/${id("str", 3)}` },
      [...[0, 1].map((step) => `origin_changed /checkpoints/${step}/origin`), "malformed /origin"],
    ],
  ] as const)
    assert.deepEqual(found(await resealEpoch(second, change)).sort(), [...expected].sort(), JSON.stringify(change));
});

test("each checkpoint follows the one before it", async () => {
  const [from, ...others] = two.window_roots;
  assert.ok(from !== undefined);
  const path = "/checkpoints/1";
  for (const [change, expected] of [
    [{ previous_checkpoint_hash: OTHER }, [`previous_checkpoint_mismatch ${path}/previous_checkpoint_hash`]],
    [{ policy_id: "another" }, [`policy_changed ${path}/policy_id`]],
    [{ window_roots: [{ ...from, window_no: 4 }, ...others] }, [`checkpoint_window_mismatch ${path}/window_roots`]],
    [{ window_roots: [{ ...from, from_seq_no: 6 }, ...others] }, [`checkpoint_window_mismatch ${path}/window_roots`]],
    [{ window_roots: others }, [`checkpoint_window_mismatch ${path}/window_roots`]],
  ] as const) {
    const lie = await resealCheckpoint(two, change as Partial<Checkpoint>);
    const epoch = await issue(null, [one, lie]);
    for (const each of expected) assert.ok(found(epoch).includes(each), `${JSON.stringify(change)}: ${found(epoch)}`);
  }
});

test("each root and each frontier that is not that of the windows is reported at its place", async () => {
  const place = "/checkpoints/1";
  const framed = { ...four, frontier: [OTHER, OTHER] } as Checkpoint;
  assert.deepEqual(found({ ...second, checkpoints: [shown, framed] }), [`checkpoint_root_mismatch ${place}/frontier`]);
  const lie = await resealCheckpoint(four, { checkpoint_root: OTHER });
  const told = found(await issue(first, [shown, lie]));
  assert.ok(told.includes(`checkpoint_root_mismatch ${place}/checkpoint_root`), `${told}`);
});

test("the faults of an epoch's form are at their places", () => {
  const faults = (change: object) =>
    ivcEpochFaults({ ...second, ...change } as IvcEpoch).map(({ code = "malformed", path }) => `${code} ${path}`);
  assert.deepEqual(faults({}), []);
  assert.deepEqual(faults({ checkpoints: undefined }), []);
  assert.deepEqual(faults({ proof: {} }), ["malformed /proof"]);
  assert.deepEqual(faults({ proof: {}, construction: "other/1" }), []);
  assert.deepEqual(faults({ checkpoints: [three, four] }), ["missing_member /checkpoints/0/frontier"]);
  assert.deepEqual(faults({ checkpoints: [one, two] }), [], "window 1 needs no frontier");
  const bad = { ...four, frontier: [OTHER, OTHER, OTHER] };
  assert.ok(
    faults({ checkpoints: [shown, bad] }).every((each) => each.startsWith("malformed /checkpoints/1/")),
    `${faults({ checkpoints: [shown, bad] })}`,
  );
  assert.notDeepEqual(faults({ checkpoints: [shown, bad] }), []);
});

test("no tree has room for more windows than a number counts", () => {
  const beginning = (window_no: number, ...more: readonly number[]) => {
    const step = (numbers: readonly number[]) => ({
      ...one,
      window_count: numbers.at(-1),
      window_roots: numbers.map((number) => ({ ...one.window_roots[0], window_no: number })),
    });
    const steps = [{ ...step([window_no]), frontier: [] }, ...more.map((number) => step([number]))];
    const faults = ivcEpochFaults({ ...second, checkpoints: steps } as unknown as IvcEpoch);
    return faults.some(({ path }) => path === "/checkpoints");
  };
  const most = Number.MAX_SAFE_INTEGER;
  assert.deepEqual([beginning(1), beginning(most - 1), beginning(most)], [false, false, false]);
  assert.deepEqual([beginning(most - 1, most), beginning(most, most)], [false, true]);
});

test("known checkpoints are held against every root that an epoch gives", () => {
  const knowing = (window_count: number, checkpoint_root: string) => ({
    policy: { known_checkpoints: [{ stream_id: second.stream_id, window_count, checkpoint_root }] },
  });
  assert.deepEqual(found(second, knowing(4, two.checkpoint_root)), [], "before its first checkpoint");
  for (const size of [4, 5, 6, 7, 8])
    assert.deepEqual(found(second, knowing(size, OTHER)), ["fork_detected trust:/known_checkpoints/0"], `${size}`);
  assert.deepEqual(found(second, knowing(3, OTHER)), ["known_checkpoint_unlinked trust:/known_checkpoints/0"]);
  assert.deepEqual(found(second, knowing(8, four.checkpoint_root)), []);
  assert.deepEqual(found(second, knowing(9, OTHER)), ["known_checkpoint_newer trust:/known_checkpoints/0"]);
  assert.deepEqual(found(first, knowing(2, one.checkpoint_root)), []);
});

test("a pinned witness dates the checkpoints of an epoch", async () => {
  const WITNESS = { name: "witness.example", signer: testSigner("own witness") };
  const later = testSigner("successor");
  const ended = { ...trust.signers[0], valid_to: at(100) };
  const policy = {
    signers: [ended, ...pinKeys(kernel, [later.publicKeyHex]).signers],
    witnesses: [{ name: WITNESS.name, public_key_hex: WITNESS.signer.publicKeyHex }],
  };
  const time = Date.parse(at(50)) / 1000;
  const dated = await Promise.all([one, two].map((each) => cosigned(each, [{ ...WITNESS, time }])));
  const undated = found(await issue(null, [one, two], later), { policy });
  assert.ok(undated.length > 0 && undated.every((each) => each.startsWith("key_time_unproven ")), `${undated}`);
  assert.deepEqual(found(await issue(null, dated, later), { policy }), []);
  const [, second] = dated;
  assert.ok(second !== undefined);
  assert.deepEqual(found(await issue(null, [one, second], later), { policy }), [], "the later one covers both");
  assert.notDeepEqual(found(await issue(null, [dated[0] ?? one, two], later), { policy }), []);
});

test("an epoch goes on from the one before it in every respect", async () => {
  const broken = "ivc_epoch_chain_broken /initial_state";
  const beside = { links: [first] };
  assert.deepEqual(found(second, beside), []);
  const goesOn = `${IVC_NOTE}; it goes on from epoch 1, recomputed too`;
  assert.equal(noteOf(second, beside), goesOn);
  const apart = await issue(null, [one]);
  const afterApart = { ivc_epoch_no: 2, previous_ivc_epoch_hash: ivcEpochHash(kernel, apart) };
  for (const [change, links] of [
    [{ stream_id: id("str", 2) }, [first]],
    [{ origin: `other.example/evidence/${second.stream_id}` }, [first]],
    [{ ivc_epoch_no: 3 }, [first]],
    [{ initial_state: first.initial_state }, [first]],
    [{ ...afterApart, initial_state: apart.final_state }, [apart]],
  ] as const) {
    const lie = await resealEpoch(second, change);
    const { length } = found(lie, { links }).filter((each) => each === broken);
    assert.equal(length, 1, JSON.stringify(change));
    assert.equal(noteOf(lie, { links })?.includes("goes on"), false);
    assert.equal(found(lie).includes(broken), false, "without the other one nobody notices");
  }
  const steps = await resealCheckpoint(shown, { previous_checkpoint_hash: OTHER });
  const torn = await issue(first, [steps, four]);
  const place = "previous_checkpoint_mismatch /checkpoints/0/previous_checkpoint_hash";
  assert.equal(found(torn).includes(place), false);
  assert.equal(found(torn, beside).includes(place), true);
});
