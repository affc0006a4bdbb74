/**
 * The reading thread: it resolves to the requested value, refusals keep their codes, nobody holds up another, and it
 * may end at any time.
 */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import type { Worker } from "node:worker_threads";
import { MAX_READS_WAITING } from "@svc/api/limits";
import { ServiceError } from "@svc/host/errors";
import { StoreUnavailable } from "@svc/host/store";
import { command } from "@svc/testkit/server/child-process";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { idempotencyOf } from "../../src/idempotency/idempotency.ts";
import { CreatePack } from "../../src/packs/create-pack.ts";
import { packChoiceRead, portableReceiptRead, wholeReceiptRead } from "../../src/packs/reads.ts";
import { windowRead } from "../../src/sealing/reads.ts";
import type { Service } from "../../src/serving/open-service.ts";

function coded(code: string) {
  return (error: unknown) => error instanceof ServiceError && error.code === code;
}

/** Resolves to a server with a witnessed event, and the arguments for its thread. */
async function served(t: TestContext) {
  const { client, made, server } = await startServer(t);
  const { stream_id, tenant_id: tenantId } = made;
  const { body } = await client.append(stream_id, loan(1));
  const state = await client.witnessed(stream_id, 1);
  const { readings } = server.service.context;
  const receipt = (eventId: string, asker = "a", used?: (ms: number) => void) =>
    readings.read(asker, portableReceiptRead, { tenantId, eventId }, used);
  return { client, made, server, readings, receipt, eventId: body.stream_event_id as string, state };
}

/** The running threads of this process, so that a test can end them. */
const threads = new Set<Worker>();
process.on("worker", (thread: Worker) => {
  threads.add(thread);
  thread.once("exit", () => threads.delete(thread));
});

test("a text is what the routes answer, and a refusal keeps its code and its details", async (t) => {
  const { client, made, readings, receipt, eventId, state, server } = await served(t);
  // A receipt gets the epoch of its checkpoint as soon as there is one: both reads must be of one moment.
  await jobNamed(server, "service-log").stop();
  const used: number[] = [];
  const text = await receipt(eventId, "a", (ms) => used.push(ms));
  assert.equal(text, (await client.get(`/v2/receipts/${eventId}?portable=true`)).text);
  assertVerified(text, made.public_key_hex, "portable-receipt");
  const { latest_window_id: windowId } = state;
  await assert.rejects(
    readings.read("a", windowRead, { windowId, leaves: false, event: "7" }),
    coded("event_not_in_window"),
  );
  await assert.rejects(readings.read("a", windowRead, { windowId: "win_none", leaves: true, event: null }), (error) => {
    assert.ok(error instanceof ServiceError);
    return error.code === "window_not_found" && error.message === 'There is no window "win_none".';
  });
  await assert.rejects(
    receipt("sev_none", "a", (ms) => used.push(ms)),
    /event sev_none is missing/,
  );
  assert.ok(used.length === 2 && used.every((ms) => ms > 0), "also a read that fails is paid for");
});

test("what is missing comes back as a value", async (t) => {
  const { client, made, readings, server } = await served(t);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const { stream_id, tenant_id: tenantId } = made;
  const { body } = await client.append(stream_id, loan(2));
  const missing = ["windows", "checkpoints", "witness_statements"].map((evidence) => ({
    evidence,
    reaches_to_seq_no: 1,
    needed_to_seq_no: 2,
  }));
  const range = { from_seq_no: 1, to_seq_no: 2 };
  for (const read of [
    readings.read("a", wholeReceiptRead, { tenantId, eventId: body.stream_event_id }),
    readings.read("a", packChoiceRead, { tenantId, streamId: stream_id, range, kept: null, hasWaited: false }),
  ])
    assert.deepEqual(await read, { stream_id, to_seq_no: 2, missing });
});

