/** A deployment with rows of every kind that is moved between databases, and all that can be read of it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KEY_ACTIONS } from "@svc/api";
import { systemClock } from "@svc/host/clock";
import { readSettings, type SettingTable } from "@svc/host/settings";
import { openDatabase, type ServerLocation } from "@svc/host/store";
import { sharedPostgres } from "@svc/testkit/postgres";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { openDataFolder } from "../../src/data-folder/data-folder.ts";
import { type DatabaseSettings, IN_FOLDER } from "../../src/deployment/database.ts";
import { kernel } from "../../src/kernel.ts";
import { rotateSigningKey } from "../../src/keys/rotate.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { serve } from "../../src/serving/serve.ts";
import { readConfig } from "../../src/settings/config.ts";
import { openKeySource } from "../../src/signing/key-source.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { entry, log, logBatch } from "../event-log/event-log.ts";
import { download, goodReport, readyExport, settledExport } from "../exports/export-client.ts";

/** Routes whose answers are of the process, or change something. */
const NOT_COMPARED = ["/metrics", "/verify.html"];

/** A write that was answered, to be sent again. */
interface Repeatable {
  readonly path: string;
  readonly body: unknown;
  readonly key: string;
  readonly text: string;
}

/** A deployment that nobody serves. */
export interface Movable {
  readonly folder: string;
  readonly apiKey: string;
  readonly streamId: string;
  /** Resolves to the answers of every GET route to all that is there, by request, and to all writes sent again. */
  readonly answers: (settings?: DatabaseSettings) => Promise<ReadonlyMap<string, string>>;
}

/** Serves a folder on this thread while `work` goes on. `exportsFolder`: that of the packages, if it is elsewhere. */
export async function served<T>(
  folder: string,
  settings: DatabaseSettings,
  work: (server: Awaited<ReturnType<typeof serve>>) => Promise<T>,
  exportsFolder: string | null = null,
): Promise<T> {
  const environment = {
    SVC_ADDRESS_REQUESTS_PER_SECOND: "0",
    SVC_KEY_REQUESTS_PER_SECOND: "0",
    SVC_LOG_LEVEL: "silent",
    SVC_SEAL_INTERVAL_MS: "20",
    // No second epoch comes between two lists of answers.
    SVC_EPOCH_INTERVAL_MS: "86400000",
    SVC_PORT: "0",
    SVC_DATA: folder,
  };
  const server = await serve(
    THIN_SERVER,
    { ...readConfig(THIN_SERVER, environment), ...settings, exportsFolder },
    { kernel, clock: systemClock },
  );
  try {
    return await work(server);
  } finally {
    await server.close();
  }
}

/** Returns the settings of a place. */
export function settingsOf({ url, risks }: ServerLocation): DatabaseSettings {
  return { databaseUrl: url, databaseRisks: risks };
}

/** Makes a deployment in files, with events, log events, erasures, exports, policies and a rotation, all sealed. */
export async function movableDeployment(): Promise<Movable> {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const repeatable: Repeatable[] = [];
  const apiKey = await served(folder, IN_FOLDER, async ({ url, service }) => {
    const { context } = service;
    const actor = { tenantId: made.tenant_id, kind: "service" as const, id: "test", roles: [] };
    const key = await context.database.write(async (writer) => {
      await declarePolicy(
        writer,
        kernel,
        actor,
        { policy_id: "own", window_max_events: 2 },
        "2026-03-01T00:00:00.000Z",
      );
      const owner = { tenantId: made.tenant_id, systemId: made.system_id };
      return systemKeysOf(context).create(writer, { ...owner, limits: { actions: KEY_ACTIONS, streams: null } }, actor);
    });
    const client = new Client(url, key);
    const send = async (path: string, body: unknown) => {
      const idempotencyKey = `move-${repeatable.length}`;
      const { status, text, body: answer } = await client.post(path, body, { "idempotency-key": idempotencyKey });
      assert.equal(status, 201, text);
      repeatable.push({ path, body, key: idempotencyKey, text });
      return answer;
    };
    const { stream_id: other } = await send("/v2/streams", {
      system_id: made.system_id,
      use_case: "other",
      policy_id: "own",
      metadata: { of: "ü\u0001" },
    });
    const streams = [made.stream_id, other];
    for (const stream of streams) {
      const { receipts } = await send(`/v2/streams/${stream}/events/batch`, { events: [loan(1), loan(2), loan(3)] });
      await send(`/v2/streams/${stream}/events`, loan(4, { payload: { text: "𝄞 \u0000 \\ ' \"" } }));
      const { stream_event_id } = receipts[1];
      const erase = `/v2/streams/${stream}/events/${stream_event_id}/erase`;
      assert.equal((await client.post(erase, { reason: "request 17" })).status, 200);
    }
    assert.equal((await logBatch(client, [entry(1), entry(2), entry(3)])).status, 201);
    const { body: logged } = await log(client, entry(4));
    for (const stream of streams) await client.witnessed(stream, 4);
    const gone = await readyExport(client, { streams, payloads: "redacted" });
    await client.send("DELETE", `/v1/exports/${gone.export_id}`, undefined, {});
    await settledExport(client, gone.export_id, "deleted");
    const ready = await readyExport(client, { streams });
    const held = await download(client, ready);
    const verified = `/v1/exports/${ready.export_id}/truth-package/verify`;
    assert.equal((await client.post(verified, goodReport(ready, held))).status, 201);
    const source = openKeySource({ kind: "file" }, kernel, folder);
    await rotateSigningKey(
      { database: context.database, kernel, clock: systemClock, source, dataFolder: folder },
      async () => undefined,
    );
    source.close();
    await send(`/v2/streams/${made.stream_id}/events`, loan(5));
    for (const { stream_id } of (await client.get("/v2/streams?limit=100")).body.items)
      await client.witnessed(stream_id, (await client.get(`/v2/streams/${stream_id}/head`)).body.seq_no);
    assert.equal(logged.seq_no, 4);
    await until("the first epoch is made", async () => {
      const { items } = (await client.get("/v2/anchors")).body;
      return items.length > 0 ? items : null;
    });
    return key;
  });
  const answers = (settings: DatabaseSettings = IN_FOLDER) =>
    served(folder, settings, ({ url }) => allAnswers(new Client(url, apiKey), repeatable));
  return { folder, apiKey, streamId: made.stream_id, answers };
}

