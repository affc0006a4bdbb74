/** The contract, on a real chain: it writes each epoch once, for its anchorer alone, and does nothing else. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createMPT, verifyMPTWithMerkleProof } from "@ethereumjs/mpt";
import { encodeHex, hexToBytes } from "@svc/core";
import { anchorCall, EVIDENCE_ANCHOR_CODE_HASH, epochsCall, slotOf } from "@svc/core/evidence-anchor";
import { keccak256 } from "@svc/core/keccak";
import { RICH_ADDRESS } from "@svc/testkit/chain";
import { anchored, contractOnChain, startAnchored } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";

const HASH = "ab".repeat(32);
const OTHER = "cd".repeat(32);

test("an epoch is written once, by the anchorer, with a hash; nothing else is taken", async (t) => {
  const { chain, contract } = await contractOnChain(t);
  const [, stranger] = await chain.call("eth_accounts");
  const send = (from: string, data: string) => chain.call("eth_sendTransaction", { from, to: contract, data });
  const refused = (from: string, data: string, why: RegExp, more = {}) =>
    assert.rejects(chain.call("eth_estimateGas", { from, to: contract, data, ...more }), why);
  const held = (epochNo: number) => chain.call("eth_call", { to: contract, data: epochsCall(epochNo) }, "latest");
  await refused(stranger, anchorCall(1, HASH), /0xd46c4215/);
  await refused(RICH_ADDRESS, anchorCall(1, "00".repeat(32)), /0x70df377c/);
  await send(RICH_ADDRESS, anchorCall(1, HASH));
  await chain.mine(1);
  await refused(RICH_ADDRESS, anchorCall(1, OTHER), /0xa0094ce3/);
  await refused(RICH_ADDRESS, anchorCall(1, HASH), /0xa0094ce3/);
  assert.equal(await held(1), `0x${HASH}`);
  assert.equal(await held(2), `0x${"00".repeat(32)}`);
  // It takes no money, and has no other function.
  await refused(RICH_ADDRESS, anchorCall(2, HASH), /revert/, { value: "0x1" });
  await refused(RICH_ADDRESS, "0x12345678", /revert/);
  assert.equal(await chain.call("eth_getStorageAt", contract, `0x${encodeHex(slotOf(1))}`, "latest"), `0x${HASH}`);
  const code = await chain.call("eth_getCode", contract, "latest");
  assert.equal(`0x${encodeHex(keccak256(hexToBytes(code.slice(2))))}`, EVIDENCE_ANCHOR_CODE_HASH);
  const source = readFileSync(new URL("../../../../contracts/EvidenceAnchor.sol", import.meta.url), "utf8");
  assert.ok(!/selfdestruct|delegatecall|payable|onlyOwner/.test(source));
});

test("the gas of the contract and of an epoch, and the costs, are those that the docs say", async (t) => {
  const { chain, contract } = await contractOnChain(t);
  // A transaction has its hash before it is in a block.
  const receiptOf = (txHash: string) =>
    until<{ gasUsed: string }>("it is in a block", () => chain.call("eth_getTransactionReceipt", txHash));
  const gasOf = async (txHash: string) => Number((await receiptOf(txHash)).gasUsed);
  const [making] = (await chain.call("eth_getBlockByNumber", "0x1", false)).transactions;
  const anchoring = await chain.call("eth_sendTransaction", {
    from: RICH_ADDRESS,
    to: contract,
    // The hash of an epoch rarely has a zero byte, which would be cheaper.
    data: anchorCall(1, HASH),
  });
  const epochGas = await gasOf(anchoring);
  const page = readFileSync(new URL("../../../../docs/anchoring.md", import.meta.url), "utf8");
  const said = (pattern: RegExp) => pattern.exec(page)?.[1]?.replaceAll(",", "");
  assert.equal(said(/\| making the contract, once \| ([\d,]+) \|/), `${await gasOf(making)}`);
  assert.equal(said(/\| an epoch, of any number of streams \| ([\d,]+) \|/), `${epochGas}`);
  const gasInEther = epochGas / 1_000_000_000;
  assert.equal(said(/fee of 1 gwei that is ([\d.]+) ether for an epoch/), gasInEther.toFixed(6));
  assert.equal(said(/an epoch an hour at 10 gwei costs ([\d.]+) ether a day/), (gasInEther * 10 * 24).toFixed(4));
});

test("the evidence is what another library reads in the same proofs", async (t) => {
  const { client, made, chain, contract } = await startAnchored(t);
  await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const anchor = await anchored(client, chain, made.stream_id);
  const { evidence, epoch_no, block_number } = anchor;
  assert.ok(evidence !== null);
  const { stateRoot } = await chain.call("eth_getBlockByNumber", `0x${(block_number ?? 0).toString(16)}`, false);
  const account = await verifyMPTWithMerkleProof(
    await createMPT(),
    hexToBytes(stateRoot.slice(2)),
    keccak256(hexToBytes(contract.slice(2))),
    evidence.account_proof.map(hexToBytes),
  );
  assert.ok(account !== null && encodeHex(account).endsWith(EVIDENCE_ANCHOR_CODE_HASH.slice(2)));
  // Nonce, balance, storage root and code hash: the storage root is the third.
  const storageRoot = encodeHex(account).slice(-130, -66);
  const slot = await verifyMPTWithMerkleProof(
    await createMPT(),
    hexToBytes(storageRoot),
    keccak256(slotOf(epoch_no)),
    evidence.storage_proof.map(hexToBytes),
  );
  const held = await chain.call("eth_call", { to: contract, data: epochsCall(epoch_no) }, "latest");
  assert.ok(slot !== null && held.endsWith(encodeHex(slot).slice(2)));
});
