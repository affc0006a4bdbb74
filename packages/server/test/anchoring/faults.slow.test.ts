/**
 * All that keeps an epoch from being anchored has a name, is tried again, and holds up no append. Nothing that a node
 * makes up is kept.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { RICH_ADDRESS, RICH_KEY } from "@svc/testkit/chain";
import {
  anchored,
  contractOnChain,
  environmentFor,
  faultIs,
  keyFileOf,
  type startAnchored,
  startAnchoredOn,
  writtenEpochs,
} from "@svc/testkit/server/anchored";
import { runSql } from "@svc/testkit/server/changed-rows";
import { startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { openDeployment, startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { Transaction } from "micro-eth-signer";
import { ANCHOR_FAULTS, type AnchorFaultCode } from "../../src/chain/anchor-fault.ts";
import { readAnchoringKey } from "../../src/chain/anchoring-key.ts";
import { type Change, nodeBetween } from "./node-between.ts";

const POOR_KEY = "11".repeat(32);

/** Records an event while a fault is there, and waits until the fault is shown and the event witnessed. */
async function told(all: Awaited<ReturnType<typeof startAnchored>>, code: AnchorFaultCode): Promise<string> {
  const { client, made } = all;
  const { body, status } = await client.append(made.stream_id, loan(1));
  assert.equal(status, 201);
  await client.witnessed(made.stream_id, body.seq_no);
  return faultIs(client, made.stream_id, code);
}

test("a budget that is used up is reported, and the epoch is anchored on the next day", async (t) => {
  let now = Date.now();
  const on = await contractOnChain(t);
  const settings = { epochIntervalMs: 20, ...on.anchoring, anchorDayBudgetGwei: 400_000 };
  const started = await startServer(t, settings, () => now);
  const { client, made } = started;
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  await anchored(client, on.chain, made.stream_id);
  await runSql(started, "UPDATE anchorings SET cost_gwei = 399999");
  await client.append(made.stream_id, loan(2));
  await client.witnessed(made.stream_id, 2);
  const words = await faultIs(client, made.stream_id, "budget_used_up");
  assert.match(
    words,
    /has spent up to \d+ gwei today, the transaction can cost \d+, and SVC_ANCHOR_DAY_BUDGET_GWEI is 400000/,
  );
  now += 86_400_000;
  await anchored(client, on.chain, made.stream_id);
  assert.equal((await writtenEpochs(on)).length, 2);
});

test("a node that says again and again that the key's number is used has no more signed than the budget", async (t) => {
  let now = Date.now();
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  const signed = new Map<string, bigint>();
  let used = 0;
  liar.change = async ({ method, params, result }) => {
    if (method === "eth_getTransactionCount") return used === 0 ? undefined : `0x${used.toString(16)}`;
    if (method !== "eth_sendRawTransaction") return undefined;
    const { raw } = Transaction.fromHex(params[0]);
    signed.set(`${raw.nonce}`, BigInt(raw.gasLimit) * ("maxFeePerGas" in raw ? BigInt(raw.maxFeePerGas) : 0n));
    used = Number(raw.nonce) + 1;
    // It keeps them for itself: the chain would find the epoch in one that waits there.
    await on.chain.call("anvil_dropTransaction", result);
    return undefined;
  };
  await on.chain.mine(5);
  await on.chain.mineBySelf(false);
  const budget = 400_000;
  const settings = { epochIntervalMs: 20, ...on.anchoring, anchorRpc: [liar.url], anchorDayBudgetGwei: budget };
  const started = await startServer(t, settings, () => now);
  await told({ ...started, ...on }, "budget_used_up");
  const most = [...signed.values()].reduce((sum, cost) => sum + cost, 0n) / 1_000_000_000n;
  assert.ok(signed.size > 1 && most <= budget, `${signed.size} transactions for ${most} gwei`);
  liar.change = () => undefined;
  now += 86_400_000;
  await on.chain.mineBySelf(true);
  await anchored(started.client, on.chain, started.made.stream_id);
  assert.deepEqual(await writtenEpochs(on), [1]);
});

test("a key without money is reported with its address, and anchors once it has some", async (t) => {
  const on = await contractOnChain(t);
  const all = {
    ...on,
    ...(await startServer(t, { epochIntervalMs: 20, ...on.anchoring, anchorKeyFile: keyFileOf(POOR_KEY) })),
  };
  const words = await told(all, "not_anchorer");
  const { address } = readAnchoringKey(keyFileOf(POOR_KEY));
  assert.ok(words.includes(address) && words.includes(RICH_ADDRESS), words);

  const rich = await startAnchoredOn(t, on);
  await on.chain.call("anvil_setBalance", RICH_ADDRESS, "0x1");
  assert.match(await told(rich, "balance_too_low"), new RegExp(`${RICH_ADDRESS} has 1 gwei, .* Send it more`));
  await on.chain.call("anvil_setBalance", RICH_ADDRESS, "0xde0b6b3a7640000");
  await anchored(rich.client, on.chain, rich.made.stream_id);
});

