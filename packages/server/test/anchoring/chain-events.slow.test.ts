/** Events of a chain, played for real: blocks go, transactions wait or are lost, others use the key. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorCall } from "@svc/core/evidence-anchor";
import { RICH_ADDRESS } from "@svc/testkit/chain";
import {
  anchored,
  anchorReaches,
  faultIs,
  sealedNow,
  startAnchored,
  stepsOf,
  writtenEpochs,
} from "@svc/testkit/server/anchored";
import { runSql } from "@svc/testkit/server/changed-rows";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { readAnchoringKey } from "../../src/chain/anchoring-key.ts";

const GWEI = 1_000_000_000n;

test("a block that goes takes the anchor back to pending, and its transaction is sent again", async (t) => {
  const all = await startAnchored(t, { anchorConfirmations: 20 });
  const { client, made, chain, server } = all;
  const steps = stepsOf(server);
  await client.append(made.stream_id, loan(1));
  const { anchor: mined } = await anchorReaches(client, made.stream_id, "mined");
  await chain.mine(1);
  // The blocks that come instead have none of the transactions.
  await chain.mineBySelf(false);
  await chain.call("anvil_reorg", 2, []);
  const { anchor: pending } = await anchorReaches(client, made.stream_id, "pending");
  assert.deepEqual([pending.block_number, pending.tx_hash], [null, mined.tx_hash]);
  await until("it is sent again", async () => (steps.includes("sent_again") ? true : null));
  await chain.mine(1);
  const { anchor: again } = await anchorReaches(client, made.stream_id, "mined");
  assert.equal(again.tx_hash, mined.tx_hash);
  await chain.mineBySelf(true);
  await anchored(client, chain, made.stream_id);
  assert.deepEqual(steps, ["sent", "mined", "removed", "sent_again", "mined", "confirmed"]);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a block that goes although it was taken as final takes the evidence with it, and other evidence comes", async (t) => {
  const all = await startAnchored(t, { anchorConfirmations: 2 });
  const { client, made, chain, server } = all;
  const steps = stepsOf(server);
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, chain, made.stream_id);
  await chain.call("anvil_reorg", Number(await chain.call("eth_blockNumber")) - (first.block_number ?? 0) + 1, []);
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  const second = await anchored(client, chain, made.stream_id);
  assert.notEqual(second.block_hash, first.block_hash);
  assert.ok(steps.includes("removed"), `${steps}`);
  const again = await until("the first one is anchored again", async () => {
    await chain.mine(1);
    const { body } = await client.get(`/v2/anchors/${first.anchor_epoch_id}`);
    return body.evidence === null ? null : body;
  });
  assert.notEqual(again.block_hash, first.block_hash);
  assert.deepEqual((await writtenEpochs(all)).toSorted(), [1, second.epoch_no]);
});

test("a transaction that waits while blocks are made is replaced, with a higher fee and the same number", async (t) => {
  const all = await startAnchored(t, { anchorStuckMs: 20 });
  const { client, made, chain, server } = all;
  const steps = stepsOf(server);
  await chain.mineBySelf(false);
  await client.append(made.stream_id, loan(1));
  const { anchor: before } = await anchorReaches(client, made.stream_id, "pending");
  // Dearer than any fee that was offered for it.
  await chain.call("anvil_setNextBlockBaseFeePerGas", `0x${(100n * GWEI).toString(16)}`);
  await chain.mine(1);
  await until("it is replaced", async () => (steps.includes("replaced") ? true : null));
  const { anchor: after } = await anchorReaches(client, made.stream_id, "pending");
  assert.notEqual(after.tx_hash, before.tx_hash);
  await chain.mineBySelf(true);
  await chain.mine(1);
  const anchor = await anchored(client, chain, made.stream_id);
  assert.notEqual(anchor.tx_hash, before.tx_hash);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a node that loses a transaction is sent it again", async (t) => {
  const all = await startAnchored(t);
  const { client, made, chain, server } = all;
  const steps = stepsOf(server);
  await chain.mineBySelf(false);
  await client.append(made.stream_id, loan(1));
  const { anchor } = await anchorReaches(client, made.stream_id, "pending");
  await chain.call("anvil_dropTransaction", anchor.tx_hash);
  await until("it is sent again", async () => (steps.includes("sent_again") ? true : null));
  await chain.mineBySelf(true);
  await chain.mine(1);
  assert.equal((await anchored(client, chain, made.stream_id)).tx_hash, anchor.tx_hash);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a transaction of others under the same number: the epoch is sent under another one, once that is final", async (t) => {
  const all = await startAnchored(t);
  const { client, made, chain, server, anchoring } = all;
  const steps = stepsOf(server);
  await chain.mineBySelf(false);
  await client.append(made.stream_id, loan(1));
  const { anchor: pending } = await anchorReaches(client, made.stream_id, "pending");
  const { nonce } = await chain.call("eth_getTransactionByHash", pending.tx_hash);
  await chain.call("anvil_dropTransaction", pending.tx_hash);
  const foreign = readAnchoringKey(anchoring.anchorKeyFile ?? "").sign({
    chainId: 31_337,
    nonce: Number(nonce),
    to: RICH_ADDRESS,
    data: "0x",
    gasLimit: 21_000n,
    fee: { maxFeeWei: 1000n * GWEI, tipWei: 500n * GWEI, isLegacy: false },
  });
  // The server may send its own again in between: the dearer one takes its place.
  await chain.call("eth_sendRawTransaction", foreign.raw);
  await chain.mine(1);
  await faultIs(client, made.stream_id, "nonce_taken");
  await chain.mineBySelf(true);
  await until("it has another number", async () => {
    await chain.mine(1);
    return steps.includes("renumbered") ? true : null;
  });
  const anchor = await anchored(client, chain, made.stream_id);
  assert.notEqual(anchor.tx_hash, pending.tx_hash);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a chain that stands still is named, nothing more is sent there than fits, and appends do not wait", async (t) => {
  const all = await startAnchored(t, { anchorStuckMs: 50 });
  const { client, made, chain } = all;
  await chain.mineBySelf(false);
  for (let event = 1; event <= 25; event++) {
    assert.equal((await client.append(made.stream_id, loan(event))).status, 201);
    await sealedNow(client, made.stream_id, event);
  }
  assert.match(await faultIs(client, made.stream_id, "chain_stalled"), /its newest block is still 1/);
  const waiting = await chain.call("txpool_status");
  assert.ok(Number(waiting.pending) <= 16, waiting.pending);
  await chain.mineBySelf(true);
  await chain.mine(1);
  const anchor = await anchored(client, chain, made.stream_id);
  const epochs = await writtenEpochs(all);
  assert.equal(epochs.at(-1), anchor.epoch_no);
  assert.equal(new Set(epochs).size, epochs.length, "none twice");
});

test("an epoch that is in the contract already is not sent again: its place is noted", async (t) => {
  const all = await startAnchored(t);
  const { client, made, chain, server } = all;
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, chain, made.stream_id);
  // As in a database that was put back to before it was anchored.
  for (const table of ["mined_epochs", "anchorings", "anchor_transactions"]) await runSql(all, `DELETE FROM ${table}`);
  const steps = stepsOf(server);
  const again = await anchored(client, chain, made.stream_id);
  assert.deepEqual([again.tx_hash, again.block_hash], [first.tx_hash, first.block_hash]);
  assert.deepEqual(steps, ["adopted", "confirmed"]);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a number that another deployment has used in the contract is named, and the epochs after it are anchored", async (t) => {
  const all = await startAnchored(t, { epochIntervalMs: 86_400_000 });
  const { client, made, chain, contract, anchoring } = all;
  const key = readAnchoringKey(anchoring.anchorKeyFile ?? "");
  const nonce = Number(await chain.call("eth_getTransactionCount", key.address, "latest"));
  const taken = key.sign({
    chainId: 31_337,
    nonce,
    to: contract,
    data: anchorCall(1, "ab".repeat(32)),
    gasLimit: 100_000n,
    fee: { maxFeeWei: 100n * GWEI, tipWei: GWEI, isLegacy: false },
  });
  await chain.call("eth_sendRawTransaction", taken.raw);
  await client.append(made.stream_id, loan(1));
  assert.match(await faultIs(client, made.stream_id, "epoch_taken"), /holds abab/);
  assert.deepEqual(await writtenEpochs(all), [1]);
});
