/** An epoch is anchored in a real chain, and its evidence is verified without it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { EVIDENCE_ANCHOR_CODE_HASH } from "@svc/core/evidence-anchor";
import { TEST_NETWORK } from "@svc/testkit/chain";
import { anchored, declareAnchored, startAnchored, streamUnder } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { kernel } from "../../src/kernel.ts";

test("a pack waits for the anchor that its policy requires, and shows it when the chain is gone", async (t) => {
  const { client, made, chain, contract, server } = await startAnchored(t);
  await declareAnchored(server, made.tenant_id, "required");
  const streamId = await streamUnder(client, made.system_id, "required");
  await client.append(streamId, loan(1));
  const state = await client.witnessed(streamId, 1);
  assert.deepEqual([state.anchored_to_seq_no, state.anchor.demand], [0, "required"]);
  const request = { stream_id: streamId, from_seq_no: 1, to_seq_no: 1 };
  const pack = () => client.post("/v2/audit/packs", request, { "Idempotency-Key": "one" });
  const early = await pack();
  assert.equal(early.status, 409);
  assert.deepEqual(early.body.detail.missing, [{ evidence: "anchor", reaches_to_seq_no: 0, needed_to_seq_no: 1 }]);
  assert.match(early.body.detail.message, /requires an anchor that is final in the chain/);

  const anchor = await anchored(client, chain, streamId);
  assert.deepEqual([anchor.network, anchor.contract], [TEST_NETWORK, contract]);
  const reached = (await client.get(`/v2/streams/${streamId}/proof-state`)).body;
  assert.deepEqual([reached.anchored_to_seq_no, reached.anchor.state, reached.anchor.problem], [1, "confirmed", null]);
  const late = await pack();
  assert.equal(late.status, 201, late.text);
  const receiptId = (await client.get(`/v2/streams/${streamId}/events?limit=1`)).body.items[0].stream_event_id;
  const receipt = await client.get(`/v2/receipts/${receiptId}?portable=true`);
  await chain.stop();

  const own = pinKeys(kernel, [made.public_key_hex as PublicKeyHex]);
  const block = { network: TEST_NETWORK, number: anchor.block_number ?? 0, hash: anchor.block_hash ?? "" };
  const code = { network: TEST_NETWORK, address: contract, code_hash: EVIDENCE_ANCHOR_CODE_HASH };
  const pins = { ...own, blocks: [block], contracts: [code], require: ["anchored" as const] };
  for (const text of [late.text, receipt.text, JSON.stringify(anchor)]) {
    const bytes = Buffer.from(text);
    const unpinned = verify(bytes, { trust: own, kernel });
    assert.deepEqual([unpinned.verdict, unpinned.assurance.anchored], ["verified", "unpinned"], unpinned.kind ?? "");
    const pinned = verify(bytes, { trust: pins, kernel });
    assert.deepEqual([pinned.verdict, pinned.assurance.anchored], ["verified", "pinned"], pinned.kind ?? "");
    assert.equal(pinned.checks.find(({ id }) => id === "anchor")?.note, undefined);
  }
});
