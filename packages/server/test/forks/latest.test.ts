/** The part of a verified object that is about the service log: of each kind that carries an epoch, or several. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Json, Kind } from "@svc/core";
import { latestOf } from "../../src/forks/latest.ts";

const epoch = (epoch_no: number) => ({ epoch_no, members: ["of any size"] });
const shownBy = async (kind: Kind, value: object, head: number | null = 5) =>
  (await latestOf(kind, value as Json, async (streamId) => (streamId === null ? head : null)))?.anchors;
const one = [{ epoch_no: 3, members: [] }];
const portable = { receipt: { stream_id: "unknown here" }, anchor: epoch(3) };
const bundle = (...anchors: object[]) => ({
  artifacts: { "receipts.json": [], "windows.json": [], "checkpoints.json": [], "anchors.json": anchors },
});

for (const [kind, value] of [
  ["anchor", epoch(3)],
  ["portable-receipt", portable],
  ["disclosure", { receipt: portable }],
  ["bundle", bundle(epoch(3))],
] as const)
  test(`of a ${kind}, the epoch that it carries, without the checkpoints under it`, async () => {
    assert.deepEqual(await shownBy(kind, value), one);
  });

test("of consistency evidence, both epochs", async () => {
  const shown = await shownBy("consistency", { from_anchor: epoch(2), to_anchor: epoch(3) });
  assert.deepEqual(shown, [
    { epoch_no: 3, members: [] },
    { epoch_no: 2, members: [] },
  ]);
});

test("of a bundle's epochs, the last one that the database has got to; or else the first", async () => {
  assert.deepEqual(await shownBy("bundle", bundle(epoch(1), epoch(3), epoch(6))), one);
  for (const head of [2, null]) assert.deepEqual(await shownBy("bundle", bundle(epoch(3), epoch(6)), head), one);
});

test("nothing of what carries no epoch, and is of no stream here", async () => {
  for (const [kind, value] of [
    ["receipt", { stream_id: "unknown here" }],
    ["bundle", bundle()],
    ["disclosure", { receipt: null }],
  ] as const)
    assert.equal(await shownBy(kind, value), undefined);
});
