/**
 * Exports over the context of capabilities: sealed events, requested exports, and the job that builds them, without a
 * server.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import type { TestContext } from "node:test";
import type { Database } from "@svc/host/store";
import { until } from "@svc/testkit/until";
import { createExportBuilding } from "../../src/exports/build-exports.ts";
import { built } from "../../src/exports/built.ts";
import type { ExportRequest } from "../../src/exports/choose-events.ts";
import { Exports } from "../../src/exports/exports.ts";
import { type ExportRow, findExport } from "../../src/exports/exports-store.ts";
import { PackageFiles } from "../../src/exports/package-files.ts";
import { ReadExports } from "../../src/exports/read-exports.ts";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { failed } from "../../src/notices.ts";
import { recorded } from "../../src/streams/recorded.ts";
import { accessBefore } from "../../src/tenancy/access-log-store.ts";
import { append, contextUnderTest, heard, ONE_STREAM, OTHER_STREAM, seal } from "../context-under-test.ts";
import { BANK, LOANS, principalOf } from "../store-under-test.ts";

/** Resolves to five sealed events in one stream and two in another, and the capabilities of exports. */
export async function exportsUnderTest(t: Pick<TestContext, "after">, around?: (database: Database) => Database) {
  const made = await contextUnderTest(t, around);
  const { context, store } = made;
  // The service makes one, with the usual form of an id.
  await store.write((writer) => writer.run("DELETE FROM streams WHERE class = 'lifecycle'"));
  await append(context, LOANS, ONE_STREAM, 5);
  await append(context, LOANS, OTHER_STREAM, 2);
  for (const streamId of [ONE_STREAM, OTHER_STREAM]) await seal(context, BANK, streamId);
  const files = new PackageFiles(context.folder.exportsPath);
  const exports = new Exports(context, new Idempotency(context));
  const reading = new ReadExports(context.database);
  const told = {
    outcomes: heard(context, built),
    recorded: heard(context, recorded, ({ last }) => last.event_type.startsWith("truth_package.")),
    failed: heard(context, failed),
  };
  const ask = async (request: ExportRequest = { streams: [ONE_STREAM] }) =>
    (await exports.create(principalOf(LOANS), request, "")).export_id;
  const rowOf = async (exportId: string): Promise<ExportRow> => {
    const row = await store.read((reader) => findExport(reader, BANK, exportId));
    assert.ok(row !== null);
    return { ...row };
  };
  const names = () => (existsSync(context.folder.exportsPath) ? readdirSync(context.folder.exportsPath).sort() : []);
  const bytesOf = async (exportId: string) => readFileSync(files.pathOf(await rowOf(exportId)));
  /** Resolves to the entries of the access log about an object, in order. */
  const noted = async (objectId: string) => {
    const about = { tenantId: null, action: null, objectId };
    const { rows } = await store.read((reader) => accessBefore(reader, about, { after: null, most: 100 }));
    return rows
      .map(({ action, actor_kind, actor_id, tenant_id, at, detail }) => [
        action,
        `${actor_kind} ${actor_id}`,
        tenant_id,
        at,
        JSON.parse(detail),
      ])
      .toReversed();
  };
  /** Runs the job until a condition holds. */
  const build = async (what: string, isDone: () => Promise<boolean>, on = context) => {
    const job = createExportBuilding(on, files);
    job.start();
    await until(what, async () => {
      job.wake();
      return (await isDone()) ? true : null;
    });
    await job.stop();
  };
  const buildAll = () => build("all exports have ended", async () => (await store.read(atWork)) === 0);
  /** Resolves to a package that is ready. */
  const ready = async (request?: ExportRequest) => {
    const exportId = await ask(request);
    await buildAll();
    const row = await rowOf(exportId);
    assert.equal(row.state, "ready");
    return row;
  };
  return { ...made, files, exports, reading, told, ask, rowOf, names, bytesOf, noted, build, buildAll, ready };
}

async function atWork(reader: Parameters<Parameters<Database["read"]>[0]>[0]): Promise<number> {
  const sql = "SELECT export_id FROM exports WHERE state IN ('queued', 'building')";
  return (await reader.all(sql)).length;
}

/** The service itself, as the access log names it. */
export const SERVICE = "service svc-server";
