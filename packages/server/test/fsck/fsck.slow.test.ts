/** fsck notices each edit of a single cell and each missing row, in every table of evidence. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Fault } from "@svc/host/checks";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { checkDatabase } from "../../src/fsck/check-database.ts";
import { unaskedEvents } from "../../src/idempotency/missing-records.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { entry, logBatch } from "../event-log/event-log.ts";
import { changedCell } from "./changed-cell.ts";
import { type Cell, filled, UNBOUND } from "./filled-database.ts";

test("nothing is wrong with a database that nobody changed, with or without the server", async (t) => {
  const { made, check } = await filled(t);
  assert.deepEqual(await check(""), []);
  const { code, out, err } = await command(["fsck", "--data", made.data_folder]);
  assert.deepEqual([code, out], [0, "Nothing is wrong.\n"], err);
});

test("nothing is wrong with a database that a server goes on with between any two looks", async (t) => {
  const { client, made, server } = await startServer(t);
  const { context } = server.service;
  let number = 0;
  const goOn = async () => {
    const { body } = await client.append(made.stream_id, loan(++number));
    if (number === 1) await client.witnessed(made.stream_id, body.seq_no);
  };
  await goOn();
  const read: typeof context.database.read = async (work) => {
    const seen = await context.database.read(work);
    await goOn();
    return seen;
  };
  for await (const fault of checkDatabase({
    program: THIN_SERVER,
    ...context,
    database: { read },
    exportsPath: null,
    archivePath: null,
  }))
    assert.fail(JSON.stringify(fault));
  assert.ok(number > 5);
});

test("nothing is wrong with a database whose witness signs on after a look has begun", async (t) => {
  const { client, made, server } = await startServer(t);
  const { context } = server.service;
  let number = 0;
  const goOn = async () => {
    const { body } = await client.append(made.stream_id, loan(++number));
    // A pack has its events sealed and cosigned at once.
    const pack = { stream_id: made.stream_id, from_seq_no: body.seq_no, to_seq_no: body.seq_no };
    const { status } = await client.post("/v2/audit/packs", pack);
    if (status !== 201) await client.witnessed(made.stream_id, body.seq_no);
  };
  await goOn();
  const read: typeof context.database.read = (work) =>
    context.database.read(async (reader) => {
      // Its snapshot begins with its first query.
      await reader.first("SELECT 1 FROM streams");
      await goOn();
      return work(reader);
    });
  for await (const fault of checkDatabase({
    program: THIN_SERVER,
    ...context,
    database: { read },
    exportsPath: null,
    archivePath: null,
  }))
    assert.fail(JSON.stringify(fault));
  assert.ok(number > 5);
});

test("each cell that evidence binds, changed by hand, is noticed", async (t) => {
  const { check, rowsOf } = await filled(t);
  let changes = 0;
  for (const [table, unbound] of Object.entries(UNBOUND)) {
    const rows = rowsOf(table);
    assert.ok(rows.length > 0, table);
    for (const row of rows)
      for (const [column, value] of Object.entries(row)) {
        if (column === "rowid" || unbound.includes(column)) continue;
        const sql = `UPDATE ${table} SET ${column} = ? WHERE rowid = ?`;
        const stands = rows.map((other) => other[column] ?? null);
        const changed = changedCell(value, stands);
        const faults = await check(sql, changed, row.rowid);
        assert.ok(faults.length > 0, `${table}.${column} of row ${row.rowid}: ${value} → ${changed}`);
        changes += 1;
      }
  }
  t.diagnostic(`${changes} changes`);
});

test("keys that seal out of their time are noticed, and a successor that nobody has endorsed for then", async (t) => {
  const { check, rowsOf } = await filled(t);
  const [old, young] = rowsOf("signing_keys").sort((a, b) => (`${a.valid_from}` < `${b.valid_from}` ? -1 : 1));
  const early = "2020-01-01T00:00:00.000Z";
  const faultsOf = async (sql: string, ...values: Cell[]) => (await check(sql, ...values)).map(({ table }) => table);
  const shifted = "UPDATE signing_keys SET valid_from = ? WHERE kid = ?";
  assert.ok((await faultsOf(shifted, early, young?.kid ?? "")).includes("key_endorsements"));
  const late = "2999-01-01T00:00:00.000Z";
  const tables = await faultsOf(shifted, late, old?.kid ?? "");
  for (const table of ["events", "windows", "checkpoints"]) assert.ok(tables.includes(table), `${table}: ${tables}`);
});

test("each row that is gone is noticed", async (t) => {
  const { check, rowsOf } = await filled(t);
  // Evidence that is kept aside may never have been there.
  const { voided_epochs: _aside, ...counted } = UNBOUND;
  for (const table of Object.keys(counted))
    for (const row of rowsOf(table)) {
      const faults = await check(`DELETE FROM ${table} WHERE rowid = ?`, row.rowid);
      assert.ok(faults.length > 0, `${table}, row ${JSON.stringify(row)}`);
    }
});

test("an entry of the audit log that is gone is noticed where its step has left a row", async (t) => {
  const { check, rowsOf } = await filled(t);
  const left = ["service.initialised", "stream.created", "event.erased", "system_key.created", "signing_key.rotated"];
  for (const action of [...left, "export.created"]) {
    const row = rowsOf("access_log").find((one) => one.action === action);
    const faults = await check("DELETE FROM access_log WHERE rowid = ?", row?.rowid ?? 0);
    assert.ok(faults.length > 0, action);
  }
  const late = "2999-01-01T00:00:00.000Z";
  for (const [table, row] of [
    ["tenants", `SELECT 'tnt_other', name, time_zone, settings, '${late}' FROM tenants`],
    ["systems", `SELECT tenant_id, 'sys_other', name, source_timezone, '${late}', NULL FROM systems`],
  ] as const) {
    const faults = await check(`INSERT INTO ${table} ${row} LIMIT 1`);
    assert.deepEqual(
      faults.map((fault) => fault.table),
      [table],
    );
    assert.match(faults[0]?.fault ?? "", /^the audit log does not say that it was made/);
  }
  const declared = await check("UPDATE policies SET explicit = 1 WHERE policy_version = 1 AND tenant_id IS NULL");
  assert.deepEqual(
    declared.map(({ table }) => table),
    ["policies"],
  );
});

test("numbers that are missing among remembered requests are a note", async (t) => {
  const { made, server, client } = await startServer(t);
  for (let number = 1; number <= 4; number++) await client.append(made.stream_id, loan(number));
  const fsck = () => command(["fsck", "--data", made.data_folder]);
  assert.deepEqual((await fsck()).out, "Nothing is wrong.\n");
  const { database } = server.service.context;
  await database.write((writer) => writer.run("DELETE FROM idempotency_records WHERE record_no = 3"));
  const { code, out, err } = await fsck();
  assert.deepEqual([code, err], [0, ""]);
  assert.match(out, /^Nothing is wrong\.\nNote: among remembered requests, numbers between 2 and 4 are missing\. /);
  const { request_gaps } = JSON.parse((await command(["fsck", "--data", made.data_folder, "--json"])).out);
  assert.deepEqual(request_gaps, [{ after: 2, before: 4 }]);
});

test("requests that must be remembered and are not are a note, the first and the last ones too", async (t) => {
  const { made, server, client } = await startServer(t);
  for (let number = 1; number <= 4; number++) await client.append(made.stream_id, loan(number));
  await client.appendBatch(made.stream_id, [loan(5), loan(6)]);
  const fsck = (...more: string[]) => command(["fsck", "--data", made.data_folder, ...more]);
  assert.deepEqual((await fsck()).out, "Nothing is wrong.\n");
  const { database } = server.service.context;
  const { stream_id } = made;
  const removals: readonly (readonly [which: string, missing: readonly number[]])[] = [
    ["record_no = (SELECT MIN(record_no) FROM idempotency_records WHERE to_seq_no > 0)", [1]],
    ["record_no = (SELECT MAX(record_no) FROM idempotency_records)", [6, 5, 1]],
    ["1 = 1", [6, 5, 4, 3, 2, 1]],
  ];
  for (const [which, missing] of removals) {
    await database.write((writer) => writer.run(`DELETE FROM idempotency_records WHERE ${which}`));
    const { code, out, err } = await fsck("--json");
    assert.deepEqual([code, err], [0, ""]);
    assert.deepEqual(
      JSON.parse(out).events_without_request,
      missing.map((seq_no) => ({ stream_id, seq_no })),
    );
  }
  const { out } = await fsck();
  const note = `Note: the request that made event 6 of ${stream_id} is not remembered, nor of 5 others. `;
  assert.ok(out.startsWith(`Nothing is wrong.\n${note}`), out);
  // A day ago forgetting may have taken a request; one that is newer than a remembered one it cannot have.
  const aged = "UPDATE events SET received_at = '2026-01-01T00:00:0' || seq_no || '.000Z'";
  await database.write((writer) => writer.run(aged));
  assert.deepEqual(await unaskedEvents(database, () => Date.now()), []);
  await database.write((writer) =>
    writer.run(
      `INSERT INTO idempotency_records
         (scope_hash, tenant_id, route, request_mac, stream_id, from_seq_no, to_seq_no, created_at)
       VALUES ('x', $1, 'r', 'm', $2, 4, 4, '2026-01-01T00:00:04.000Z')`,
      made.tenant_id,
      stream_id,
    ),
  );
  assert.deepEqual(await unaskedEvents(database, () => Date.now()), [
    { stream_id, seq_no: 6 },
    { stream_id, seq_no: 5 },
  ]);
});

test("a checkpoint without its message to the witness is noticed, whether that was done or not", async (t) => {
  const { check, rowsOf } = await filled(t);
  const messages = rowsOf("outbox").filter(({ kind }) => kind === "witness.cosign");
  assert.ok(messages.length > 0);
  for (const { rowid, subject } of messages) {
    const faults = await check("DELETE FROM outbox WHERE rowid = ?", rowid);
    assert.deepEqual(
      faults.filter(({ fault }) => fault.includes("outbox")).map(({ table, row }) => [table, row]),
      [["checkpoints", { id: subject }]],
    );
  }
});

test("a request that is remembered, and whose events are gone, is noticed", async (t) => {
  const { check, rowsOf } = await filled(t);
  const row = rowsOf("idempotency_records").find(({ to_seq_no }) => Number(to_seq_no) > 0);
  const change = "UPDATE idempotency_records SET to_seq_no = to_seq_no + 1000 WHERE record_no = ?";
  const [fault] = await check(change, row?.record_no ?? 0);
  assert.equal(fault?.table, "idempotency_records");
});

test("a package that is not the one that was built, or not there, is noticed", async (t) => {
  const { made, check } = await filled(t);
  const folder = join(made.data_folder, "exports");
  const [name = "", ...others] = readdirSync(folder);
  assert.deepEqual(others, []);
  const bytes = readFileSync(join(folder, name));
  for (const change of [
    () => writeFileSync(join(folder, name), bytes.fill(1, 100, 101)),
    () => rmSync(join(folder, name)),
  ]) {
    change();
    const faults = await check("");
    assert.deepEqual(
      faults.map(({ table }) => table),
      ["exports"],
    );
    assert.match(faults[0]?.fault ?? "", /^the file of its package/);
  }
});

test("the command names the first bad row, and ends with 1", async (t) => {
  const { made, server, client } = await startServer(t);
  const { body: record } = await client.append(made.stream_id, loan(1));
  await client.witnessed(made.stream_id, 1);
  const { database } = server.service.context;
  await database.write((writer) => writer.run("UPDATE events SET source_ref = 'other'"));
  const { code, out, err } = await command(["fsck", "--data", made.data_folder, "--json"]);
  const { ok, faults } = JSON.parse(out);
  assert.deepEqual([code, ok, faults[0].table], [1, false, "events"], err);
  assert.equal(faults[0].row.stream_event_id, record.stream_event_id);
  assert.match(faults[0].fault, /^event_hash_mismatch: /);
  assert.match(err, /first one in events/);
});

test("a stream that is made an event log by hand is noticed, also before it has an event", async (t) => {
  const { client, made, server } = await startServer(t);
  const request = { system_id: made.system_id, use_case: "x", policy_id: "default", metadata: {} };
  const { body: stream } = await client.post("/v2/streams", request);
  await logBatch(client, [entry(1)]);
  const { context } = server.service;
  const faults: Fault[] = [];
  await context.database.write((writer) =>
    writer.run("UPDATE streams SET event_log_no = 3 WHERE stream_id = $1", stream.stream_id),
  );
  for await (const fault of checkDatabase({ program: THIN_SERVER, ...context, exportsPath: null, archivePath: null }))
    faults.push(fault);
  assert.deepEqual(
    faults.map(({ table, row }) => [table, row.id]),
    [["streams", stream.stream_id]],
  );
});

test("what is kept of a request, or of a key, and is not what was kept, is noticed", async (t) => {
  const { check, rowsOf } = await filled(t);
  const isErased = ({ request_mac }: Record<string, Cell>) => `${request_mac}`.startsWith("outline:");
  const row = rowsOf("idempotency_records").find((one) => Number(one.to_seq_no) > 0 && !isErased(one));
  const erased = rowsOf("idempotency_records").find(isErased);
  const key = rowsOf("credentials").find(({ limits }) => limits !== null);
  const [record, fingerprint, id] = [row?.record_no ?? 0, erased?.record_no ?? 0, key?.credential_id ?? ""];
  const other = "ab".repeat(32);
  const of = "WHERE record_no = ?";
  for (const [table, change, ...values] of [
    ["idempotency_records", `UPDATE idempotency_records SET request_mac = '${other}' ${of}`, record],
    ["idempotency_records", `UPDATE idempotency_records SET request_mac = 'outline:${other}' ${of}`, fingerprint],
    ["idempotency_records", `UPDATE idempotency_records SET request_mac = substr(request_mac, 2) ${of}`, fingerprint],
    ["idempotency_records", `UPDATE idempotency_records SET from_seq_no = from_seq_no + 1 ${of}`, record],
    ["idempotency_records", `UPDATE idempotency_records SET route = route || 'x' ${of}`, record],
    ["credentials", "UPDATE credentials SET limits = NULL WHERE credential_id = ?", id],
    ["credentials", "UPDATE credentials SET expires_at = '2999-01-01T00:00:00.000Z' WHERE credential_id = ?", id],
    ["credentials", "UPDATE credentials SET revoked_at = created_at WHERE credential_id = ?", id],
    ["service", "UPDATE service SET evidence_origin = 'other.example' WHERE service_no = ?", 1],
    ["service", `UPDATE service SET pepper_mac = '${other}' WHERE service_no = ?`, 1],
    ["service", `UPDATE service SET earlier_pepper_mac = '${other}' WHERE service_no = ?`, 1],
  ] as const) {
    const faults = await check(change, ...values);
    assert.deepEqual([faults.length, faults[0]?.table], [1, table], `${change}: ${JSON.stringify(faults)}`);
  }
});

test("a system is retired only where the audit log says so, and its keys are shut off with it", async (t) => {
  const { check, rowsOf } = await filled(t);
  const id = rowsOf("systems")[0]?.system_id ?? "";
  const faults = await check("UPDATE systems SET retired_at = created_at WHERE system_id = ?", id);
  assert.deepEqual(
    faults.map(({ table, fault }) => [table, fault]),
    [
      ["systems", "its retirement is another one than that of the audit log, or is there alone"],
      ["principals", "it belongs to a retired system, and is not shut off"],
    ],
  );
});

test("keys that were revoked or rotated, and requests that an erasure reached, are in order", async (t) => {
  const { made, client } = await startServer(t);
  const data = ["--data", made.data_folder];
  const { out } = await command([
    "keys",
    "create",
    ...data,
    "--days",
    "9",
    "--allow",
    "erase",
    "--stream",
    made.stream_id,
    "--json",
  ]);
  const { api_key: eraseKey, key_id = `key_${JSON.parse(out).api_key.split("_")[2]}` } = JSON.parse(out);
  const { body } = await client.appendBatch(made.stream_id, [loan(1), loan(2)]);
  const path = `/v2/streams/${made.stream_id}/events/${body.receipts[0].stream_event_id}/erase`;
  const erased = await new Client(client.url, eraseKey).post(path, { reason: "request 17" });
  assert.equal(erased.status, 200, erased.text);
  for (const words of [
    ["keys", "rotate", key_id],
    ["keys", "revoke", key_id],
  ]) {
    const { code, err } = await command([...words, ...data]);
    assert.equal(code, 0, err);
  }
  const { code, out: says } = await command(["fsck", ...data]);
  assert.deepEqual([code, says], [0, "Nothing is wrong.\n"]);
});
