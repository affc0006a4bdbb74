/** fsck notices each edit of a single cell and each row that is gone, in every table that evidence stands in. */
import assert from "node:assert/strict";
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { PackageFiles } from "../src/exports/package-files.ts";
import { checkDatabase } from "../src/fsck/check-database.ts";
import type { Fault } from "../src/fsck/fault.ts";
import { openSqlite } from "../src/store/sqlite.ts";
import { KEY_ACTIONS } from "../src/tenancy/principal.ts";
import { command } from "./child-process.ts";
import { entry, logBatch } from "./event-log.ts";
import { download, goodReport, readyExport, settledExport } from "./export-client.ts";
import { Client, loan, startServer, temporaryFolder } from "./running-server.ts";

/** Columns that no evidence binds, by table: fsck does not promise to notice a change of them. */
const UNBOUND: Readonly<Record<string, readonly string[]>> = {
  events: ["source_timezone", "actor_kind", "actor_id", "installation_id", "envelope_hash", "capsule_root"],
  streams: [
    "system_id",
    "class",
    "use_case",
    "policy_explicit",
    "metadata",
    "created_at",
    "actor_id",
    "closed_at",
    "seal_demanded_to",
  ],
  windows: [],
  checkpoints: [],
  witness_statements: [],
  witness_state: [],
  policies: ["tenant_id", "explicit", "created_at"],
  witness_policies: ["tenant_id", "explicit", "created_at"],
  erasures: ["tenant_id", "erased_at", "files_cleared_at"],
  // That of the first key is where its time begins; a later one's is its endorsement's, which a test of its own looks at.
  signing_keys: ["valid_from"],
  key_endorsements: ["created_at"],
  exports: ["build_no", "attempts", "expires_at", "file_removed_at"],
  export_ranges: [],
  export_accesses: ["ticket_mac", "prepared_at", "expires_at"],
  export_verifications: [],
};

type Cell = string | number | null;
type Row = Record<string, Cell> & { rowid: number };

/** A closed database with sealed streams, one of them an event log, erasures, and events that no window holds yet; and what checks a copy of it. */
async function filled(t: Parameters<typeof startServer>[0]) {
  const here = await startServer(t);
  const { client, made, server } = here;
  const { ground, systemKeys } = server.service;
  const key = await ground.database.write((writer) =>
    systemKeys.create(
      writer,
      { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions: KEY_ACTIONS, streams: null } },
      { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] },
    ),
  );
  const { body: batch } = await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  await client.witnessed(made.stream_id, 3);
  const eraser = new Client(server.url, key);
  const erase = ({ stream_id, stream_event_id }: Record<string, string>) =>
    eraser.post(`/v2/streams/${stream_id}/events/${stream_event_id}/erase`, { reason: "request 17" });
  const { body: erasure } = await erase(batch.receipts[1]);
  const { body: logged } = await logBatch(client, [entry(1), entry(2)]);
  await erase(logged.receipts[0]);
  await client.witnessed(logged.receipts[0].stream_id, 2);
  const gone = await readyExport(client, { streams: [made.stream_id], payloads: "redacted" });
  await client.send("DELETE", `/v1/exports/${gone.export_id}`, undefined, {});
  await settledExport(client, gone.export_id, "deleted");
  const ready = await readyExport(client, { streams: [made.stream_id, erasure.lifecycle_record.stream_id] });
  const { accessId } = await download(client, ready);
  const verified = `/v1/exports/${ready.export_id}/truth-package/verify`;
  assert.equal((await client.post(verified, goodReport(ready, accessId))).status, 201);
  const rotation = await command(["keys", "rotate-signing", "--data", made.data_folder]);
  assert.equal(rotation.code, 0, rotation.err);
  await client.append(made.stream_id, loan(4));
  await client.witnessed(made.stream_id, 4);
  await client.witnessed(erasure.lifecycle_record.stream_id, 6);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  await client.append(made.stream_id, loan(5));
  assert.equal((await client.post("/v1/exports", { streams: [made.stream_id] })).body.state, "queued");
  const packages = new PackageFiles(join(made.data_folder, "exports"));
  const file = join(temporaryFolder(), "svc.db");
  const copy = new DatabaseSync(join(made.data_folder, "svc.db"));
  copy.exec(`VACUUM INTO '${file}'`);
  copy.close();

  const check = async (change: string, ...values: Cell[]): Promise<Fault[]> => {
    const path = join(temporaryFolder(), "changed.db");
    copyFileSync(file, path);
    const changed = new DatabaseSync(path);
    changed.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    if (change !== "") assert.equal(changed.prepare(change).run(...values).changes, 1);
    changed.close();
    const database = openSqlite(path);
    const faults: Fault[] = [];
    for await (const fault of checkDatabase({ ...ground, database, packages })) faults.push(fault);
    await database.close();
    return faults;
  };
  const source = new DatabaseSync(file, { readOnly: true });
  t.after(() => source.close());
  const rowsOf = (table: string) => source.prepare(`SELECT rowid, * FROM ${table}`).all() as Row[];
  return { ...here, check, rowsOf };
}

/** Another value of the same form: a digit, a letter or a number changed. */
function changedCell(value: Cell): Cell {
  if (value === null) return "2026-01-01T00:00:00.000Z";
  if (typeof value === "number") return value + 1000;
  const at = value.search(/[0-9a-f](?=[^0-9a-f]*$)/);
  if (at < 0) return `${value}x`;
  return `${value.slice(0, at)}${value[at] === "1" ? "2" : "1"}${value.slice(at + 1)}`;
}

test("nothing is wrong with a database that nobody changed, with or without the server", async (t) => {
  const { made, check } = await filled(t);
  assert.deepEqual(await check(""), []);
  const { code, out, err } = await command(["fsck", "--data", made.data_folder]);
  assert.deepEqual([code, out], [0, "Nothing is wrong.\n"], err);
});

test("nothing is wrong with a database that a server goes on with between any two looks", async (t) => {
  const { client, made, server } = await startServer(t);
  const { ground } = server.service;
  let number = 0;
  const goOn = async () => {
    const { body } = await client.append(made.stream_id, loan(++number));
    if (number === 1) await client.witnessed(made.stream_id, body.seq_no);
  };
  await goOn();
  const read: typeof ground.database.read = async (work) => {
    const seen = await ground.database.read(work);
    await goOn();
    return seen;
  };
  for await (const fault of checkDatabase({ ...ground, database: { read }, packages: null }))
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
        const faults = await check(sql, changedCell(value), row.rowid);
        assert.ok(faults.length > 0, `${table}.${column} of row ${row.rowid}: ${value} → ${changedCell(value)}`);
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
  for (const table of Object.keys(UNBOUND))
    for (const row of rowsOf(table)) {
      const faults = await check(`DELETE FROM ${table} WHERE rowid = ?`, row.rowid);
      assert.ok(faults.length > 0, `${table}, row ${JSON.stringify(row)}`);
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
  const { database } = server.service.ground;
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
  const { ground } = server.service;
  const faults: Fault[] = [];
  await ground.database.write((writer) =>
    writer.run("UPDATE streams SET event_log_no = 3 WHERE stream_id = $1", stream.stream_id),
  );
  for await (const fault of checkDatabase({ ...ground, packages: null })) faults.push(fault);
  assert.deepEqual(
    faults.map(({ table, row }) => [table, row.id]),
    [["streams", stream.stream_id]],
  );
});
