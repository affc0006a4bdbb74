/** The demands of policies for anchors: what carries one, what waits for one, and what fails without. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_EXPORT_WAIT_SECONDS, MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import { type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { testSigner } from "@svc/testkit/evidence/signer";
import { anchored, contractOnChain, declareAnchored, startAnchored, streamUnder } from "@svc/testkit/server/anchored";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { operatorOf } from "../../src/commands/deployment.ts";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { archive } from "../archive/archiving.ts";
import { download, settledExport } from "../exports/export-client.ts";

test("where a policy requires an anchor, exports and the archive wait for it, and an overdue export fails", async (t) => {
  let aheadMs = 0;
  const on = await contractOnChain(t);
  const settings = { epochIntervalMs: 20, ...on.anchoring, anchorConfirmations: 10 };
  const { client, made, server } = await startServer(t, settings, () => Date.now() + aheadMs);
  const { context } = server.service;
  await declareAnchored(server, made.tenant_id, "required");
  const streamId = await streamUnder(client, made.system_id, "required");
  await client.append(streamId, loan(1));
  await client.witnessed(streamId, 1);
  const ask = async () => (await client.post("/v1/exports", { streams: [streamId] })).body.export_id as string;
  const stateOf = async (id: string) => (await client.get(`/v1/exports/${id}`)).body.state;
  // Its transaction's own block is the only one.
  const overdue = await ask();
  assert.equal(await archive(context), false);
  assert.equal(await stateOf(overdue), "queued");
  aheadMs += MAX_EXPORT_WAIT_SECONDS * 1000;
  assert.match(JSON.stringify(await settledExport(client, overdue, "failed")), /evidence_missing/);
  const waiting = await ask();
  await anchored(client, on.chain, streamId);
  const { bytes } = await download(client, await settledExport(client, waiting, "ready"));
  const trust = pinKeys(kernel, [made.public_key_hex as PublicKeyHex]);
  const { verdict, assurance } = verify(bytes, { kind: "truth-package", trust, kernel });
  assert.deepEqual([verdict, assurance.anchored], ["verified", "unpinned"]);
  assert.equal(await archive(context), true);
});

test("a policy that lets packs go without witnesses, and requires an anchor: an export waits for the anchor", async (t) => {
  let aheadMs = 0;
  const on = await contractOnChain(t);
  const settings = { epochIntervalMs: 20, ...on.anchoring, anchorConfirmations: 10 };
  const { client, made, server } = await startServer(t, settings, () => Date.now() + aheadMs);
  const { database, clock } = server.service.context;
  const key = { witness_id: "w1", name: "w1.example", public_key_hex: testSigner("nobody").publicKeyHex };
  const exported = async (anchor: "none" | "required") => {
    const document = {
      policy_id: anchor,
      mode: "independent" as const,
      witnessKeys: [{ ...key, managed: false }],
      when_unmet: "open" as const,
      anchor,
    };
    await database.write((writer) =>
      declarePolicy(writer, kernel, operatorOf(made.tenant_id), document, serviceTime(clock())),
    );
    const streamId = await streamUnder(client, made.system_id, anchor);
    await client.append(streamId, loan(1), streamId);
    await until("it is published", async () => {
      const { body } = await client.get(`/v2/streams/${streamId}/proof-state`);
      return body.published_to_seq_no === 1 || null;
    });
    return { streamId, exportId: (await client.post("/v1/exports", { streams: [streamId] })).body.export_id };
  };
  const { streamId, exportId } = await exported("required");
  const without = await exported("none");
  aheadMs += MAX_SEAL_WAIT_MS;
  // It was asked for later, and so the other one was looked at before.
  await settledExport(client, without.exportId, "ready");
  assert.equal((await client.get(`/v1/exports/${exportId}`)).body.state, "queued");
  await anchored(client, on.chain, streamId);
  const { bytes } = await download(client, await settledExport(client, exportId, "ready"));
  const trust = pinKeys(kernel, [made.public_key_hex as PublicKeyHex]);
  const { problems } = verify(bytes, { kind: "truth-package", trust, kernel });
  assert.deepEqual(
    problems.map(({ code }) => code),
    ["witness_quorum_unmet"],
  );
});

test("where a policy leaves the anchor out, nothing carries one; where it is optional, what is final goes along", async (t) => {
  const { client, made, chain, server } = await startAnchored(t, { anchorConfirmations: 10 });
  await declareAnchored(server, made.tenant_id, "optional");
  const streams = { none: made.stream_id, optional: await streamUnder(client, made.system_id, "optional") };
  const trust = pinKeys(kernel, [made.public_key_hex as PublicKeyHex]);
  const carried = async (streamId: string) => {
    const request = { stream_id: streamId, from_seq_no: 1, to_seq_no: 1 };
    const pack = await client.post("/v2/audit/packs", request);
    assert.equal(pack.status, 201, pack.text);
    const eventId = (await client.get(`/v2/streams/${streamId}/events?limit=1`)).body.items[0].stream_event_id;
    const receipt = await client.get(`/v2/receipts/${eventId}?portable=true`);
    return [pack, receipt].map(({ text }) => {
      const { verdict, assurance } = verify(Buffer.from(text), { trust, kernel });
      assert.equal(verdict, "verified");
      return assurance.anchored;
    });
  };
  for (const streamId of Object.values(streams)) {
    await client.append(streamId, loan(1), streamId);
    await client.witnessed(streamId, 1);
    assert.deepEqual(await carried(streamId), ["none", "none"]);
  }
  for (const streamId of Object.values(streams)) await anchored(client, chain, streamId);
  assert.deepEqual(await carried(streams.none), ["none", "none"]);
  assert.deepEqual(await carried(streams.optional), ["unpinned", "unpinned"]);
});
