/** Several nodes of a chain: evidence is not void by the word of one, and one that is down or lies stops nothing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  anchored,
  contractOnChain,
  faultIs,
  startAnchoredOn,
  stepsOf,
  writtenEpochs,
} from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { type Change, nodeBetween } from "./node-between.ts";

const down: Change = (_call, response) => {
  response.destroy();
  return null;
};

test("a node that is down: the next one is asked, and each epoch is anchored", async (t) => {
  const on = await contractOnChain(t);
  const first = await nodeBetween(t, on.chain.url);
  const all = await startAnchoredOn(t, on, { anchorRpc: [first.url, on.chain.url] });
  const { client, made } = all;
  first.change = down;
  await client.append(made.stream_id, loan(1));
  const anchor = await anchored(client, on.chain, made.stream_id);
  const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
  assert.deepEqual([body.anchor.problem, await writtenEpochs(all)], [null, [anchor.epoch_no]]);
});

test("where every node is down, the fault of the first is reported, with its host and nothing else of its address", async (t) => {
  const on = await contractOnChain(t);
  const [first, second] = [await nodeBetween(t, on.chain.url), await nodeBetween(t, on.chain.url)];
  for (const node of [first, second]) node.change = down;
  const { client, made } = await startAnchoredOn(t, on, { anchorRpc: [first.url, second.url] });
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const words = await faultIs(client, made.stream_id, "unreachable");
  assert.ok(words.includes(new URL(first.url).host) && !words.includes("key-of-the-operator"), words);
});

test("a node of another history voids nothing that another node has, and epochs are anchored by that", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  const all = await startAnchoredOn(t, on, { anchorRpc: [liar.url, on.chain.url] });
  const { client, made, server } = all;
  await client.append(made.stream_id, loan(1));
  const first = await anchored(client, on.chain, made.stream_id);
  const steps = stepsOf(server);
  const other = await contractOnChain(t);
  await other.chain.mine(1000);
  liar.target = other.chain.url;
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  const second = await anchored(client, on.chain, made.stream_id);
  assert.ok(second.epoch_no > first.epoch_no);
  const { body } = await client.get(`/v2/anchors/${first.anchor_epoch_id}`);
  assert.deepEqual([body.block_hash, body.anchored_at], [first.block_hash, first.anchored_at]);
  assert.ok(!steps.includes("removed"), `${steps}`);
});

test(
  "where no other node answers, one alone voids nothing; two do, and evidence comes back by more words than are " +
    "against it",
  async (t) => {
    const on = await contractOnChain(t);
    const [one, two] = [await nodeBetween(t, on.chain.url), await nodeBetween(t, on.chain.url)];
    // The same key makes the same contract in the other chain.
    const settings = { epochIntervalMs: 20, ...on.anchoring, anchorRpc: [one.url, two.url] };
    const { client, made, server } = await startServer(t, settings);
    await client.append(made.stream_id, loan(1));
    const first = await anchored(client, on.chain, made.stream_id);
    const shown = async () => (await client.get(`/v2/anchors/${first.anchor_epoch_id}`)).body;
    const steps = stepsOf(server);
    const other = await contractOnChain(t);
    await other.chain.mine(1000);
    two.change = down;
    one.target = other.chain.url;
    await client.append(made.stream_id, loan(2));
    await client.witnessed(made.stream_id, 2);
    await until("the lone word is reported", async () => {
      const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
      return /by the word of this node alone/.test(body.anchor?.problem?.message ?? "") || null;
    });
    assert.deepEqual([steps.includes("removed"), (await shown()).block_hash], [false, first.block_hash]);

    two.target = other.chain.url;
    two.change = () => undefined;
    await client.append(made.stream_id, loan(3));
    await until("two say so", async () => (steps.includes("removed") ? true : null));
    assert.notEqual((await shown()).block_hash, first.block_hash);

    [one.target, two.target] = [on.chain.url, on.chain.url];
    await until("it is back", async () => {
      await on.chain.mine(1);
      return (await shown()).block_hash === first.block_hash || null;
    });
    assert.equal((await shown()).anchored_at, first.anchored_at);
    await anchored(client, on.chain, made.stream_id);
  },
);
