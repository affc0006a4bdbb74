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
import { download, goodReport, readyExport, settledExport } from "./export-client.ts";
import { Client, loan, startServer, temporaryFolder } from "./running-server.ts";

/** Columns that no evidence binds, by table: fsck does not promise to notice a change of them. */
const UNBOUND: Readonly<Record<string, readonly string[]>> = {
  events: ["source_timezone", "actor_kind", "actor_id", "installation_id", "envelope_hash", "capsule_root"],
  streams: ["system_id", "class", "use_case", "policy_explicit", "metadata", "created_at", "actor_id", "closed_at"],
  windows: [],
  checkpoints: [],
  witness_statements: [],
  witness_state: [],
  policies: ["tenant_id", "explicit", "created_at"],
  witness_policies: ["tenant_id", "explicit", "created_at"],
  erasures: ["tenant_id", "erased_at", "files_cleared_at"],
  exports: ["build_no", "attempts", "expires_at", "file_removed_at"],
  export_ranges: [],
  export_accesses: ["ticket_mac", "prepared_at", "expires_at"],
  export_verifications: [],
};

type Cell = string | number | null;
type Row = Record<string, Cell> & { rowid: number };

/** A closed database with two sealed streams, an erasure, and events that no window holds yet; and what checks a copy of it. */
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
  const { body: erasure } = await eraser.post(
    `/v2/streams/${made.stream_id}/events/${batch.receipts[1].stream_event_id}/erase`,
    { reason: "request 17" },
  );
  const gone = await readyExport(client, { streams: [made.stream_id], payloads: "redacted" });
  await client.send("DELETE", `/v1/exports/${gone.export_id}`, undefined, {});
  await settledExport(client, gone.export_id, "deleted");
  const ready = await readyExport(client, { streams: [made.stream_id, erasure.lifecycle_record.stream_id] });
  const { accessId } = await download(client, ready);
  const verified = `/v1/exports/${ready.export_id}/truth-package/verify`;
  assert.equal((await client.post(verified, goodReport(ready, accessId))).status, 201);
  await client.append(made.stream_id, loan(4));
  await client.witnessed(made.stream_id, 4);
  await client.witnessed(erasure.lifecycle_record.stream_id, 5);
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

test("each row that is gone is noticed", async (t) => {
  const { check, rowsOf } = await filled(t);
  for (const table of Object.keys(UNBOUND))
    for (const row of rowsOf(table)) {
      const faults = await check(`DELETE FROM ${table} WHERE rowid = ?`, row.rowid);
      assert.ok(faults.length > 0, `${table}, row ${JSON.stringify(row)}`);
    }
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
