/** A closed database with rows in every table of evidence, and a check of changed copies of it. */
import assert from "node:assert/strict";
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { KEY_ACTIONS } from "@svc/api";
import type { Fault } from "@svc/host/checks";
import { openSqlite } from "@svc/host/store";
import { anchored, contractOnChain } from "@svc/testkit/server/anchored";
import { runSql } from "@svc/testkit/server/changed-rows";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { checkDatabase } from "../../src/fsck/check-database.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { THIN_SERVER } from "../../src/thin-server/program.ts";
import { archive } from "../archive/archiving.ts";
import { entry, logBatch } from "../event-log/event-log.ts";
import { download, goodReport, readyExport, settledExport } from "../exports/export-client.ts";

/** Columns that no evidence binds, by table: fsck does not promise to notice a change of them. */
export const UNBOUND: Readonly<Record<string, readonly string[]>> = {
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
  service_log: ["closed_at"],
  service_log_leaves: [],
  unlogged_checkpoints: [],
  epochs: [],
  mined_epochs: [],
  voided_epochs: [],
  policies: ["explicit", "created_at"],
  witness_policies: ["when_unmet", "explicit", "created_at"],
  erasures: ["tenant_id", "erased_at", "files_cleared_at"],
  archives: ["erased_since", "archived_at"],
  archive_folder: [],
  // The time of the first key is where its period begins; a later key's time is that of its endorsement, which has a
  // separate test.
  signing_keys: ["valid_from"],
  key_endorsements: ["created_at"],
  exports: ["build_no", "attempts", "expires_at", "file_removed_at"],
  export_ranges: [],
  export_accesses: ["ticket_mac", "prepared_at", "expires_at"],
  export_verifications: [],
};

/** The same for the tables without evidence. */
export const BESIDE_EVIDENCE: Readonly<Record<string, readonly string[]>> = {
  schema_migrations: ["name", "applied_at"],
  service: [
    "api_url",
    "dashboard_url",
    "audit_url",
    "status_url",
    "marketplace_url",
    "created_at",
    "pepper_rotated_at",
  ],
  tenants: ["name", "time_zone", "settings", "created_at"],
  principals: ["kind", "roles", "created_at", "disabled_at"],
  credentials: ["kind", "secret_mac", "pepper_mac", "last_used_at"],
  systems: ["name", "source_timezone", "created_at"],
  idempotency_records: ["result"],
  outbox: ["payload", "created_at", "attempts", "lease_owner", "lease_until", "done_at", "last_error", "stream_id"],
  anchorings: ["sender", "nonce", "block_number", "block_hash", "cost_gwei", "spent_gwei", "begun_at", "problem"],
  anchor_transactions: ["nonce", "max_fee_wei", "tip_wei", "max_cost_gwei", "sent_at", "head_number"],
  anchoring_state: ["head_number", "balance_gwei", "nonce", "problem", "problem_since"],
  jobs: ["lease_owner", "lease_until", "fencing_no"],
  access_log: ["actor_kind", "actor_id", "action", "detail"],
};

/** A value of a column. */
export type Cell = string | number | null;
/** A row with its number. */
export type Row = Record<string, Cell> & { rowid: number };

/**
 * Resolves to a closed database with sealed streams, one of them an event log, erasures, and events that no window
 * holds yet; and to a check of its copies.
 */
export async function filled(t: Parameters<typeof startServer>[0]) {
  const { chain, anchoring } = await contractOnChain(t);
  const here = await startServer(t, { epochIntervalMs: 20, ...anchoring });
  const { client, made, server } = here;
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const key = await context.database.write((writer) =>
    systemKeys.create(
      writer,
      { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions: KEY_ACTIONS, streams: null } },
      { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] },
    ),
  );
  const { body: batch } = await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  await client.witnessed(made.stream_id, 3);
  await anchored(client, chain, made.stream_id);
  // Later epochs stay as they are published.
  await server.service.jobs.find(({ name }) => name === "anchorer")?.stop();
  const columns = "epoch_no, block_hash, network, block_number, anchored_at, note, evidence, document";
  await runSql(here, `INSERT INTO voided_epochs (${columns}) SELECT ${columns} FROM mined_epochs`);
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
  const held = await download(client, ready);
  const verified = `/v1/exports/${ready.export_id}/truth-package/verify`;
  assert.equal((await client.post(verified, goodReport(ready, held))).status, 201);
  for (const rotate of ["rotate-signing", "rotate-witness"]) {
    const rotation = await command(["keys", rotate, "--data", made.data_folder]);
    assert.equal(rotation.code, 0, rotation.err);
  }
  await client.append(made.stream_id, loan(4));
  await client.witnessed(made.stream_id, 4);
  await client.witnessed(erasure.lifecycle_record.stream_id, 6);
  await until("an epoch is made under the new key", async () => {
    const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
    return body.published_to_seq_no === 4 ? body : null;
  });
  await server.service.jobs.find(({ name }) => name === "service-log")?.stop();
  const { body: unlogged } = await logBatch(client, [entry(3)]);
  await client.witnessed(unlogged.receipts[0].stream_id, unlogged.receipts[0].seq_no);
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  assert.equal(await archive(context), true);
  await client.append(made.stream_id, loan(5));
  assert.equal((await client.post("/v1/exports", { streams: [made.stream_id] })).body.state, "queued");
  const exportsPath = join(made.data_folder, "exports");
  const { archivePath } = context.folder;
  const file = join(temporaryFolder(), "svc.db");
  const copy = new DatabaseSync(join(made.data_folder, "svc.db"));
  copy.exec(`VACUUM INTO '${file}'`);
  copy.close();

  /** Resolves to the faults that fsck finds in a file. */
  const faultsOf = async (path: string): Promise<Fault[]> => {
    const database = openSqlite(path);
    const faults: Fault[] = [];
    try {
      for await (const fault of checkDatabase({ program: THIN_SERVER, ...context, database, exportsPath, archivePath }))
        faults.push(fault);
    } finally {
      await database.close();
    }
    return faults;
  };
  const check = async (change: string, ...values: Cell[]): Promise<Fault[]> => {
    const path = join(temporaryFolder(), "changed.db");
    copyFileSync(file, path);
    const changed = new DatabaseSync(path);
    changed.exec("PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON");
    if (change !== "") assert.equal(changed.prepare(change).run(...values).changes, 1);
    changed.close();
    return faultsOf(path);
  };
  const source = new DatabaseSync(file, { readOnly: true });
  t.after(() => source.close());
  const rowsOf = (table: string) => source.prepare(`SELECT rowid, * FROM ${table}`).all() as Row[];
  return { ...here, file, faultsOf, check, rowsOf };
}
