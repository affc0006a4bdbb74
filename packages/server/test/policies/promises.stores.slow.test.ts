/**
 * The promise of a policy: a checkpoint covers every event that was received more than twice its windows' time before
 * (protocol section 11). A server that was down for long, or whose clock was wrong, must not give out evidence against
 * itself.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { type Checkpoint, findFork, type Json, type PublicKeyHex, pinKeys } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { Lease } from "@svc/host/jobs";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { serveAgain, startServer } from "@svc/testkit/server/running-server";
import { operatorOf } from "../../src/commands/deployment.ts";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { closeDueWindows } from "../../src/sealing/close-windows.ts";
import { makeDueCheckpoints } from "../../src/sealing/make-checkpoints.ts";

const DAY_MS = 86_400_000;
const NAMED = { fork_id: "frk_00000000000000000000000000", detected_at: "2026-03-01T00:00:00.000Z" };

/** Resolves to a server on a clock that can be set, and a stream with small windows. */
async function startWithClock(t: TestContext) {
  const clock = { offsetMs: 0 };
  const now = () => Date.now() + clock.offsetMs;
  const here = await startServer(t, {}, now);
  const { client, made, server } = here;
  const document = { policy_id: "small", window_max_events: 2, window_max_seconds: 60, checkpoint_max_windows: 2 };
  const operator = operatorOf(made.tenant_id);
  await server.service.context.database.write((writer) =>
    declarePolicy(writer, kernel, operator, document, serviceTime(now())),
  );
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "small", metadata: {} };
  const { stream_id } = (await client.post("/v2/streams", request)).body;
  return { ...here, clock, now, streamId: stream_id as string };
}

/** The bundles that a client received, none of which contradicts another. */
class Handed {
  readonly #publicKeyHex: PublicKeyHex;
  readonly #bundles: Json[] = [];

  constructor(publicKeyHex: PublicKeyHex) {
    this.#publicKeyHex = publicKeyHex;
  }

  async take(client: Client, stream_id: string, from_seq_no: number, to_seq_no: number): Promise<void> {
    const { status, body } = await client.post("/v2/audit/packs", { stream_id, from_seq_no, to_seq_no });
    assert.equal(status, 201);
    this.#bundles.push(body);
    const options = { ...NAMED, trust: pinKeys(kernel, [this.#publicKeyHex]), kernel };
    for (const one of this.#bundles)
      for (const other of this.#bundles) assert.equal(findFork(one, other, options), null);
  }
}

test("after a day without service the first checkpoint covers all that waited", async (t) => {
  const here = await startWithClock(t);
  const { now, clock, client, made, server, streamId } = here;
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  for (let number = 1; number <= 11; number++) await client.append(streamId, loan(number));
  clock.offsetMs = DAY_MS;
  const again = await serveAgain(t, here, { SVC_SEAL_INTERVAL_MS: "20" }, now);
  const handed = new Handed(made.public_key_hex);
  const after = new Client(again.url, made.api_key ?? "");
  await handed.take(after, streamId, 1, 1);
  await handed.take(after, streamId, 11, 11);
});

test("what is received after a clock was set back is not dated before what was sealed by the wrong time", async (t) => {
  const { clock, client, made, streamId } = await startWithClock(t);
  const handed = new Handed(made.public_key_hex);
  await client.append(streamId, loan(1));
  clock.offsetMs = DAY_MS;
  await handed.take(client, streamId, 1, 1);
  clock.offsetMs = 0;
  for (let number = 2; number <= 6; number++) {
    await client.append(streamId, loan(number));
    await handed.take(client, streamId, number, number);
  }
});

test("what waits while windows are closed goes into one before the checkpoint", async (t) => {
  const { clock, client, server, streamId } = await startWithClock(t);
  const { context, jobs } = server.service;
  await Promise.all(jobs.map((job) => job.stop()));
  const lease = new Lease(context, "test");
  assert.equal(await lease.acquire(), true);
  const round = { lease, stop: new AbortController().signal, onError: (error: unknown) => assert.fail(String(error)) };
  await client.append(streamId, loan(1));
  await client.append(streamId, loan(2));
  await closeDueWindows(context, round);
  await client.append(streamId, loan(3));
  clock.offsetMs = DAY_MS;
  await lease.acquire();
  await makeDueCheckpoints(context, round);
  const { body } = await client.get(`/v2/streams/${streamId}/checkpoints`);
  assert.deepEqual(
    body.items.map((one: Checkpoint) => [one.window_count, one.to_seq_no]),
    [[2, 3]],
  );
});
