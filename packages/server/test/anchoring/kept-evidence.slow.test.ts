/** Evidence that is kept outlives nodes that lie, and a date that was proven is not given up for a later one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchored, contractOnChain, faultIs, startAnchoredOn, stepsOf } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { type Change, nodeBetween } from "./node-between.ts";

/** The result `null`; as it is, it would mean that the change has answered by itself. */
const NOTHING = { toJSON: () => null };

test("a block whose hash is not that of its header voids nothing", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  const { client, made, server } = await startAnchoredOn(t, on, { anchorRpc: liar.url });
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
  const { client, made } = await startAnchoredOn(t, on, { anchorRpc: liar.url });
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  await faultIs(client, made.stream_id, "node_contradicted");
  liar.change = () => undefined;
  await anchored(client, on.chain, made.stream_id);
});
