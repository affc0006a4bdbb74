/** An anchor beside a node of its chain, a real one: pins come from it, and `svc` says where the two differ. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { TEST_NETWORK } from "@svc/testkit/chain";
import { anchored, startAnchored } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { put, svc } from "./svc.ts";

test("pins from a node, an anchor that it confirms, and what it says when its blocks are others", async (t) => {
  const { client, made, chain, contract } = await startAnchored(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const anchor = await anchored(client, chain, made.stream_id);
  put("real-anchor.json", anchor);
  const number = `${anchor.block_number}`;
  const trust = ["--trust", "node-trust.json"];
  const run = async (code: number, pattern: RegExp, ...words: string[]) => {
    const { code: ended, stdout, stderr } = await svc(words);
    assert.equal(ended, code, `${words.join(" ")}\n${stdout}${stderr}`);
    assert.match(`${stdout}${stderr}`.replaceAll(/\s+/g, " "), pattern);
  };
  await run(0, /Pinned/, "trust", "add", "--public-key-hex", made.public_key_hex, ...trust);
  const verify = ["anchors", "verify", "real-anchor.json", ...trust, "--rpc"];
  await run(0, /anchored unpinned .*✓ the block at .*The node says the same/, ...verify, chain.url);

  const block = ["trust", "pin-block", "--network", TEST_NETWORK, "--number", number, ...trust];
  const other = `0x${"ab".repeat(32)}`;
  await run(
    66,
    /The node has 0x.* and you give 0xabab.*nothing was pinned/,
    ...block,
    "--hash",
    other,
    "--rpc",
    chain.url,
  );
  await run(66, /has no block 99999/, ...block.with(5, "99999"), "--rpc", chain.url);
  await run(66, /is of eip155:31337, and not of eip155:1/, ...block.with(3, "eip155:1"), "--rpc", chain.url);
  await run(0, new RegExp(`Pinned block ${number} .*${anchor.block_hash}`), ...block, "--rpc", chain.url);

  const pin = ["trust", "pin-contract", "--network", TEST_NETWORK, "--address", contract, ...trust];
  await run(66, /has the hash 0x.*nothing was pinned/i, ...pin, "--code-hash", other, "--rpc", chain.url);
  await run(66, /There is no contract at/, ...pin.with(5, `0x${"cd".repeat(20)}`), "--rpc", chain.url);
  await run(0, /as EvidenceAnchor/, ...pin, "--rpc", chain.url);
  const offline = ["verify", "real-anchor.json", ...trust, "--require", "anchored"];
  await run(0, /anchored/, ...offline);
  await run(0, /"code_hash": ?"0x/, "trust", "list", "--json", ...trust);
  assert.match((await svc(["trust", "list", "--json", ...trust])).stdout, new RegExp(EVIDENCE_ANCHOR_CODE_HASH));

  // Blocks that go take the anchor's with them: the evidence still holds under its pin, and the node says otherwise.
  await chain.call("anvil_reorg", (await blocksAfter(anchor.block_number ?? 0, chain)) + 1, []);
  await run(1, /✗ the block at .*THE NODE SAYS OTHERWISE/, ...verify, chain.url);
  await chain.stop();
  await run(70, /The node gave no answer: it cannot be reached/, ...verify, chain.url);
  await run(0, /anchored/, ...offline);
  await run(64, /--rpc is no address of a node/, ...verify, "node.example");
});

async function blocksAfter(number: number, chain: { call(method: string): Promise<string> }): Promise<number> {
  return Number(await chain.call("eth_blockNumber")) - number;
}
