/**
 * Nodes that answer with nonsense, elsewhere, or with lies: `svc` says so, pins nothing, and no answer makes a verdict
 * better than it is without the node.
 */
import assert from "node:assert/strict";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { epochHash, referenceKernel } from "@svc/core";
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { anchorOf, NETWORK } from "@svc/testkit/evidence/anchors";
import { changed, evidence, PIN, put, svc } from "./svc.ts";

const anchor = await anchorOf(evidence.checkpoints);
put("lying.json", anchor);
put(
  "lying-forged.json",
  changed(anchor, (copy) => {
    copy.block_number += 1;
  }),
);

put(
  "lying-shape.json",
  changed(anchor, (copy) => {
    copy.epoch_no = "9\u001b[31m";
    copy.block_number = "10\u0007";
  }),
);

type Answer = (method: string, response: ServerResponse) => unknown;

/** Starts a node that answers each method so; an undefined answer is an error, in words that a terminal would obey. */
async function nodeThat(t: TestContext, answer: Answer) {
  const state = { url: "", calls: 0 };
  const server = createServer(async (request, response) => {
    state.calls += 1;
    const pieces: Buffer[] = [];
    for await (const piece of request) pieces.push(piece as Buffer);
    const { id, method } = JSON.parse(Buffer.concat(pieces).toString("utf8"));
    const result = answer(method, response);
    if (response.writableEnded) return;
    const rest = result === undefined ? { error: { code: 1, message: "no \u001b[31mmore\u0007 calls" } } : { result };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, ...rest }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => void server.close().closeAllConnections());
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/key-of-the-reader`;
  return state;
}

const CHAIN = `0x${Number(NETWORK.slice("eip155:".length)).toString(16)}`;

/** An honest node of the anchor's chain, except for what is given. */
const nodeWith =
  (other: Readonly<Record<string, unknown>>): Answer =>
  (method) =>
    method in other
      ? other[method]
      : {
          eth_chainId: CHAIN,
          eth_getBlockByNumber: { hash: anchor.block_hash },
          eth_getTransactionReceipt: { blockHash: anchor.block_hash },
          eth_call: `0x${"00".repeat(32)}`,
        }[method];

const NONSENSE: readonly [string, RegExp, Answer][] = [
  ["a page", /of status 200, is no JSON-RPC/, (_, response) => response.end("<html>please log in</html>")],
  ["a list", /is no JSON-RPC/, (_, response) => response.end("[]")],
  ["nothing", /is no JSON-RPC/, (_, response) => response.end()],
  ["another call's answer", /is of another call/, (_, response) => response.end('{"id":7,"result":"0x1"}')],
  ["a number", /eth_chainId has another form/, () => 31_337],
  ["a list of one", /eth_chainId has another form/, () => [CHAIN]],
  ["a refusal", /it refuses eth_chainId: no .*more/, () => undefined],
  ["without end", /larger than 4 MiB/, (_, response) => response.end(`{"result":"0x${"00".repeat(3_000_000)}"}`)],
  ["an object in place of a hash", /eth_getBlockByNumber has another form/, nodeWith({ eth_getBlockByNumber: {} })],
];

test("nonsense is no answer: 70, nothing is pinned, and no control character reaches the terminal", async (t) => {
  for (const [what, said, answer] of NONSENSE) {
    const node = await nodeThat(t, answer);
    const verify = await svc(["anchors", "verify", "lying.json", ...PIN, "--rpc", node.url]);
    const pin = ["--network", NETWORK, "--number", "1", "--trust", "lying-trust.json", "--rpc", node.url];
    const pinned = await svc(["trust", "pin-block", ...pin]);
    for (const { code, stdout, stderr } of [verify, pinned]) {
      assert.equal(code, 70, `${what}: ${stdout}${stderr}`);
      const text = `${stdout}${stderr}`.replaceAll(/\s+/g, " ");
      assert.match(text, said, what);
      assert.ok(!text.includes("\u001b") && !text.includes("key-of-the-reader"), text);
    }
  }
});

test("a redirect is not followed, and the server that it names is not asked", async (t) => {
  const other = await nodeThat(t, nodeWith({}));
  const node = await nodeThat(t, (_, response) => response.writeHead(307, { location: other.url }).end());
  const { code, stderr } = await svc(["anchors", "verify", "lying.json", ...PIN, "--rpc", node.url]);
  assert.equal(code, 70, stderr);
  assert.match(stderr, /redirects to/);
  assert.deepEqual([node.calls, other.calls], [1, 0]);
});

test("a node that agrees makes no verdict better, and one that does not makes it worse", async (t) => {
  const agreeing = nodeWith({ eth_call: `0x${epochHash(referenceKernel, anchor)}` });
  const verify = async (file: string, pins: readonly string[], answer: Answer) => {
    const node = await nodeThat(t, answer);
    return svc(["anchors", "verify", file, ...pins, "--rpc", node.url]);
  };
  const good = await verify("lying.json", PIN, agreeing);
  assert.equal(good.code, 0, good.stdout);
  assert.match(good.stdout, /anchored unpinned/);
  assert.match(good.stdout, /The node says the same/);
  assert.equal((await verify("lying.json", [], agreeing)).code, 2, "no key is pinned");
  const forged = await verify("lying-forged.json", PIN, agreeing);
  assert.equal(forged.code, 1, forged.stdout);
  assert.match(forged.stdout, new RegExp(`^rejected: epoch ${anchor.epoch_no}\n`), "nothing of its block is said");
  assert.ok(!forged.stdout.includes("the proof is the evidence"), forged.stdout);
  const shapeless = await verify("lying-shape.json", PIN, agreeing);
  assert.equal(shapeless.code, 1, shapeless.stdout);
  assert.match(shapeless.stdout, /^rejected\n/);
  assert.match(shapeless.stdout, /The node was not asked/);
  assert.ok(!shapeless.stdout.includes("\u001b") && !shapeless.stdout.includes("\u0007"), shapeless.stdout);
  const lies: readonly Readonly<Record<string, unknown>>[] = [
    { eth_chainId: "0x1" },
    { eth_getBlockByNumber: { hash: `0x${"ab".repeat(32)}` } },
    { eth_getBlockByNumber: null },
    { eth_getTransactionReceipt: null },
    { eth_call: `0x${"cd".repeat(32)}` },
    { eth_call: "0x" },
  ];
  for (const lie of lies) {
    const otherwise = await verify("lying.json", PIN, (method, response) =>
      method in lie ? lie[method] : agreeing(method, response),
    );
    assert.equal(otherwise.code, 1, `${JSON.stringify(lie)}: ${otherwise.stdout}${otherwise.stderr}`);
    assert.match(otherwise.stdout, /THE NODE SAYS OTHERWISE/);
  }
});

test("a contract with other code, or none, is not pinned", async (t) => {
  const pin = ["trust", "pin-contract", "--network", NETWORK, "--address", `0x${"cd".repeat(20)}`];
  for (const [code, said] of [
    ["0x", /There is no contract/],
    ["0x6001", /and not 0x/],
  ] as const) {
    const node = await nodeThat(t, nodeWith({ eth_getCode: code }));
    const { code: ended, stderr } = await svc([...pin, "--trust", "lying-code.json", "--rpc", node.url]);
    assert.equal(ended, 66, stderr);
    assert.match(stderr.replaceAll(/\s+/g, " "), said);
    assert.ok(!stderr.includes(`as ${EVIDENCE_ANCHOR_CODE_HASH}`));
  }
  const listed = await svc(["trust", "list", "--json", "--trust", "lying-code.json"]);
  assert.ok(!listed.stdout.includes("cdcdcd"), listed.stdout);
});
