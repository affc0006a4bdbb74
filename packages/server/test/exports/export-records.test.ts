/** The records of tickets and of verifications, and the reasons why a build fails. */

import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { ServiceError } from "@svc/host/errors";
import { LeaseLost } from "@svc/host/jobs";
import { StoreFull, StoreUnavailable } from "@svc/host/store";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import {
  anyTicketBefore,
  findAccess,
  findTicket,
  findVerification,
  insertTicket,
  insertVerification,
  removeTicketsBefore,
  useTicket,
  verifiersOf,
} from "../../src/exports/accesses-store.ts";
import { failureOf } from "../../src/exports/build-export.ts";
import { insertExport } from "../../src/exports/exports-store.ts";
import { PackageTooLarge } from "../../src/exports/write-artifact.ts";
import { newId } from "../../src/ids.ts";

const NOW = "2026-03-01T10:15:30.000Z";
const LATER = "2026-03-01T10:15:31.000Z";

/** Resolves to a server whose job removes no tickets, with an export and an event that may record something. */
async function start(t: TestContext) {
  const { made, client, server } = await startServer(t);
  await jobNamed(server, "exports").stop();
  const { database } = server.service.context;
  const actor = { tenantId: made.tenant_id, kind: "system", id: made.system_id, roles: [] } as const;
  const export_id = newId("exp");
  const row = { export_id, payloads: "included", created_at: NOW } as const;
  await database.write((writer) => insertExport(writer, actor, row, []));
  const eventId: string = (await client.append(made.stream_id, loan(1))).body.stream_event_id;
  const give = async (expires_at: string) => {
    const access_id = newId("tpa");
    const ticket = { access_id, export_id, ticket_mac: `mac of ${access_id}`, prepared_at: NOW, expires_at };
    await database.write((writer) => insertTicket(writer, actor, ticket));
    return ticket;
  };
  const find = (mac: string) => database.read((reader) => findTicket(reader, [mac]));
  return { made, database, export_id, eventId, give, find };
}

test("a ticket is used once, and only then is it an access, to its export alone", async (t) => {
  const { database, export_id, eventId, give, find } = await start(t);
  const [one, other] = [await give(NOW), await give(NOW)];
  const access = (of: string, id: string) => database.read((reader) => findAccess(reader, of, id));
  const use = (id: string) => database.write((writer) => useTicket(writer, id, eventId));
  assert.equal(await access(export_id, one.access_id), null);
  assert.deepEqual([await use(one.access_id), await use(one.access_id), await use("tpa_none")], [true, false, false]);
  assert.equal((await access(export_id, one.access_id))?.accessed_event_id, eventId);
  assert.equal(await access(newId("exp"), one.access_id), null);
  assert.equal(await access(export_id, other.access_id), null);
  assert.equal((await find(other.ticket_mac))?.accessed_event_id, null);
  assert.equal(await find("mac of none"), null);
});

test("tickets that ended unused are taken away, so many at a time; others stay", async (t) => {
  const { database, eventId, give, find } = await start(t);
  const any = (time: string) => database.read((reader) => anyTicketBefore(reader, time));
  const remove = (time: string, most: number) => database.write((writer) => removeTicketsBefore(writer, time, most));
  assert.equal(await any(LATER), false);
  const tickets = [await give(NOW), await give(NOW), await give(NOW), await give(LATER)];
  const [used] = tickets;
  await database.write((writer) => useTicket(writer, used?.access_id ?? "", eventId));
  const left = async () => {
    const found = await Promise.all(tickets.map(({ ticket_mac }) => find(ticket_mac)));
    return found.map((row) => row !== null);
  };
  assert.deepEqual([await any(NOW), await any(LATER)], [false, true], "the time itself is not over");
  await remove(NOW, 10);
  assert.deepEqual(await left(), [true, true, true, true]);
  await remove(LATER, 1);
  assert.equal((await left()).filter(Boolean).length, 3);
  await remove(LATER, 10);
  assert.deepEqual([await left(), await any(LATER)], [[true, false, false, true], false]);
});

test("a verification is found by access, kind and version, and counted by access", async (t) => {
  const { made, database, eventId, give } = await start(t);
  const [{ access_id: accessId }, other] = [await give(NOW), await give(NOW)];
  const one = { accessId, verifierKind: "kind", verifierVersion: "1" };
  const find = (changes: Partial<typeof one>) =>
    database.read((reader) => findVerification(reader, { ...one, ...changes }));
  const count = (id: string) => database.read((reader) => verifiersOf(reader, id));
  assert.deepEqual([await find({}), await count(accessId)], [null, 0]);
  for (const verifierVersion of ["1", "2"])
    await database.write((writer) => insertVerification(writer, made.tenant_id, { ...one, verifierVersion }, eventId));
  assert.deepEqual([await find({}), await count(accessId), await count(other.access_id)], [eventId, 2, 0]);
  for (const changes of [{ accessId: other.access_id }, { verifierKind: "other" }, { verifierVersion: "3" }])
    assert.equal(await find(changes), null);
});

test("an error says why an export fails, or nothing about it", () => {
  const withCode = (code: string) => Object.assign(new Error("of the disk"), { code });
  assert.deepEqual(
    [
      new LeaseLost("exports"),
      new StoreUnavailable("closed"),
      new PackageTooLarge("too large"),
      new StoreFull(),
      new ServiceError("stream_not_found", "gone"),
      withCode("ENOSPC"),
      withCode("EDQUOT"),
      withCode("EIO"),
      withCode("evidence_missing"),
    ].map(failureOf),
    [
      null,
      null,
      "export_too_large",
      "store_full",
      "internal_error",
      "store_full",
      "store_full",
      "internal_error",
      "internal_error",
    ],
  );
});
