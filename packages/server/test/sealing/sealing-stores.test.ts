/** The stores of windows, checkpoints, statements and the witness: the stream of each row, and the ends of ranges. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Checkpoint, HashHex, Window, WitnessStatement } from "@svc/core";
import { enqueue } from "@svc/host/jobs";
import { insertPolicyVersion, type PolicyVersion } from "../../src/policies/policies-store.ts";
import {
  checkpointByWindowCount,
  checkpointOfStream,
  checkpointOverWindow,
  checkpointsAfter,
  checkpointsOverWindows,
  earlierWithOpenMessage,
  findCheckpoint,
  firstCheckpointOver,
  firstWitnessedOver,
  insertCheckpoint,
  lastWitnessedWithin,
  newestCheckpoint,
  newestWitnessedSeqNo,
  type StoredCheckpoint,
} from "../../src/sealing/checkpoints-store.ts";
import { insertStatement, statementOn, statementsOfRange, statementsOn } from "../../src/sealing/statements-store.ts";
import {
  findWindow,
  insertWindow,
  windowByNo,
  windowHashes,
  windowOfEvent,
  windowsOfRange,
} from "../../src/sealing/windows-store.ts";
import { at, BANK, hashNo, INSURER, type Store, storeWithStreams } from "../store-under-test.ts";

const OWN = "str_bank_1";
const OTHER = "str_insurer_1";

/** A window with the members that the store reads; the protocol has more. */
function windowOf(stream_id: string, window_no: number, from_seq_no: number, to_seq_no: number): Window {
  return { window_id: `win_${stream_id}_${window_no}`, stream_id, window_no, from_seq_no, to_seq_no } as Window;
}

const numbered = (stream_id: string, window_no: number) => hashNo((stream_id === OWN ? 100 : 200) + window_no);

/** Windows of two, three, one and four events, in two streams. */
const WINDOWS = [OWN, OTHER].flatMap((stream_id) => [
  windowOf(stream_id, 1, 1, 2),
  windowOf(stream_id, 2, 3, 5),
  windowOf(stream_id, 3, 6, 6),
  windowOf(stream_id, 4, 7, 10),
]);
const OF_OWN = WINDOWS.slice(0, 4);

test("windows are found by their ids, their numbers and their events, in their own stream", async (t) => {
  const { read, write } = await storeWithStreams(t);
  await write(async (writer) => {
    for (const window of WINDOWS.toReversed()) {
      const tenantId = window.stream_id === OWN ? BANK : INSURER;
      await insertWindow(writer, tenantId, window, numbered(window.stream_id, window.window_no));
    }
  });
  await read(async (reader) => {
    for (const window of WINDOWS) {
      const { window_id, stream_id, window_no } = window;
      assert.deepEqual(await findWindow(reader, window_id), window);
      assert.deepEqual(await windowByNo(reader, stream_id, window_no), window);
    }
    assert.equal(await findWindow(reader, "win_none"), null);
    assert.equal(await windowByNo(reader, OWN, 5), null);
    const holding = [1, 2, 3, 5, 6, 7, 10, 11].map((seqNo) => windowOfEvent(reader, OWN, seqNo));
    const numbers = (await Promise.all(holding)).map((window) => window?.window_no ?? null);
    assert.deepEqual(numbers, [1, 1, 2, 2, 3, 4, 4, null]);
    assert.equal(await windowOfEvent(reader, OWN, 0), null);
    assert.equal(await windowOfEvent(reader, "str_bank_4", 1), null);
    for (const [from, to] of [
      [1, 4],
      [2, 3],
      [3, 3],
      [4, 9],
      [5, 9],
      [3, 2],
    ] as const) {
      const expected = OF_OWN.filter(({ window_no }) => window_no >= from && window_no <= to);
      assert.deepEqual(await windowsOfRange(reader, OWN, from, to), expected);
      const hashes = expected.map(({ window_no }) => numbered(OWN, window_no));
      assert.deepEqual(await windowHashes(reader, OWN, from, to), hashes);
    }
  });
});

