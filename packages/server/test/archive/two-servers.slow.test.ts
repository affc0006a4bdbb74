/** Servers that archive on their own, two of them on one database: what they served stays, and nothing is left over. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Principal } from "@svc/host/principal";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { serveAgain, startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { archivedRanges, archiveFiles, faultsOf } from "./archiving.ts";

const ROUNDS = 12;

test("two servers archive what both record, while events are erased, and serve it", async (t) => {
  const here = await startServer(t, { archiveAfterDays: 0 });
  const { client, made, server } = here;
  const { stream_id } = made;
  const other = await serveAgain(t, here, { SVC_ARCHIVE_AFTER_DAYS: "0", SVC_SEAL_INTERVAL_MS: "20" });
  const clients = [client, new Client(other.url, client.key)];
  const eraser = new Client(server.url, await eraseKey(here));
  const receipts = new Map<string, string>();
  const erased = new Set<string>();
  for (let round = 0; round < ROUNDS; round++) {
    const one = clients[round % 2] ?? client;
    const { status, text, body } = await one.append(stream_id, loan(round), `event-${round}`);
    assert.equal(status, 201, text);
    receipts.set(body.stream_event_id, text);
    if (round % 4 !== 3) continue;
    await client.witnessed(stream_id, round + 1);
    const id = [...receipts.keys()][round - 2] ?? "";
    const answer = await eraser.post(`/v2/streams/${stream_id}/events/${id}/erase`, { reason: "asked for" });
    assert.equal(answer.status, 200, answer.text);
    erased.add(id);
  }
  const { context } = server.service;
  await until("all events are archived", async () => {
    const { here: left } = await archivedRanges(context, stream_id);
    return left.length === 0 || null;
  });
  for (const one of clients)
    for (const [id, text] of receipts) {
      const answer = await one.get(`/v2/receipts/${id}`);
      if (erased.has(id)) assert.ok(!("payload" in answer.body), id);
      else assert.equal(answer.text, text);
    }
  const again = await clients[1]?.append(stream_id, loan(0), "event-0");
  assert.equal(again?.text, [...receipts.values()][0]);
  await until("no file of an erased payload, and nothing else, is left", async () => {
    const faults = await faultsOf(context);
    const { ranges } = await archivedRanges(context, stream_id);
    const own = archiveFiles(context).filter((name) => name.startsWith(`${stream_id}.`));
    return (faults.length === 0 && own.length === ranges.length) || null;
  });
});

async function eraseKey({ server, made }: Awaited<ReturnType<typeof startServer>>): Promise<string> {
  const { database } = server.service.context;
  const wanted = {
    tenantId: made.tenant_id,
    systemId: made.system_id,
    limits: { actions: ["erase"], streams: null },
  } as const;
  const operator: Principal = { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] };
  return database.write((writer) => systemKeysOf(server.service.context).create(writer, wanted, operator));
}