test("another contract at the address, no contract, another chain, and an invalid key", async (t) => {
  const on = await contractOnChain(t);
  const { chain } = on;
  const all = await startAnchoredOn(t, on);
  const { contract } = all;
  const code = await chain.call("eth_getCode", contract, "latest");
  await chain.call("anvil_setCode", contract, "0x6001");
  assert.match(await told(all, "contract_replaced"), /and that of EvidenceAnchor is 0x[0-9a-f]{64}: nothing is sent/);
  await chain.call("anvil_setCode", contract, "0x");
  assert.match(await faultIs(all.client, all.made.stream_id, "contract_missing"), /svc-server anchor deploy/);
  assert.deepEqual(await writtenEpochs(all), []);
  await chain.call("anvil_setCode", contract, code);
  await anchored(all.client, chain, all.made.stream_id);

  const elsewhere = await startAnchoredOn(t, on, { anchorNetwork: "eip155:1" });
  assert.match(await told(elsewhere, "wrong_network"), /its chain is eip155:31337, and eip155:1 is configured/);
  const keyFile = keyFileOf("no key");
  const keyless = await startAnchoredOn(t, on, { anchorKeyFile: keyFile });
  const unusable = await told(keyless, "key_unusable");
  assert.match(unusable, /the file in SVC_ANCHOR_KEY_FILE holds no private key/);
  assert.ok(!unusable.includes(keyFile), "tenants read it");
});

/** Each lie, and the name that it gets. */
const LIES: readonly [AnchorFaultCode, string, Change][] = [
  [
    "answer_malformed",
    "a page",
    (_call, response) => {
      response.setHeader("content-type", "text/html");
      response.end("<html>please log in</html>");
      return null;
    },
  ],
  [
    "answer_malformed",
    "a list",
    (_call, response) => {
      response.end("[]");
      return null;
    },
  ],
  [
    "answer_malformed",
    "the answer to another call",
    (_call, response) => {
      response.end('{"jsonrpc":"2.0","id":0,"result":"0x1"}');
      return null;
    },
  ],
  ["answer_malformed", "an invalid quantity", ({ method }) => (method === "eth_chainId" ? "31337" : undefined)],
  ["timed_out", "no answer", () => null],
  [
    "redirected",
    "a redirect",
    (_call, response) => {
      response.writeHead(302, { location: "http://elsewhere.example/" }).end();
      return null;
    },
  ],
  [
    "answer_too_large",
    "an answer without end",
    (_call, response) => {
      response.end(`{"id":1,"result":"0x${"00".repeat(2_000_000)}"}`);
      return null;
    },
  ],
  [
    "node_refused",
    "a refusal of each call",
    ({ id }, response) => {
      response.end(
        JSON.stringify({
          jsonrpc: "2.0",
          id,
          error: { code: -32_000, message: "no more\u001b[31m calls of /key-of-the-operator" },
        }),
      );
      return null;
    },
  ],
];

test("a node that answers with nonsense, or not at all: each is named, and the epoch is anchored afterwards", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  for (const [code, what, change] of LIES) {
    await t.test(what, async (t) => {
      liar.change = change;
      const all = await startAnchoredOn(t, on, { anchorRpc: [liar.url], anchorTimeoutMs: 500 });
      const words = await told(all, code);
      assert.ok(!words.includes("key-of-the-operator") && !words.includes("\u001b"), words);
      liar.change = () => undefined;
      if (what === LIES.at(-1)?.[1]) await anchored(all.client, on.chain, all.made.stream_id);
    });
  }
});

const flipped = (hex: string) => `${hex.slice(0, -1)}${hex.endsWith("0") ? "1" : "0"}`;

/** The result `null`; as it is, it would mean that the change has answered by itself. */
const NOTHING = { toJSON: () => null };

