/** Blocks of which evidence is kept, and the numbers of transactions. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { issueStream } from "@svc/testkit/evidence/service";
import { type AnchoringRow, firstAnchoringOver, putAnchoring } from "../../src/anchoring/anchorings-store.ts";
import { freeNonce } from "../../src/anchoring/free-nonce.ts";
import { deleteMined, highestMinedBlock, insertMined, newestMinedNo } from "../../src/service-log/mined-store.ts";
import { storeUnderTest } from "../store-under-test.ts";

test("the highest block of a chain is found, whichever epoch is in it, and whatever other chains have", async (t) => {
  const { read, write } = await storeUnderTest(t);
  const anchor = await anchorOf((await issueStream(3)).checkpoints);
  const rows: readonly [number, string, number][] = [
    [1, "eip155:1", 900],
    [2, "eip155:137", 40],
    [3, "eip155:137", 30],
  ];
  assert.equal(await read((reader) => highestMinedBlock(reader, "eip155:137")), null);
  assert.equal(await read(newestMinedNo), 0);
  for (const [epoch_no, network, block_number] of rows)
    await write((writer) => insertMined(writer, { ...anchor, epoch_no, log_size: epoch_no, network, block_number }));
  const highest = () => read((reader) => highestMinedBlock(reader, "eip155:137"));
  const found = await highest();
  assert.deepEqual([found?.epoch_no, found?.block_number], [2, 40]);
  assert.equal(await read(newestMinedNo), 3);
  assert.ok(found !== null);
  await write((writer) => deleteMined(writer, found));
  assert.equal((await highest())?.epoch_no, 3);
});

test("a checkpoint is followed by the first epoch over it that has not failed, if there is one", async (t) => {
  const { read, write } = await storeUnderTest(t);
  const row = (epoch_no: number, state: AnchoringRow["state"]): AnchoringRow => ({
    epoch_no,
    log_size: epoch_no,
    state,
    network: "eip155:1",
    contract: "0x",
    sender: "0x",
    nonce: epoch_no,
    tx_hash: `0x${epoch_no}`,
    block_number: null,
    block_hash: null,
    cost_gwei: 1,
    spent_gwei: 0,
    begun_at: "2026-03-01T00:00:00.000Z",
    problem: state === "failed" ? "epoch_taken: words" : null,
  });
  const over = async (leafIndex: number) => (await read((reader) => firstAnchoringOver(reader, leafIndex)))?.epoch_no;
  assert.equal(await over(0), undefined);
  await write((writer) => putAnchoring(writer, row(2, "failed")));
  await write((writer) => putAnchoring(writer, row(3, "failed")));
  assert.equal(await over(0), 2);
  await write((writer) => putAnchoring(writer, row(4, "pending")));
  await write((writer) => putAnchoring(writer, row(5, "pending")));
  assert.deepEqual([await over(0), await over(2), await over(4), await over(5)], [4, 4, 5, undefined]);
});

test("a new transaction gets the lowest number that is free", () => {
  const row = (epoch_no: number, nonce: number | null, sender = "0xa") => ({ epoch_no, nonce, sender }) as AnchoringRow;
  const free = (inFlight: readonly AnchoringRow[], count: number) => freeNonce(inFlight, row(9, null), count);
  assert.equal(free([], 7), 7);
  assert.equal(free([row(1, 7), row(2, 8)], 7), 9);
  assert.equal(free([row(1, 8), row(2, 9)], 7), 7, "a gap");
  assert.equal(free([row(1, 7, "0xb"), row(2, null)], 7), 7, "of another key, or of nobody's");
  assert.equal(free([row(9, 7)], 7), 7, "its own");
  assert.equal(free([row(1, 5)], 7), 7, "mined");
});
