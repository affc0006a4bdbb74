/**
 * Semaphores: each owner's requests wait for each other, and for no others; and packs that are fetched slowly hold
 * their permits.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { setImmediate as turn } from "node:timers/promises";
import { contractsOf, eventLog, streams } from "@svc/api";
import {
  MAX_LARGE_EVENT_BODIES,
  MAX_PACKS_AT_ONCE,
  MAX_PERMIT_WAIT_MS,
  MAX_SMALL_EVENT_BODY_BYTES,
} from "@svc/api/limits";
import { ServiceError } from "@svc/host/errors";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { CreatePack } from "../../src/packs/create-pack.ts";

const isBusy = (error: unknown) => error instanceof ServiceError && error.code === "key_busy";

test("every contract that takes events names the one rule", () => {
  const { append, appendBatch } = streams;
  for (const { body } of [append, appendBatch, eventLog.append, eventLog.appendBatch])
    assert.equal(body?.large, append.body?.large);
  const large = contractsOf({ withMetrics: true }).filter(({ body }) => body?.large !== undefined);
  assert.equal(large.length, 4);
  assert.equal(append.body?.large?.atOnce, MAX_LARGE_EVENT_BODIES);
});

test("MAX_PACKS_AT_ONCE packs of a system are under way; the next waits until one is whole, or nobody wants its rest", async (t) => {
  const { client, made, server } = await startServer(t);
  const { stream_id } = made;
  await client.append(stream_id, loan(1));
  await client.witnessed(stream_id, 1);
  const { context } = server.service;
  const packs = new CreatePack(context, new Idempotency(context), 50);
  const system = { tenantId: made.tenant_id, kind: "system", id: made.system_id, roles: [] } as const;
  const create = async () => {
    const pack = await packs.create(system, { stream_id, from_seq_no: 1, to_seq_no: 1 }, "");
    assert.ok(!("missing" in pack));
    return pack.pieces;
  };
  for (let number = 0; number <= MAX_PACKS_AT_ONCE; number++)
    assert.ok("missing" in (await packs.create(system, { stream_id, from_seq_no: 9, to_seq_no: 9 }, "")));
  const begun: AsyncIterator<Uint8Array>[] = [];
  for (let number = 0; number < MAX_PACKS_AT_ONCE; number++) begun.push((await create())[Symbol.asyncIterator]());
  for (const iterator of begun) await iterator.next();
  await assert.rejects(create(), isBusy);
  await begun[0]?.return?.();
  const next = await create();
  await assert.rejects(create(), isBusy);
  for await (const piece of next) assert.ok(piece.length > 0);
  await create();
  const missing = () => packs.create({ ...system, id: "other" }, { stream_id, from_seq_no: 9, to_seq_no: 9 }, "");
  for (let number = 0; number <= MAX_PACKS_AT_ONCE; number++)
    await assert.rejects(missing(), (error) => error instanceof ServiceError && error.code !== "key_busy");
});

test(
  "of bodies over MAX_SMALL_EVENT_BODY_BYTES a system sends MAX_LARGE_EVENT_BODIES at " +
    "a time; small ones never wait",
  async (t) => {
    const { client, made, server } = await startServer(t);
    const { stream_id } = made;
    const { hostname, port } = new URL(server.url);
    const head = [
      `POST /v2/streams/${stream_id}/events HTTP/1.1`,
      "Host: a",
      `Authorization: Bearer ${made.api_key}`,
      "Idempotency-Key: slow",
      "Content-Type: application/json",
      `Content-Length: ${MAX_SMALL_EVENT_BODY_BYTES + 1}`,
      "Expect: 100-continue",
    ];
    const { mock: reads } = t.mock.method(server.service.context.database, "read");
    const slow = Array.from({ length: MAX_LARGE_EVENT_BODIES }, () => connect(Number(port), hostname));
    for (const socket of slow) {
      socket.write(`${head.join("\r\n")}\r\n\r\n`);
      assert.match(String((await once(socket, "data"))[0]), /^HTTP\/1\.1 100 /);
    }
    // A body has its permit when the key of its request was read.
    assert.ok(reads.callCount() >= slow.length);
    await Promise.all(reads.calls.map(({ result }) => result));
    await turn();
    let isAnswered = false;
    const large = JSON.stringify(loan(1)) + " ".repeat(MAX_SMALL_EVENT_BODY_BYTES);
    const waiting = client.append(stream_id, large).finally(() => {
      isAnswered = true;
    });
    assert.equal((await client.append(stream_id, loan(2))).body.seq_no, 1);
    assert.equal((await client.get(`/v2/streams/${stream_id}/head`)).status, 200);
    assert.equal(isAnswered, false);
    slow[0]?.destroy();
    assert.equal((await waiting).body.seq_no, 2);
    // Otherwise the server would wait for them when it stops.
    for (const socket of slow) socket.destroy();
    assert.ok(MAX_PERMIT_WAIT_MS >= 1000);
  },
);
