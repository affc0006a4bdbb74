/**
 * Evidence against the service outlives everything that a caller, or an operator, can ask for: every route of the
 * document with every right, an erasure of the convicted events, the archive, a backup, and the move to another store.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { contractsOf, KEY_ACTIONS } from "@svc/api";
import { ON_FILE } from "@svc/testkit/drivers";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { newId } from "../../src/ids.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { archive } from "../archive/archiving.ts";
import { download, readyExport } from "../exports/export-client.ts";
import { EVIDENCE, evidence, STREAM, startConvicted } from "./equivocating-service.ts";

type Started = Awaited<ReturnType<typeof startConvicted>>;

/** Resolves to the kept evidence as its lists have it. */
async function listed({ client, server }: Started): Promise<string> {
  const ofStream = await client.get(`/v2/streams/${STREAM}/forks?limit=500`);
  const ofLog = await new Client(server.url, "").get("/v2/forks?limit=500");
  assert.ok(ofStream.body.items.length > 10 && ofLog.body.items.length > 1);
  return ofStream.text + ofLog.text;
}

test("no route deletes evidence, with whatever right; nor do erasures and the archive", async (t) => {
  const started = await startConvicted(t);
  const { made, server, client } = started;
  const { context } = server.service;
  for (const fork of EVIDENCE.values())
    assert.equal((await new Client(server.url, "").post("/v2/forks", fork)).status, 200);
  const before = await listed(started);
  const systemKeys = systemKeysOf(context);
  const key = await context.database.write((writer) =>
    systemKeys.create(
      writer,
      { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions: KEY_ACTIONS, streams: null } },
      { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] },
    ),
  );
  const owner = new Client(server.url, key);
  const { body: record } = await client.append(STREAM, loan(1));
  await client.witnessed(STREAM, 1);
  const { export_id: exportId } = await readyExport(client, { streams: [STREAM] });
  const ids: Readonly<Record<string, string>> = { streamId: STREAM, eventId: record.stream_event_id, exportId };
  const [fork] = JSON.parse(before.slice(0, before.indexOf("}{") + 1)).items;
  // Every path, and every path with the id of evidence behind it or in place of a name in it, by every method.
  const paths = new Set(
    contractsOf({ withMetrics: true }).flatMap(({ path }) => {
      const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name] ?? fork.fork_id);
      return [filled, `${filled}/${fork.fork_id}`, path.replaceAll(/\{\w+\}/g, fork.fork_id)];
    }),
  );
  for (const path of paths) {
    for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
      const headers = { "content-type": "application/json", "idempotency-key": newId("key") };
      const body = JSON.stringify({ ...fork, reason: "request 17", streams: [STREAM] });
      const request = { method, headers: { ...headers, authorization: `Bearer ${owner.key}` }, body };
      await (await fetch(server.url + path, request)).arrayBuffer();
    }
  }
  assert.equal(await listed(started), before);
  const erase = `/v2/streams/${STREAM}/events/${record.stream_event_id}/erase`;
  await owner.post(erase, { reason: "request 17" });
  await archive(context);
  assert.equal(await listed(started), before);
});

test("an export that is made after it carries it, too", async (t) => {
  const { server, client } = await startConvicted(t);
  await client.append(STREAM, loan(1));
  await client.witnessed(STREAM, 1);
  await new Client(server.url, "").post("/v2/forks", evidence("two-receipts"));
  const ready = await readyExport(client, { streams: [STREAM] });
  const { bytes } = await download(client, ready);
  assert.ok(bytes.includes('"forks.json":[{'));
});

test("no statement of the server changes or deletes evidence, except for the migration that names notes anew", () => {
  const sources = new URL("../../src/", import.meta.url).pathname;
  const files = readdirSync(sources, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"));
  const changing = files.filter((path) =>
    /(?:DELETE\s+FROM|UPDATE|DROP\s+TABLE|TRUNCATE|REPLACE\s+INTO)\s+(?:log_)?forks\b/i.test(
      readFileSync(join(sources, path), "utf8"),
    ),
  );
  assert.deepEqual(changing, ["forks/migrations/0024-log-forks.ts"]);
});

function rowsOf(folder: string): object[][] {
  const database = new DatabaseSync(join(folder, "svc.db"), { readOnly: true });
  const rows = ["forks", "log_forks"].map((table) =>
    database
      .prepare(`SELECT * FROM ${table} ORDER BY fork_id`)
      .all()
      .map((row) => ({ ...row })),
  );
  database.close();
  assert.ok(rows.every((table) => table.length > 0));
  return rows;
}

test("fsck finds every changed cell of evidence, and a backup has all of it", ON_FILE, async (t) => {
  const started = await startConvicted(t);
  const { made, server, close } = started;
  for (const fork of EVIDENCE.values()) await new Client(server.url, "").post("/v2/forks", fork);
  await close();
  const fsck = (folder: string) => command(["fsck", "--data", folder, "--json"]);
  // The policy and the stream of the test have no record in the audit log: that is all that may be found.
  const faultsOf = async (folder: string) => {
    const { out } = await fsck(folder);
    return (JSON.parse(out).faults as { table: string }[]).filter(({ table }) => /forks$/.test(table));
  };
  assert.deepEqual(await faultsOf(made.data_folder), []);
  const backup = join(temporaryFolder(), "backup");
  const done = await command(["backup", "--to", backup, "--data", made.data_folder]);
  assert.equal(done.code, 0, done.err);
  assert.deepEqual(rowsOf(backup), rowsOf(made.data_folder));
  const database = new DatabaseSync(join(made.data_folder, "svc.db"));
  t.after(() => database.close());
  database.exec("PRAGMA foreign_keys = OFF");
  for (const [table, changes] of [
    [
      "forks",
      {
        stream_id: made.stream_id,
        tenant_id: "tnt_other",
        detected_at: "2026-01-01T00:00:00.000Z",
        sides_hash: "00",
        fork_id: "frk_other",
      },
    ],
    ["log_forks", { detected_at: "2026-01-01T00:00:00.000Z", sides_hash: "00", fork_id: "frk_other" }],
  ] as const) {
    for (const [column, value] of Object.entries(changes)) {
      const row = database.prepare(`SELECT rowid, ${column} AS was FROM ${table} LIMIT 1`).get() as {
        rowid: number;
        was: string;
      };
      const set = (to: string) =>
        database.prepare(`UPDATE ${table} SET ${column} = ? WHERE rowid = ?`).run(to, row.rowid);
      set(value);
      const faults = await faultsOf(made.data_folder);
      assert.ok(faults.length > 0, `${table}.${column}`);
      set(row.was);
    }
  }
});
