/** Chains, nodes and clocks that are not as they mostly are: each epoch is anchored there too, once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchored,
  anchorReaches,
  contractOnChain,
  faultIs,
  startAnchoredOn,
  stepsOf,
  writtenEpochs,
} from "@svc/testkit/server/anchored";
import { runSql } from "@svc/testkit/server/changed-rows";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { nodeBetween } from "./node-between.ts";

const DAY_MS = 86_400_000;
const GWEI = 1_000_000_000;
const quantity = (value: number) => `0x${value.toString(16)}`;

test("blocks that no other node has are void, however high one has made them up", async (t) => {
  const on = await contractOnChain(t);
  const between = await nodeBetween(t, on.chain.url);
  await on.chain.mine(1000);
  const started = await startServer(t, { epochIntervalMs: 20, ...on.anchoring, anchorRpc: [between.url] });
  const { client, made } = started;
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, on.chain, made.stream_id);
  assert.ok((first.block_number ?? 0) > 1000);
  // The same key makes the same contract there.
  const other = await contractOnChain(t);
  assert.equal(other.contract, on.contract);
  between.target = other.chain.url;
  const next = async (event: number) => {
    await client.append(made.stream_id, loan(event));
    await client.witnessed(made.stream_id, event);
    await anchored(client, other.chain, made.stream_id);
    return (await client.get(`/v2/anchors/${first.anchor_epoch_id}`)).body;
  };
  assert.equal((await next(2)).block_hash, first.block_hash, "a node that lacks it may be behind");
  await other.chain.call("evm_increaseTime", (2 * DAY_MS) / 1000);
  await other.chain.mine(1);
  await next(3);
  const again = await until("the first one is anchored again", async () => {
    await other.chain.mine(1);
    const { body } = await client.get(`/v2/anchors/${first.anchor_epoch_id}`);
    return body.evidence === null || body.block_hash === first.block_hash ? null : body;
  });
  assert.ok(again.block_number < 1000, `${again.block_number}`);
  const epochs = await writtenEpochs(other);
  assert.equal(new Set(epochs).size, epochs.length, `${epochs}`);
});

test("evidence in a later block than the transaction's: where that goes, the epoch gets other evidence", async (t) => {
  const on = await contractOnChain(t);
  const { chain } = on;
  const between = await nodeBetween(t, chain.url);
  const all = await startAnchoredOn(t, on, { anchorRpc: [between.url], anchorConfirmations: 2 });
  const { client, made, server } = all;
  const steps = stepsOf(server);
  await client.append(made.stream_id, loan(1));
  const { anchor: mined } = await anchorReaches(client, made.stream_id, "mined");
  between.change = ({ id, method, params }, response) => {
    if (method !== "eth_getProof" || Number(params[2]) !== mined.block_number) return undefined;
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: "missing trie node" } }));
    return null;
  };
  const first = await anchored(client, chain, made.stream_id);
  assert.ok((first.block_number ?? 0) > mined.block_number);
  const depth = Number(await chain.call("eth_blockNumber")) - mined.block_number;
  await chain.mineBySelf(false);
  await chain.call("anvil_reorg", depth, []);
  await client.append(made.stream_id, loan(2));
  await until("its evidence is void", async () => (steps.includes("removed") ? true : null));
  await chain.mineBySelf(true);
  const again = await until("it has other evidence", async () => {
    await chain.mine(1);
    const { body } = await client.get(`/v2/anchors/${first.anchor_epoch_id}`);
    return body.evidence === null ? null : body;
  });
  assert.deepEqual([again.tx_hash, again.block_hash === first.block_hash], [first.tx_hash, false]);
});

test("a chain without base fees: one price, the kind of transaction that it knows, and a dearer one where it waits", async (t) => {
  const on = await contractOnChain(t, { hardfork: "berlin" });
  const { chain } = on;
  const between = await nodeBetween(t, chain.url);
  // It says that it knows what it has dropped, so that nothing is sent again before it is replaced.
  between.change = ({ method, result }) => (method === "eth_getTransactionByHash" ? (result ?? {}) : undefined);
  const all = await startAnchoredOn(t, on, { anchorRpc: [between.url], anchorStuckMs: 20 });
  const { client, made, server } = all;
  const steps = stepsOf(server);
  await chain.mineBySelf(false);
  await client.append(made.stream_id, loan(1));
  const { anchor: before } = await anchorReaches(client, made.stream_id, "pending");
  const { type, gasPrice } = await chain.call("eth_getTransactionByHash", before.tx_hash);
  assert.equal(type, "0x0");
  // Blocks come without it.
  await chain.call("anvil_dropTransaction", before.tx_hash);
  await chain.mine(1);
  await until("it is replaced", async () => (steps.includes("replaced") ? true : null));
  const { anchor: after } = await anchorReaches(client, made.stream_id, "pending");
  const dearer = await chain.call("eth_getTransactionByHash", after.tx_hash);
  assert.ok(Number(dearer.gasPrice) >= Number(gasPrice) * 1.1, `${gasPrice} ${dearer.gasPrice}`);
  await chain.mineBySelf(true);
  await chain.mine(1);
  await anchored(client, chain, made.stream_id);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a node that gives the events of a few blocks at a time: the place of an epoch is found", async (t) => {
  const on = await contractOnChain(t);
  const between = await nodeBetween(t, on.chain.url);
  const all = await startAnchoredOn(t, on, { anchorRpc: [between.url] });
  const { client, made, chain, server } = all;
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, chain, made.stream_id);
  await chain.mine(60);
  let asked = 0;
  between.change = ({ id, method, params }, response) => {
    if (method !== "eth_getLogs") return undefined;
    asked += 1;
    const [{ fromBlock, toBlock }] = params;
    if (Number(toBlock) - Number(fromBlock) < 20) return undefined;
    const error = { code: -32_005, message: "query exceeds max block range 20" };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error }));
    return null;
  };
  const steps = stepsOf(server);
  // As in a database that was put back to before it was anchored.
  for (const table of ["mined_epochs", "anchorings", "anchor_transactions"]) await runSql(all, `DELETE FROM ${table}`);
  const again = await anchored(client, chain, made.stream_id);
  assert.equal(again.tx_hash, first.tx_hash);
  assert.ok(asked > 5, `${asked}`);
  assert.deepEqual(steps, ["adopted", "confirmed"]);
  assert.deepEqual(await writtenEpochs(all), [1]);
});

test("a balance that no number can carry is no fault", async (t) => {
  const on = await contractOnChain(t);
  const between = await nodeBetween(t, on.chain.url);
  between.change = ({ method }) => (method === "eth_getBalance" ? `0x${"f".repeat(64)}` : undefined);
  const { client, made, server } = await startAnchoredOn(t, on, { anchorRpc: [between.url] });
  const steps = stepsOf(server);
  await client.append(made.stream_id, loan(1));
  await anchored(client, on.chain, made.stream_id);
  assert.deepEqual(steps, ["sent", "mined", "confirmed"]);
});

test(
  "a node that counts too many transactions of the key leaves a gap: the epoch is " +
    "sent under the number that is due",
  async (t) => {
    const on = await contractOnChain(t);
    const between = await nodeBetween(t, on.chain.url);
    between.change = ({ method, result }) =>
      method === "eth_getTransactionCount" ? quantity(Number(result) + 3) : undefined;
    const all = await startAnchoredOn(t, on, { anchorRpc: [between.url], anchorStuckMs: 20 });
    const { client, made, chain, server } = all;
    const steps = stepsOf(server);
    await client.append(made.stream_id, loan(1));
    const { anchor: before } = await anchorReaches(client, made.stream_id, "pending");
    between.change = () => undefined;
    const anchor = await anchored(client, chain, made.stream_id);
    assert.notEqual(anchor.tx_hash, before.tx_hash);
    assert.ok(steps.includes("renumbered"), `${steps}`);
    assert.deepEqual(await writtenEpochs(all), [1]);
  },
);

test("a clock that is put back: what waits is still replaced, each time by a dearer one", async (t) => {
  let now = Date.now();
  const on = await contractOnChain(t);
  const { chain } = on;
  const started = await startServer(t, { epochIntervalMs: 20, ...on.anchoring, anchorStuckMs: 1000 }, () => now);
  const { client, made } = started;
  await chain.mineBySelf(false);
  await client.append(made.stream_id, loan(1));
  let { anchor } = await anchorReaches(client, made.stream_id, "pending");
  let fee = 0;
  for (const [round, by] of [-3_600_000, -60_000, 2000].entries()) {
    await chain.call("anvil_setNextBlockBaseFeePerGas", quantity(100 * GWEI * (round + 1) ** 2));
    await chain.mine(1);
    now += by;
    const replaced = anchor.tx_hash;
    // A node that is slow to answer may get the new one by a later look.
    anchor = await until("it is replaced", async () => {
      const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
      return body.anchor.tx_hash === replaced ? null : body.anchor;
    });
    const { maxFeePerGas } = await until("the node has it", () =>
      chain.call("eth_getTransactionByHash", anchor.tx_hash),
    );
    assert.ok(Number(maxFeePerGas) > fee, `${maxFeePerGas} after ${fee}`);
    fee = Number(maxFeePerGas);
  }
  await chain.mineBySelf(true);
  await chain.mine(1);
  await anchored(client, chain, made.stream_id);
  assert.deepEqual(await writtenEpochs(on), [1]);
});

test("a transaction of yesterday that is replaced counts for today, and for all of it", async (t) => {
  let now = Date.now();
  const on = await contractOnChain(t);
  const { chain } = on;
  const settings = { epochIntervalMs: 20, ...on.anchoring, anchorStuckMs: 1000, anchorDayBudgetGwei: 400_000 };
  const started = await startServer(t, settings, () => now);
  const { client, made } = started;
  await chain.mineBySelf(false);
  await client.append(made.stream_id, loan(1));
  await anchorReaches(client, made.stream_id, "pending");
  now += DAY_MS;
  await chain.call("anvil_setNextBlockBaseFeePerGas", quantity(4 * GWEI));
  await chain.mine(1);
  const words = await faultIs(client, made.stream_id, "budget_used_up");
  assert.match(words, /has spent up to 0 gwei today, the transaction can cost 5\d{5},/);
  await chain.mineBySelf(true);
  await chain.mine(1);
  await anchored(client, chain, made.stream_id);
  assert.deepEqual(await writtenEpochs(on), [1]);
});

test("two deployments with one key: each epoch is in its contract, once", async (t) => {
  const on = await contractOnChain(t);
  const { chain } = on;
  const both = [await startAnchoredOn(t, on), await startAnchoredOn(t, on)];
  await chain.mineBySelf(false);
  for (const { client, made } of both) await client.append(made.stream_id, loan(1));
  for (const { client, made } of both) await anchorReaches(client, made.stream_id, "pending");
  await chain.mine(1);
  await chain.mineBySelf(true);
  for (const one of both) {
    await anchored(one.client, chain, one.made.stream_id);
    assert.deepEqual(await writtenEpochs(one), [1]);
  }
});