test("an asker has MAX_READS_WAITING reads waiting at most, and holds up nobody else", async (t) => {
  const { receipt, eventId } = await served(t);
  await receipt(eventId);
  const ended: string[] = [];
  const many: Promise<string>[] = [];
  for (let number = 0; number <= MAX_READS_WAITING; number++) {
    const read = receipt(eventId);
    many.push(read);
    void read.then(() => ended.push("a"));
  }
  await assert.rejects(receipt(eventId), coded("rate_limited"));
  await receipt(eventId, "b").then(() => ended.push("b"));
  assert.ok(ended.indexOf("b") < 5, `after ${ended.indexOf("b")} others`);
  await Promise.all(many);
});

/** Resolves to the same with a large stream, and to a way to its packs, which have dozens of pieces. */
async function servedLarge(t: TestContext) {
  const started = await served(t);
  const { client, made, server } = started;
  const { stream_id } = made;
  const text = "x".repeat(200_000);
  await client.appendBatch(
    stream_id,
    Array.from({ length: 20 }, (_, number) => loan(number, { payload: { text } })),
  );
  await client.witnessed(stream_id, 21);
  const system = { tenantId: made.tenant_id, kind: "system", id: made.system_id, roles: [] } as const;
  const pack = async () => {
    const made = await packsOf(server.service).create(system, { stream_id, from_seq_no: 1, to_seq_no: 21 }, "");
    assert.ok(!("missing" in made));
    return made.pieces[Symbol.asyncIterator]();
  };
  return { ...started, pack };
}

test("all that ask without a key have one share of the thread's time, and a key has another", async (t) => {
  const { receipt, eventId } = await served(t);
  await receipt(eventId);
  let answered = 0;
  const anonymous = Array.from({ length: 40 }, (_, number) =>
    receipt(eventId, `203.0.113.${number}`).then(() => {
      answered += 1;
    }),
  );
  for (let round = 0; round < 5; round += 1) await receipt(eventId, "key_1");
  // By turns, the first one would have waited for all of them.
  assert.ok(answered < 20, `${answered} were answered before`);
  await Promise.all(anonymous);
});

test("a pack that is taken slowly holds up no other read, and one that nobody wants any more is ended", async (t) => {
  const { made, receipt, eventId, pack } = await servedLarge(t);
  const [slow, left] = [await pack(), await pack()];
  const begun = [(await slow.next()).value as Uint8Array];
  await left.next();
  await receipt(eventId);
  await left.return?.();
  for (let next = await slow.next(); next.done !== true; next = await slow.next()) begun.push(next.value);
  assertVerified(Buffer.concat(begun).toString(), made.public_key_hex, "bundle");
});

function packsOf({ context }: Service): CreatePack {
  return new CreatePack(context, idempotencyOf(context));
}

test("where the thread ends, what it was asked for fails, and the next read starts another", async (t) => {
  const { readings, receipt, eventId, made, pack } = await servedLarge(t);
  await receipt(eventId);
  const iterator = await pack();
  assert.ok(((await iterator.next()).value as Uint8Array).length > 0);
  const waiting = Promise.allSettled(Array.from({ length: 20 }, () => receipt(eventId)));
  await Promise.all([...threads].map((thread) => thread.terminate()));
  const ended = await waiting;
  assert.equal(ended.at(-1)?.status, "fulfilled", "what had not been begun is read by the next thread");
  await assert.rejects(async () => {
    // A few pieces had been made before.
    while ((await iterator.next()).done !== true);
  }, /the thread that reads has ended/);
  assertVerified(await receipt(eventId), made.public_key_hex, "portable-receipt");
  await readings.close();
  await assert.rejects(receipt(eventId), StoreUnavailable);
});

test("a pack is sealed by the key that seals by then", async (t) => {
  const { client, made, server } = await served(t);
  const range = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 1 };
  const sealedBy = async () => (await client.post("/v2/audit/packs", range)).body.seal.kid as string;
  const before = await sealedBy();
  assert.equal(before, made.kid);
  assert.equal((await command(["keys", "rotate-signing", "--data", made.data_folder])).code, 0);
  const { database, signingKey } = server.service.context;
  const { kid } = await database.read((reader) => signingKey.current(reader));
  assert.notEqual(kid, before);
  assert.equal(await sealedBy(), kid);
});
