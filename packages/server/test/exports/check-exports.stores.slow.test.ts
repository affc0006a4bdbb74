/** The check of exports beside a running server: a change between two of its reads is no fault. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Fault } from "@svc/host/checks";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import type { CheckContext } from "../../src/check-context.ts";
import type { Context } from "../../src/context.ts";
import { checkExports } from "../../src/exports/check-exports.ts";
import { Exports } from "../../src/exports/exports.ts";
import { PackageFiles } from "../../src/exports/package-files.ts";
import { idempotencyOf } from "../../src/idempotency/idempotency.ts";
import { newSigningKeyPem, signerOf } from "../../src/signing/file-signer.ts";
import { readyExport } from "./export-client.ts";

/** More reads than the check does for one export. */
const READS = 8;

/** Resolves to the faults of the check; `meanwhile` runs before its read of this number, from 1. */
async function faultsWith(context: Context, number: number, meanwhile: () => Promise<void>): Promise<Fault[]> {
  const { database, kernel, origin, keyedHash, folder } = context;
  let reads = 0;
  const checked: CheckContext = {
    database: {
      read: async (work) => {
        reads += 1;
        if (reads === number) await meanwhile();
        return database.read(work);
      },
    },
    kernel,
    origin,
    keyedHash,
    exportsPath: folder.exportsPath,
    archivePath: folder.archivePath,
    privateFolder: folder.path,
    settings: context.settings,
    events: [],
    witnessMemory: null,
    witnesses: [],
    trust: { signers: [] },
    signer: signerOf(kernel, newSigningKeyPem(), "a key of this check alone"),
    keys: [],
    onStep: () => undefined,
  };
  const faults: Fault[] = [];
  for await (const fault of checkExports(checked)) faults.push(fault);
  assert.ok(reads > 0 && reads < READS, `${reads} reads`);
  return faults;
}

test("a build that begins meanwhile is no fault", async (t) => {
  const { client, made, server } = await startServer(t);
  await jobNamed(server, "exports").stop();
  await client.append(made.stream_id, loan(1));
  assert.equal((await client.post("/v1/exports", { streams: [made.stream_id] })).status, 201);
  const { context } = server.service;
  const set = (exports: string, evidence: string) =>
    context.database.write((writer) =>
      writer.script(`UPDATE exports SET ${exports}; UPDATE export_ranges SET evidence = ${evidence}`),
    );
  for (let number = 1; number < READS; number++) {
    await set("state = 'queued', build_no = 0, attempts = 0, packaged_at = NULL", "NULL");
    const begin = () =>
      set("state = 'building', build_no = 1, attempts = 1, packaged_at = '2026-03-01T00:00:00.000Z'", "'{}'");
    assert.deepEqual(await faultsWith(context, number, begin), [], `before read ${number}`);
  }
});

test("a package that is deleted meanwhile is no fault; one whose file is gone is", async (t) => {
  const { client, made, server } = await startServer(t);
  await client.append(made.stream_id, loan(1));
  const { context } = server.service;
  const files = new PackageFiles(context.folder.exportsPath);
  const exports = new Exports(context, idempotencyOf(context));
  const system = { tenantId: made.tenant_id, kind: "system", id: made.system_id, roles: [] } as const;
  for (let number = 1; number < READS; number++) {
    const { export_id } = await readyExport(client, { streams: [made.stream_id] });
    const remove = async () => {
      await exports.delete(system, export_id);
      await files.remove(export_id);
    };
    assert.deepEqual(await faultsWith(context, number, remove), [], `before read ${number}`);
  }
  const { export_id } = await readyExport(client, { streams: [made.stream_id] });
  await jobNamed(server, "exports").stop();
  await files.remove(export_id);
  const [fault, ...others] = await faultsWith(context, 0, async () => undefined);
  assert.deepEqual([fault?.table, fault?.row, others.length], ["exports", { export_id }, 0]);
  assert.match(fault?.fault ?? "", /^the file of its package is missing/);
});