/** The witness policy of all checkpoints but the last of a stream, which demands two witnesses. */
const [ONE_WITNESS, TWO_WITNESSES] = [hashNo(1), hashNo(2)];

function policyOf(
  tenantId: string | null,
  policy_id: string,
  threshold: number,
  witnessPolicyDigest: HashHex,
): PolicyVersion {
  const name = { policy_id, policy_version: 1 };
  return {
    tenantId,
    policy: name as PolicyVersion["policy"],
    policyDigest: hashNo(0),
    witnessPolicy: { ...name, threshold } as PolicyVersion["witnessPolicy"],
    witnessPolicyDigest,
    whenUnmet: "closed",
    explicit: true,
  };
}

function checkpointOf(
  stream_id: string,
  checkpoint_no: number,
  window_count: number,
  to_seq_no: number,
): StoredCheckpoint {
  const witness_policy_digest = checkpoint_no === 4 ? TWO_WITNESSES : ONE_WITNESS;
  const checkpoint_id = `chk_${stream_id}_${checkpoint_no}`;
  return {
    checkpoint: {
      checkpoint_id,
      stream_id,
      checkpoint_no,
      window_count,
      to_seq_no,
      witness_policy_digest,
    } as Checkpoint,
    checkpointHash: numbered(stream_id, checkpoint_no),
    frontierBefore: [hashNo(checkpoint_no)],
  };
}

/** Four checkpoints of each stream: over windows 1, 2 to 4, 5 and 6 to 9; to events 2, 10, 12 and 20. */
const CHECKPOINTS = [OWN, OTHER].flatMap((stream_id) => [
  checkpointOf(stream_id, 1, 1, 2),
  checkpointOf(stream_id, 2, 4, 10),
  checkpointOf(stream_id, 3, 5, 12),
  checkpointOf(stream_id, 4, 9, 20),
]);
const [FIRST, SECOND, THIRD, FOURTH] = CHECKPOINTS as [
  StoredCheckpoint,
  StoredCheckpoint,
  StoredCheckpoint,
  StoredCheckpoint,
];

function statementOf({ checkpoint }: StoredCheckpoint, witness_id: string, key_epoch = 1): WitnessStatement {
  const { stream_id, checkpoint_id, window_count } = checkpoint;
  return { stream_id, checkpoint_id, window_count, witness_id, key_epoch } as WitnessStatement;
}

async function withCheckpoints(
  t: TestContext,
): Promise<Store & { state: (statement: WitnessStatement) => Promise<void> }> {
  const store = await storeWithStreams(t);
  await store.write(async (writer) => {
    await insertPolicyVersion(writer, policyOf(null, "one", 1, ONE_WITNESS), at(0));
    await insertPolicyVersion(writer, policyOf(BANK, "two", 2, TWO_WITNESSES), at(0));
    for (const stored of CHECKPOINTS.toReversed())
      await insertCheckpoint(writer, stored.checkpoint.stream_id === OWN ? BANK : INSURER, stored);
  });
  const state = (statement: WitnessStatement) =>
    store.write((writer) => insertStatement(writer, statement.stream_id === OWN ? BANK : INSURER, statement));
  return { ...store, state };
}

