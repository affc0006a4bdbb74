/** Evidence that is kept outlives nodes that lie, and a date that was proven is not given up for a later one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchored, contractOnChain, faultIs, startAnchoredOn, stepsOf } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { type Change, nodeBetween } from "./node-between.ts";

/** The result `null`; as it is, it would mean that the change has answered by itself. */
const NOTHING = { toJSON: () => null };

test("a block whose hash is not that of its header voids nothing", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  const { client, made, server } = await startAnchoredOn(t, on, { anchorRpc: [liar.url] });
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, on.chain, made.stream_id);
  const steps = stepsOf(server);
  const otherHash: Change = ({ method, params, result }) => {
    if (method === "eth_getTransactionReceipt") return NOTHING;
    return method === "eth_getBlockByNumber" && params[0] !== "latest"
      ? { ...result, hash: `0x${"ab".repeat(32)}` }
      : undefined;
  };
  liar.change = otherHash;
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  assert.match(await faultIs(client, made.stream_id, "node_contradicted"), /does not have the hash 0xabab/);
  assert.deepEqual([steps.includes("removed"), await kept()], [false, first.block_hash]);

  async function kept() {
    return (await client.get(`/v2/anchors/${first.anchor_epoch_id}`)).body.block_hash;
  }
});

test("a newest block whose hash is not that of its header is not believed either", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  liar.change = ({ method, params, result }) =>
    method === "eth_getBlockByNumber" && params[0] === "latest" ? { ...result, timestamp: "0xffffffff" } : undefined;
  const { client, made } = await startAnchoredOn(t, on, { anchorRpc: [liar.url] });
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  await faultIs(client, made.stream_id, "node_contradicted");
  liar.change = () => undefined;
  await anchored(client, on.chain, made.stream_id);
});

/** Refuses the state of old blocks, as full nodes do: other evidence of the same epoch would be of a later one. */
const withoutStateOf =
  (blockNumber: number): Change =>
  ({ id, method, params }, response) => {
    if (method !== "eth_getProof" || Number(params[2]) > blockNumber) return undefined;
    response.end(JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: "missing trie node" } }));
    return null;
  };

test("evidence that was void comes back with its block, and with its date", async (t) => {
  const on = await contractOnChain(t);
  const between = await nodeBetween(t, on.chain.url);
  const { client, made, server } = await startAnchoredOn(t, on, { anchorRpc: [between.url] });
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, on.chain, made.stream_id);
  const shown = async () => (await client.get(`/v2/anchors/${first.anchor_epoch_id}`)).body;
  const steps = stepsOf(server);
  const other = await contractOnChain(t);
  await other.chain.mine(1000);
  between.target = other.chain.url;
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  await until("its evidence is void", async () => (steps.includes("removed") ? true : null));
  assert.equal((await shown()).evidence, null);

  between.change = withoutStateOf(first.block_number ?? 0);
  between.target = on.chain.url;
  const again = await until("it has evidence", async () => {
    await on.chain.mine(1);
    const body = await shown();
    return body.evidence === null ? null : body;
  });
  assert.deepEqual([again.block_hash, again.anchored_at], [first.block_hash, first.anchored_at]);
  assert.ok(steps.includes("restored"), `${steps}`);
});

test("evidence with a later date gives way as soon as the block of the earlier is there again", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  const { client, made, server } = await startAnchoredOn(t, on, { anchorRpc: [liar.url] });
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, on.chain, made.stream_id);
  const shown = async () => (await client.get(`/v2/anchors/${first.anchor_epoch_id}`)).body;
  const steps = stepsOf(server);
  await on.chain.mine(5);
  const later = await on.chain.call("eth_getBlockByNumber", "latest", false);
  const other = await contractOnChain(t);
  await other.chain.mine(1000);
  // It denies the one block alone, and names a later one for its transaction.
  liar.change = ({ method, params, result }) => {
    if (method === "eth_getBlockByNumber" && Number(params[0]) === first.block_number)
      return other.chain.call(method, ...params);
    return method === "eth_getTransactionReceipt" && result?.transactionHash === first.tx_hash
      ? { ...result, blockNumber: later.number, blockHash: later.hash }
      : undefined;
  };
  let event = 1;
  const onceMined = async (what: string, isThere: () => Promise<boolean>) =>
    until(what, async () => {
      await on.chain.mine(1);
      return (await isThere()) || null;
    });
  const next = async () => {
    event += 1;
    await client.append(made.stream_id, loan(event));
    await client.witnessed(made.stream_id, event);
  };
  await next();
  await onceMined("it has later evidence", async () => (await shown()).block_hash === later.hash);
  liar.change = () => undefined;
  await next();
  await onceMined("it has the earlier one", async () => (await shown()).block_hash === first.block_hash);
  assert.equal((await shown()).anchored_at, first.anchored_at);
  assert.ok(steps.includes("restored"), `${steps}`);
});
