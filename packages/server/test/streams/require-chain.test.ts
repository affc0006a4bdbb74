/** The stored chain of a stream, as it is looked at before anything is built on it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { knownHeads, requireChain } from "../../src/streams/require-chain.ts";
import { findStream, type StreamRow } from "../../src/streams/streams-store.ts";
import { append, contextUnderTest, ONE_STREAM, OTHER_STREAM } from "../context-under-test.ts";
import { BANK, hashNo, LOANS } from "../store-under-test.ts";

test("the row of a stream must name its last event, and a range is compared with it only at its end", async (t) => {
  const { context, store } = await contextUnderTest(t);
  const rows = await append(context, LOANS, ONE_STREAM, 3);
  const stream = (await store.read((reader) => findStream(reader, BANK, ONE_STREAM))) ?? assert.fail();
  const moved = { ...stream, head_event_hash: hashNo(1) };
  const chain = (row: StreamRow, from: number, to: number) =>
    store.read(async (reader) => (await requireChain(reader, row, from, to)).events.map(({ seq_no }) => seq_no));
  const isNotHead = { message: `event 3 is not the head of ${ONE_STREAM}: the database was changed` };
  const other = (await store.read((reader) => findStream(reader, BANK, OTHER_STREAM))) ?? assert.fail();
  const behind = { ...other, head_seq_no: 1 };
  const requireHead = await store.read((reader) => knownHeads(reader, [stream, behind]));
  requireHead(stream);
  assert.throws(() => requireHead(moved), isNotHead);
  assert.throws(() => requireHead({ ...other, head_event_hash: hashNo(1) }), {
    message: `event 0 is not the head of ${OTHER_STREAM}: the database was changed`,
  });
  requireHead(other);
  assert.throws(() => requireHead(behind), { message: `event 1 of ${OTHER_STREAM} is missing from the database` });
  assert.deepEqual(
    [await chain(stream, 1, 3), await chain(moved, 1, 2)],
    [
      [1, 2, 3],
      [1, 2],
    ],
  );
  await assert.rejects(chain(moved, 2, 3), isNotHead);
  assert.equal(rows.length, 3);
});