test("checkpoints are found by their ids, their windows and their events, in their own stream", async (t) => {
  const { read } = await withCheckpoints(t);
  await read(async (reader) => {
    const no = async (found: Promise<StoredCheckpoint | null>) => {
      const stored = await found;
      if (stored !== null)
        assert.deepEqual(
          stored,
          CHECKPOINTS.find(({ checkpoint }) => checkpoint.checkpoint_id === stored.checkpoint.checkpoint_id),
        );
      return stored === null ? null : [stored.checkpoint.stream_id, stored.checkpoint.checkpoint_no];
    };
    for (const { checkpoint } of CHECKPOINTS) {
      const { checkpoint_id, stream_id, checkpoint_no, window_count } = checkpoint;
      assert.deepEqual(await no(findCheckpoint(reader, checkpoint_id)), [stream_id, checkpoint_no]);
      assert.deepEqual(await no(checkpointOfStream(reader, stream_id, checkpoint_id)), [stream_id, checkpoint_no]);
      assert.equal(await checkpointOfStream(reader, stream_id === OWN ? OTHER : OWN, checkpoint_id), null);
      assert.deepEqual(await no(checkpointByWindowCount(reader, stream_id, window_count)), [stream_id, checkpoint_no]);
    }
    assert.equal(await no(findCheckpoint(reader, "chk_none")), null);
    assert.equal(await no(checkpointByWindowCount(reader, OWN, 3)), null);
    assert.deepEqual(await newestCheckpoint(reader, OWN), FOURTH.checkpoint);
    assert.equal(await newestCheckpoint(reader, "str_bank_4"), null);
    const over = async (found: (place: number) => Promise<StoredCheckpoint | null>, places: readonly number[]) => {
      const numbers: (number | null)[] = [];
      for (const place of places) numbers.push((await found(place))?.checkpoint.checkpoint_no ?? null);
      return numbers;
    };
    assert.deepEqual(
      await over((seqNo) => firstCheckpointOver(reader, OWN, seqNo), [1, 2, 3, 10, 11, 12, 13, 20, 21]),
      [1, 1, 2, 2, 3, 3, 4, 4, null],
    );
    assert.deepEqual(await over((windowNo) => checkpointOverWindow(reader, OWN, windowNo), [1, 2, 4, 5, 6, 9, 10]), [
      1,
      2,
      2,
      3,
      4,
      4,
      null,
    ]);
    const numbersOf = (all: readonly StoredCheckpoint[]) => all.map(({ checkpoint }) => checkpoint.checkpoint_no);
    for (const [from, to, expected] of [
      [1, 9, [1, 2, 3, 4]],
      [2, 5, [2, 3]],
      [4, 4, [2]],
      [5, 8, [3]],
      [10, 20, []],
    ] as const)
      assert.deepEqual(numbersOf(await checkpointsOverWindows(reader, OWN, from, to)), expected);
    assert.deepEqual(numbersOf(await checkpointsAfter(reader, OWN, 0, 2)), [1, 2]);
    assert.deepEqual(numbersOf(await checkpointsAfter(reader, OWN, 2, 9)), [3, 4]);
    assert.deepEqual(await checkpointsAfter(reader, OWN, 4, 9), []);
  });
});

test("a checkpoint is witnessed by as many witnesses as its policy demands, each counted once", async (t) => {
  const { read, state } = await withCheckpoints(t);
  const seen = () =>
    read(async (reader) => ({
      newest: await newestWitnessedSeqNo(reader, OWN),
      first: [
        (await firstWitnessedOver(reader, OWN, 1))?.checkpoint.checkpoint_no ?? null,
        (await firstWitnessedOver(reader, OWN, 2))?.checkpoint.checkpoint_no ?? null,
        (await firstWitnessedOver(reader, OWN, 3))?.checkpoint.checkpoint_no ?? null,
        (await firstWitnessedOver(reader, OWN, 13))?.checkpoint.checkpoint_no ?? null,
      ],
      within: [
        await lastWitnessedWithin(reader, OWN, 1, 20),
        await lastWitnessedWithin(reader, OWN, 2, 11),
        await lastWitnessedWithin(reader, OWN, 3, 12),
        await lastWitnessedWithin(reader, OWN, 13, 20),
      ],
    }));
  const none = { newest: 0, first: [null, null, null, null], within: [null, null, null, null] };
  await state(statementOf(checkpointOf(OTHER, 3, 5, 12), "w1"));
  assert.deepEqual(await seen(), none);
  await state(statementOf(FIRST, "w1"));
  assert.deepEqual(await seen(), { newest: 2, first: [1, 1, null, null], within: [2, 2, null, null] });
  await state(statementOf(THIRD, "w1"));
  assert.deepEqual(await seen(), { newest: 12, first: [1, 1, 3, null], within: [12, 2, 12, null] });
  await state(statementOf(FOURTH, "w1"));
  await state(statementOf(FOURTH, "w1", 2));
  assert.equal((await seen()).newest, 12, "two keys of one witness");
  await state(statementOf(FOURTH, "w2"));
  assert.deepEqual(await seen(), { newest: 20, first: [1, 1, 3, 4], within: [20, 2, 12, 20] });
  await state(statementOf(SECOND, "w1"));
  assert.deepEqual(await seen(), { newest: 20, first: [1, 1, 2, 4], within: [20, 10, 12, 20] });
});

