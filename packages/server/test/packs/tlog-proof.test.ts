/** The routes for verifiers of transparency logs: an event's tlog-proof holds under its checkpoint's tlog-policy. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openEventProof, parseTlogPolicy, parseTlogProof, verifyTlogProof } from "@svc/core";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { kernel } from "../../src/kernel.ts";

test("an event's tlog-proof holds under the policy that the service states for its checkpoint", async (t) => {
  const { client, made, server } = await startServer(t);
  const { body: record } = await client.append(made.stream_id, loan(1));
  const { latest_checkpoint_id: id } = await client.witnessed(made.stream_id, 1);
  const proof = await client.get(`/v2/receipts/${record.stream_event_id}/tlog-proof`);
  const policy = await new Client(server.url, "").get(`/v2/checkpoints/${id}/tlog-policy`);
  assert.deepEqual([proof.status, policy.status], [200, 200]);
  assert.match(proof.headers.get("content-type") ?? "", /^text\/plain/);
  const [parsed, read] = [parseTlogProof(proof.text), parseTlogPolicy(kernel, policy.text)];
  assert.ok(parsed.ok && read.ok);
  const opened = openEventProof(kernel, parsed.proof);
  assert.ok(opened.ok);
  const verified = verifyTlogProof(kernel, parsed.proof, opened.leafHash, read.policy);
  assert.ok(verified.ok, JSON.stringify(verified));
});

test("an event that is not sealed yet has no tlog-proof, and says what is missing", async (t) => {
  const { client, made, server } = await startServer(t);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const { body: record } = await client.append(made.stream_id, loan(1));
  const { status, body } = await client.get(`/v2/receipts/${record.stream_event_id}/tlog-proof`);
  assert.deepEqual([status, body.detail.code], [409, "evidence_missing"]);
});
