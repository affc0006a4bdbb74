/** The command that makes the contract: what it says, and why it makes none. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { RICH_ADDRESS, startChain, TEST_NETWORK } from "@svc/testkit/chain";
import { keyFileOf } from "@svc/testkit/server/anchored";
import { command } from "@svc/testkit/server/child-process";
import { readAnchoringKey } from "../../src/chain/anchoring-key.ts";
import { nodeBetween } from "./node-between.ts";

const POOR_KEY = "22".repeat(32);

test("anchor deploy makes a contract, and each reason for none is named, without a secret", async (t) => {
  const chain = await startChain(t);
  const between = await nodeBetween(t, chain.url);
  const settings = {
    SVC_ANCHOR_NETWORK: TEST_NETWORK,
    SVC_ANCHOR_RPC: between.url,
    SVC_ANCHOR_KEY_FILE: keyFileOf(),
  };
  const deploy = async (changes: Record<string, string> = {}) => {
    const { code, out, err } = await command(["anchor", "deploy", "--json"], { ...settings, ...changes });
    assert.ok(!`${out}${err}`.includes("key-of-the-operator") && !/\n\s+at /.test(err), err);
    return { code, out, words: err.replaceAll(/\s+/g, " ") };
  };
  const made = await deploy();
  assert.equal(made.code, 0, made.words);
  const { contract, anchorer, code_hash } = JSON.parse(made.out);
  assert.deepEqual([anchorer, code_hash], [RICH_ADDRESS, EVIDENCE_ANCHOR_CODE_HASH]);
  assert.notEqual(await chain.call("eth_getCode", contract, "latest"), "0x");

  const poor = { SVC_ANCHOR_KEY_FILE: keyFileOf(POOR_KEY) };
  const { address } = readAnchoringKey(poor.SVC_ANCHOR_KEY_FILE);
  const refusals: readonly [Record<string, string>, number, RegExp][] = [
    [poor, 1, new RegExp(`${address} has 0 gwei, and the contract can cost \\d+. Send it more`)],
    [{ SVC_ANCHOR_NETWORK: "eip155:1" }, 1, /its chain is eip155:31337, and eip155:1 is configured/],
    [{ SVC_ANCHOR_KEY_FILE: "/nowhere/at/all" }, 1, /cannot be read: ENOENT/],
    [{ SVC_ANCHOR_DAY_BUDGET_GWEI: "1000" }, 1, /can cost \d+ gwei, and SVC_ANCHOR_DAY_BUDGET_GWEI is 1000/],
    [{ SVC_ANCHOR_RPC: "" }, 64, /Set SVC_ANCHOR_NETWORK, SVC_ANCHOR_RPC and SVC_ANCHOR_KEY_FILE/],
    [{ SVC_ANCHOR_NETWORK: "mainnet" }, 64, /must be a CAIP-2 id/],
  ];
  for (const [changes, code, words] of refusals) {
    const refused = await deploy(changes);
    assert.equal(refused.code, code, refused.words);
    assert.match(refused.words, words);
    assert.equal(refused.out, "");
  }
  assert.equal(Number(await chain.call("eth_getTransactionCount", RICH_ADDRESS, "pending")), 1, "no other was sent");
  between.change = ({ id, method }, response) => {
    if (method !== "eth_estimateGas") return undefined;
    response.end(
      JSON.stringify({ jsonrpc: "2.0", id, error: { code: -32_000, message: "insufficient funds for gas" } }),
    );
    return null;
  };
  assert.match((await deploy()).words, new RegExp(`balance_too_low: ${RICH_ADDRESS}: insufficient funds for gas`));
  between.change = (_call, response) => {
    response.writeHead(302, { location: "http://elsewhere.example/" }).end();
    return null;
  };
  const redirected = await deploy();
  assert.deepEqual([redirected.code, /redirect/.test(redirected.words)], [1, true], redirected.words);
});