test("statements are those on a checkpoint or a range of them, in the order of a bundle", async (t) => {
  const { read, state } = await withCheckpoints(t);
  const foreign = statementOf(checkpointOf(OTHER, 2, 4, 10), "w1");
  const all = [
    statementOf(FIRST, "w2"),
    statementOf(SECOND, "w1", 1),
    statementOf(SECOND, "w1", 3),
    statementOf(SECOND, "w2", 2),
    statementOf(FOURTH, "w1"),
  ];
  for (const statement of [...all.toReversed(), foreign]) await state(statement);
  await read(async (reader) => {
    const { checkpoint: second } = SECOND;
    assert.deepEqual(await statementsOn(reader, second), all.slice(1, 4));
    assert.deepEqual(await statementsOn(reader, THIRD.checkpoint), []);
    assert.deepEqual(await statementOn(reader, second, "w1"), all[2], "by the witness's newest key");
    assert.deepEqual(await statementOn(reader, second, "w2"), all[3]);
    assert.equal(await statementOn(reader, second, "w3"), null);
    assert.equal(await statementOn(reader, FIRST.checkpoint, "w1"), null);
    for (const [from, to, expected] of [
      [1, 9, all],
      [2, 4, all.slice(1, 4)],
      [1, 3, all.slice(0, 1)],
      [5, 8, []],
      [9, 9, all.slice(4)],
    ] as const)
      assert.deepEqual(await statementsOfRange(reader, OWN, from, to), expected, `${from} to ${to}`);
  });
});

test("an earlier checkpoint has an open message where it is of the same stream and kind, and not done", async (t) => {
  const { read, write } = await withCheckpoints(t);
  const earlier = (stored: StoredCheckpoint, kind = "witness", behindWindows = 0) =>
    read((reader) => earlierWithOpenMessage(reader, kind, stored.checkpoint, behindWindows));
  const add = (tenantId: string, { checkpoint }: StoredCheckpoint, kind = "witness") =>
    write((writer) => enqueue(writer, tenantId, kind, checkpoint.checkpoint_id, {}, at(0), checkpoint.stream_id));
  await add(BANK, SECOND);
  await add(BANK, THIRD, "other");
  await add(INSURER, checkpointOf(OTHER, 1, 1, 2));
  const { checkpoint_id } = SECOND.checkpoint;
  assert.deepEqual(
    [
      await earlier(FIRST),
      await earlier(SECOND),
      await earlier(THIRD),
      await earlier(FOURTH),
      await earlier(FOURTH, "other"),
    ],
    [null, null, checkpoint_id, checkpoint_id, THIRD.checkpoint.checkpoint_id],
  );
  assert.deepEqual([await earlier(FOURTH, "witness", 3), await earlier(FOURTH, "witness", 4)], [checkpoint_id, null]);
  const sql = "UPDATE outbox SET done_at = $1 WHERE kind = 'witness' AND subject = $2";
  await write((writer) => writer.run(sql, at(1), checkpoint_id));
  assert.deepEqual([await earlier(FOURTH), await earlier(FOURTH, "other")], [null, THIRD.checkpoint.checkpoint_id]);
});
