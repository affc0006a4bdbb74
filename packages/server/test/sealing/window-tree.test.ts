/** Consistency of a stream's checkpoints: the kernel's own paths, out of a number of rows that hardly grows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Checkpoint, encodeHex, type HashHex, hexToBytes, type Window } from "@svc/core";
import type { Reader } from "@svc/host/store";
import { kernel } from "../../src/kernel.ts";
import { insertCheckpoint } from "../../src/sealing/checkpoints-store.ts";
import { frontierAfter } from "../../src/sealing/frontier.ts";
import { consistencyPath } from "../../src/sealing/window-tree.ts";
import { insertWindow } from "../../src/sealing/windows-store.ts";
import { BANK, hashNo, type Store, storeWithStreams } from "../store-under-test.ts";

const STREAM = "str_bank_1";

/** Stores windows under checkpoints that end with these, with the members that the stores read. */
async function seal({ write }: Store, ends: readonly number[]): Promise<HashHex[]> {
  const hashes = Array.from({ length: ends.at(-1) ?? 0 }, (_, index) => hashNo(index + 1));
  let frontier: HashHex[] = [];
  let size = 0;
  await write(async (writer) => {
    for (const [index, hash] of hashes.entries()) {
      const no = index + 1;
      const window = { window_id: `win_${no}`, stream_id: STREAM, window_no: no, from_seq_no: no, to_seq_no: no };
      await insertWindow(writer, BANK, window as Window, hash);
    }
    for (const [index, end] of ends.entries()) {
      const name = { checkpoint_id: `chk_${index + 1}`, stream_id: STREAM, checkpoint_no: index + 1 };
      const checkpoint = { ...name, window_count: end, to_seq_no: end, witness_policy_digest: hashNo(0) };
      const checkpointHash = hashNo(index + 1);
      await insertCheckpoint(writer, BANK, {
        checkpoint: checkpoint as Checkpoint,
        checkpointHash,
        frontierBefore: frontier,
      });
      frontier = frontierAfter(kernel, size, frontier, hashes.slice(size, end));
      size = end;
    }
  });
  return hashes;
}

/** Returns a reader that counts the rows that it gives out. */
function counting(reader: Reader, count: (rows: number) => void): Reader {
  return {
    ...reader,
    all: async (sql: string, ...values: never[]) => {
      const rows = await reader.all(sql, ...values);
      count(rows.length);
      return rows as never;
    },
    first: async (sql: string, ...values: never[]) => {
      count(1);
      return (await reader.first(sql, ...values)) as never;
    },
  };
}

test("a path is that of the kernel, for checkpoints of one window and of many", async (t) => {
  const ends = [1, 2, 3, 4, 5, 9, 16, 17, 40, 41, 64, 65, 66, 127, 128, 190];
  const store = await storeWithStreams(t);
  const hashes = await seal(store, ends);
  const leaves = hashes.map((hash) => kernel.leafHash(hexToBytes(hash)));
  await store.read(async (reader) => {
    for (const later of ends)
      for (const earlier of ends.filter((end) => end <= later)) {
        const expected = kernel.proveConsistency(leaves.slice(0, later), earlier).map((hash) => encodeHex(hash));
        assert.deepEqual(
          await consistencyPath(reader, kernel, STREAM, earlier, later),
          expected,
          `${earlier} ${later}`,
        );
      }
  });
});

test("a path of a thousand windows takes dozens of rows", async (t) => {
  const store = await storeWithStreams(t);
  await seal(
    store,
    Array.from({ length: 1000 }, (_, index) => index + 1),
  );
  let rows = 0;
  await store.read(async (reader) => {
    const counted = counting(reader, (count) => {
      rows += count;
    });
    await consistencyPath(counted, kernel, STREAM, 333, 1000);
  });
  assert.ok(rows > 0 && rows <= 40, `${rows} rows`);
});

test("a missing window or checkpoint is an error, and no path is made up", async (t) => {
  const store = await storeWithStreams(t);
  await seal(store, [1, 4, 7]);
  await store.write((writer) => writer.run("DELETE FROM windows WHERE stream_id = $1 AND window_no = 6", STREAM));
  await store.read(async (reader) => {
    const missing = /windows \d+ to \d+ of str_bank_1, or their checkpoint, are missing/;
    await assert.rejects(consistencyPath(reader, kernel, STREAM, 1, 7), missing);
    await assert.rejects(consistencyPath(reader, kernel, STREAM, 1, 8), missing);
  });
});