/** Each lie about what is in the chain. */
const FALSEHOODS: readonly [AnchorFaultCode, string, Change][] = [
  [
    "node_contradicted",
    "a receipt of another block",
    ({ method, result }) =>
      method === "eth_getTransactionReceipt" && result !== null
        ? { ...result, blockHash: flipped(result.blockHash) }
        : undefined,
  ],
  [
    "node_contradicted",
    "a receipt of another transaction",
    ({ method, result }) =>
      method === "eth_getTransactionReceipt" && result !== null
        ? { ...result, transactionHash: flipped(result.transactionHash) }
        : undefined,
  ],
  [
    "node_contradicted",
    "a transaction that has cost more than it was signed for",
    ({ method, result }) =>
      method === "eth_getTransactionReceipt" && result !== null
        ? { ...result, effectiveGasPrice: `0x${"f".repeat(64)}` }
        : undefined,
  ],
  [
    "node_behind",
    "a block that it does not have",
    ({ method, params }) => (method === "eth_getBlockByNumber" && params[0] !== "latest" ? NOTHING : undefined),
  ],
  [
    "node_contradicted",
    "another block than was asked for",
    ({ method, params, result }) =>
      method === "eth_getBlockByNumber" && params[0] !== "latest" ? { ...result, number: "0x1" } : undefined,
  ],
  [
    "node_contradicted",
    "a header with one bit changed",
    ({ method, params, result }) =>
      method === "eth_getBlockByNumber" && params[0] !== "latest" ? { ...result, gasUsed: "0x1" } : undefined,
  ],
  [
    "evidence_invalid",
    "the proof of another slot",
    ({ method, result }) =>
      method === "eth_getProof"
        ? { ...result, storageProof: [{ ...result.storageProof[0], proof: result.accountProof }] }
        : undefined,
  ],
  [
    "evidence_invalid",
    "a proof that is cut",
    ({ method, result }) =>
      method === "eth_getProof" ? { ...result, accountProof: result.accountProof.slice(0, -1) } : undefined,
  ],
  [
    "evidence_invalid",
    "a proof with a node too many",
    ({ method, result }) =>
      method === "eth_getProof"
        ? { ...result, accountProof: [...result.accountProof, result.accountProof[0]] }
        : undefined,
  ],
  [
    "evidence_invalid",
    "a proof in another order",
    ({ method, result }) =>
      method === "eth_getProof" ? { ...result, accountProof: result.accountProof.toReversed() } : undefined,
  ],
  [
    "evidence_invalid",
    "a proof with one bit changed",
    ({ method, result }) =>
      method === "eth_getProof"
        ? { ...result, accountProof: [flipped(result.accountProof[0]), ...result.accountProof.slice(1)] }
        : undefined,
  ],
  [
    "answer_malformed",
    "the proofs of two slots",
    ({ method, result }) =>
      method === "eth_getProof"
        ? { ...result, storageProof: [...result.storageProof, ...result.storageProof] }
        : undefined,
  ],
];

test("a node that lies about the chain: nothing of it is kept, and each lie is named", async (t) => {
  const on = await contractOnChain(t);
  const liar = await nodeBetween(t, on.chain.url);
  for (const [code, what, change] of FALSEHOODS) {
    await t.test(what, async (t) => {
      liar.change = change;
      const all = await startAnchoredOn(t, on, { anchorRpc: [liar.url] });
      const { client, made } = all;
      await client.append(made.stream_id, loan(1));
      await client.witnessed(made.stream_id, 1);
      await until(`the node is caught: ${code}`, async () => {
        await on.chain.mine(1);
        const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
        assert.notEqual(body.anchor.state, "confirmed");
        return body.anchor.problem?.code === code ? true : null;
      });
      assert.equal((await client.get("/v2/anchors/latest-anchored")).status, 404);
      liar.change = () => undefined;
      await anchored(client, on.chain, made.stream_id);
    });
  }
});

test("evidence stays when the node lies about its block, or is of another chain by now", async (t) => {
  const on = await contractOnChain(t);
  const { made } = await openDeployment(t);
  const liar = await nodeBetween(t, on.chain.url);
  const served = async (settings: Record<string, string>) => {
    const server = await startChild(t, made.data_folder, {
      ...environmentFor(on),
      SVC_ANCHOR_RPC: liar.url,
      SVC_LOG_LEVEL: "silent",
      ...settings,
    });
    return { server, client: new Client(server.url, made.api_key ?? "") };
  };
  const first = await served({});
  await first.client.append(made.stream_id, loan(1), "event-1");
  await first.client.witnessed(made.stream_id, 1);
  const { members: _members, ...anchor } = await anchored(first.client, on.chain, made.stream_id);
  const kept = async (client: Client) => {
    const { members, ...body } = (await client.get("/v2/anchors/latest-anchored")).body;
    assert.deepEqual([members, body], [[], anchor]);
  };
  const otherBlock: Change = ({ method, params, result }) =>
    method === "eth_getBlockByNumber" && params[0] !== "latest" ? { ...result, hash: flipped(result.hash) } : undefined;
  liar.change = otherBlock;
  await first.client.append(made.stream_id, loan(2), "event-2");
  await first.client.witnessed(made.stream_id, 2);
  await faultIs(first.client, made.stream_id, "node_contradicted");
  await kept(first.client);
  await first.server.end("SIGTERM");

  liar.change = (call, response) => (call.method === "eth_chainId" ? "0x1" : otherBlock(call, response));
  const second = await served({ SVC_ANCHOR_NETWORK: "eip155:1" });
  await second.client.append(made.stream_id, loan(3), "event-3");
  await second.client.witnessed(made.stream_id, 3);
  await faultIs(second.client, made.stream_id, "transaction_refused");
  await kept(second.client);
});

test("every fault has a code and a meaning, and the key is in none of the words", async () => {
  for (const [code, meaning] of Object.entries(ANCHOR_FAULTS)) assert.ok(/^[a-z_]+$/.test(code) && meaning.length > 10);
  assert.throws(
    () => readAnchoringKey(keyFileOf(`${RICH_KEY}00`)),
    (error: Error) => !error.message.includes(RICH_KEY),
  );
  assert.throws(() => readAnchoringKey("/nowhere/at/all"), /key_unusable: .*ENOENT/);
});