async function allAnswers(client: Client, repeatable: readonly Repeatable[]): Promise<ReadonlyMap<string, string>> {
  const answers = new Map<string, string>();
  const get = async (path: string) => {
    const { status, text, body } = await client.get(path);
    answers.set(path, `${status} ${text}`);
    return body;
  };
  const idsOf = async (path: string, member: string): Promise<string[]> => {
    const { items } = await get(`${path}?limit=100`);
    return items.map((item: Record<string, string>) => item[member]);
  };
  const known: Record<string, string[]> = { eventId: [], windowId: [], checkpointId: [] };
  known.streamId = await idsOf("/v2/streams", "stream_id");
  for (const id of known.streamId) {
    known.eventId?.push(...(await idsOf(`/v2/streams/${id}/events`, "stream_event_id")));
    known.windowId?.push(...(await idsOf(`/v2/streams/${id}/windows`, "window_id")));
    known.checkpointId?.push(...(await idsOf(`/v2/streams/${id}/checkpoints`, "checkpoint_id")));
  }
  known.exportId = await idsOf("/v1/exports", "export_id");
  known.policyId = ["default", "own", "none"];
  for (const ids of Object.values(known)) assert.ok(ids.length > 1, JSON.stringify(known));
  const { paths } = (await client.get("/openapi.json")).body;
  for (const [path, methods] of Object.entries<object>(paths)) {
    if (!("get" in methods) || NOT_COMPARED.includes(path)) continue;
    const [, name] = /\{(\w+)\}/.exec(path) ?? [];
    for (const id of name === undefined ? [""] : (known[name] ?? ["none"])) await get(path.replace(`{${name}}`, id));
  }
  for (const { path, body, key, text } of repeatable) {
    const again = await client.post(path, body, { "idempotency-key": key });
    // An erased payload is in no answer any more; the last write has none.
    if (key === repeatable.at(-1)?.key) assert.equal(again.text, text);
    answers.set(`${path} under ${key}`, `${again.status} ${again.text}`);
  }
  return answers;
}

/** Returns all rows of a file, by table, as lines; those of tables that are not moved, and of marks, are left out. */
export function rowsOfFile(path: string): Record<string, string[]> {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const all = (table: string) => database.prepare(`SELECT * FROM ${table}`).all();
    const tables = all("sqlite_master").filter(({ type, name }) => type === "table" && !`${name}`.startsWith("sqlite"));
    return linesOf(tables.map(({ name }) => [`${name}`, all(`${name}`)]));
  } finally {
    database.close();
  }
}

/** Resolves to the same of a server's database. */
export async function rowsOfServer({ url }: ServerLocation): Promise<Record<string, string[]>> {
  const server = await sharedPostgres();
  const all = (sql: string) => server.run(sql, new URL(url).pathname.slice(1));
  const found: [string, readonly object[]][] = [];
  const tables = "relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition";
  for (const { relname } of await all(`SELECT relname FROM pg_class WHERE ${tables}`))
    found.push([`${relname}`, await all(`SELECT * FROM ${relname}`)]);
  return linesOf(found);
}

/** The tables that a move leaves where they are. */
const STAYING = [
  "schema_migrations",
  ...THIN_SERVER.tables.filter(({ stays }) => stays !== null).map(({ name }) => name),
];

function linesOf(tables: readonly (readonly [string, readonly object[]])[]): Record<string, string[]> {
  const moved = tables.filter(([name]) => !STAYING.includes(name) && !name.startsWith("store_migration"));
  const expected = THIN_SERVER.tables.map(({ name }) => name).filter((name) => !STAYING.includes(name));
  assert.deepEqual(moved.map(([name]) => name).sort(), expected.sort());
  return Object.fromEntries(
    moved.map(([name, rows]) => {
      const line = (row: object) =>
        Object.entries(row)
          .sort()
          .map(([column, value]) => [column, value === null ? null : `${value}`]);
      return [name, rows.map((row) => JSON.stringify(line(row))).sort()];
    }),
  );
}

/** Runs `work` on the opened database of a place. */
export async function onServer<T>(
  place: ServerLocation,
  work: (database: ReturnType<typeof openDatabase>["database"]) => Promise<T>,
): Promise<T> {
  const { database } = openDatabase(place);
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

/** Returns a move of a folder as the command makes it. */
export function movingOf(folder: string) {
  return {
    program: THIN_SERVER,
    folder: openDataFolder(folder, {}, { orBetween: true }),
    progressFile: null,
    settings: (table: SettingTable) => readSettings(table, {}).values as never,
    kernel,
    clock: systemClock,
    onStep: () => undefined,
  };
}
