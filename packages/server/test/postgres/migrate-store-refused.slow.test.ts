/** The refusals of `svc-server migrate-store`: each is one line that says what to do, and nothing is moved by then. */
import assert from "node:assert/strict";
import { cpSync, existsSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { openSqlite, type ServerLocation } from "@svc/host/store";
import { newServerPlace, ON_NAMED } from "@svc/testkit/drivers";
import { freePort } from "@svc/testkit/free-port";
import { NO_POSTGRES, sharedPostgres } from "@svc/testkit/postgres";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { mountSmallDisk, NO_SMALL_DISK } from "@svc/testkit/small-disk";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { IN_FOLDER } from "../../src/deployment/database.ts";
import { served, settingsOf } from "./movable-deployment.ts";

const options = ON_NAMED;
const RISKS = { SVC_DATABASE_RISKS: "fsync,full_page_writes", SVC_LOG_LEVEL: "error" };
const disk = temporaryFolder();
const hasDisk = mountSmallDisk(disk, "6m");

async function deployment() {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const append = (settings: Parameters<typeof served>[1], ...numbers: readonly number[]) =>
    served(folder, settings, async ({ url }) => {
      const client = new Client(url, made.api_key ?? "");
      for (const number of numbers)
        assert.equal((await client.append(made.stream_id, loan(number), `${number}`)).status, 201);
      await client.witnessed(made.stream_id, numbers.at(-1) ?? 0);
    });
  await append(IN_FOLDER, 1);
  return { folder, made, append };
}

/** Returns the line with which a command refuses. */
async function refused(code: number, words: readonly string[], environment: Record<string, string> = {}) {
  const { code: ended, out, err } = await command(words, { ...RISKS, ...environment });
  assert.deepEqual([ended, out], [code, ""], err);
  assert.match(err, /^svc-server: [^\n]+\n$/);
  return err;
}

const environmentOf = ({ url }: ServerLocation) => ({ SVC_DATABASE_URL: url, ...RISKS });
const databaseOf = ({ url }: ServerLocation) => new URL(url).pathname.slice(1);

async function accepted(words: readonly string[], environment: Record<string, string> = {}) {
  const { code, out, err } = await command([...words, "--json"], { ...RISKS, ...environment });
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test("an address that is missing or wrong", options, async (t) => {
  const { folder } = await deployment();
  const { url } = await newServerPlace(t);
  const to = (code: number, address: string | null, environment = {}) =>
    refused(
      code,
      ["migrate-store", ...(address === null ? ["--to"] : ["--to", address]), "--data", folder],
      environment,
    );
  assert.match(await refused(64, ["migrate-store", "--data", folder]), /Say where to: --to .* or --to-file/);
  assert.match(await refused(64, ["migrate-store", "--to", "--to-file", "--data", folder]), /Say where to/);
  assert.match(await to(64, null), /SVC_DATABASE_URL is not set/);
  assert.match(await to(64, "secret"), /^svc-server: --to is no address of a PostgreSQL database/);
  assert.match(await to(64, url, { SVC_DATABASE_URL: "postgres://a:b@c/d" }), /name different databases/);
  const wrong = (change: (address: URL) => void) => {
    const address = new URL(url);
    change(address);
    return to(1, address.href);
  };
  const port = await freePort();
  assert.match(await wrong((one) => (one.port = `${port}`)), /No server of --to can be written: .*ECONNREFUSED/);
  assert.match(await wrong((one) => (one.pathname = "/nowhere")), /no database nowhere .*CREATE DATABASE nowhere/);
  const secret = await wrong((one) => (one.password = "a-wrong-secret"));
  assert.ok(/refuses the user postgres of --to/.test(secret) && !secret.includes("a-wrong-secret"), secret);
  const unsafe = await newServerPlace(t);
  const name = databaseOf(unsafe);
  await (await sharedPostgres()).run(`ALTER DATABASE ${name} SET synchronous_commit = off`);
  assert.match(await to(1, unsafe.url), /synchronous_commit = off: .*SVC_DATABASE_RISKS/);
  const latin = await (await sharedPostgres()).newDatabase({ encoding: "LATIN1", locale: "C", until: t });
  assert.match(await to(1, latin), /encoding LATIN1, and UTF8 is needed/);
  assert.ok(!readdirSync(folder).some((name) => name.includes("migrat")));
});

test("a database to move to that is not empty, or is half moved from another deployment", options, async (t) => {
  const [one, other] = [await deployment(), await deployment()];
  const postgres = await sharedPostgres();
  const to = (folder: string, { url }: ServerLocation) => ["migrate-store", "--to", url, "--data", folder];
  const foreign = await newServerPlace(t);
  await postgres.run("CREATE TABLE customers (x int)", databaseOf(foreign));
  assert.match(await refused(1, to(one.folder, foreign)), /is not empty: it has a table customers/);

  const place = await newServerPlace(t);
  const half = await command([...to(one.folder, place)], {
    ...RISKS,
    SVC_CHAOS: JSON.stringify({ kill: { failpoint: "migrate-store: portion copied", nth: 3 } }),
    NODE_OPTIONS: `--import ${new URL("../../../../tools/chaos/hook.mjs", import.meta.url).href}`,
  });
  assert.equal(half.code, null);
  assert.match(await refused(1, to(other.folder, place)), /being filled from another one, .*svc\.db of demo\.example/);
  const fresh = join(temporaryFolder(), "fresh");
  await assert.rejects(makeDeployment(fresh, settingsOf(place)), /demo\.example.* is not whole: migrate-store/);
  const moved = await accepted(to(one.folder, place));
  assert.deepEqual([moved.events, moved.streams], [1, 1]);
  assert.match(await refused(1, to(other.folder, place)), /holds a deployment already, demo\.example/);
  assert.match(await refused(1, to(one.folder, place)), /is on a server already/);
  assert.match(await refused(1, to(one.folder, await newServerPlace(t))), /is on a server already/);

  const back = await accepted(["migrate-store", "--to-file", "--data", one.folder], environmentOf(place));
  assert.deepEqual([back.events, back.moved_to], [1, "svc.db"]);
  assert.match(await refused(1, to(one.folder, place)), /svc\.db\.migrated is left from another move/);
  rmSync(join(one.folder, "svc.db.migrated"));
  assert.match(await refused(1, to(one.folder, place)), /moved away from it, to .*svc\.db/);
  const elsewhere = join(temporaryFolder(), "elsewhere");
  cpSync(one.folder, elsewhere, { recursive: true });
  rmSync(join(elsewhere, "svc.db"));
  writeFileSync(join(elsewhere, "database.json"), "{}\n", { mode: 0o600 });
  const left = /is not served any more: migrate-store, begun .* moved it to .*svc\.db/;
  for (const words of [["fsck"], ["keys", "create"], ["start", "--port", "0"]])
    assert.match(await refused(1, [...words, "--data", elsewhere], environmentOf(place)), left);
  const { out } = await command(["doctor", "--data", elsewhere], environmentOf(place));
  assert.match(out, new RegExp(`fail +database +.*${left.source}`));
});

test("a folder whose database is not where it is to be moved from", options, async (t) => {
  const { folder } = await deployment();
  const place = await newServerPlace(t);
  const toFile = ["migrate-store", "--to-file", "--data", folder];
  assert.match(await refused(1, toFile), /is the file svc\.db in it already/);
  assert.match(await refused(1, ["migrate-store", "--to-file", "--data", temporaryFolder()]), /holds no deployment/);
  await accepted(["migrate-store", "--to", place.url, "--data", folder]);
  assert.match(await refused(1, toFile), /is on a PostgreSQL server. Name it: SVC_DATABASE_URL/);
  assert.match(await refused(1, toFile, environmentOf(await newServerPlace(t))), /holds no deployment/);
  writeFileSync(join(folder, "svc.db.migrating"), "no database", { mode: 0o600 });
  assert.match(await refused(1, toFile, environmentOf(place)), /file is not a database/);
});

test("a server that runs, on this machine or another, and another command", options, async (t) => {
  const { folder, append } = await deployment();
  const place = await newServerPlace(t);
  const toServer = ["migrate-store", "--to", place.url, "--data", folder];
  const child = await startChild(t, folder);
  assert.match(await refused(1, toServer), /Another svc-server serves/);
  await child.end("SIGTERM");
  const other = openSqlite(join(folder, "svc.db"));
  await other.read((reader) => reader.tables());
  assert.match(await refused(1, toServer), /Another process has .*svc\.db open, such as fsck/);
  await other.close();
  await accepted(toServer);

  const toFile = ["migrate-store", "--to-file", "--data", folder];
  await append(settingsOf(place), 2);
  const elsewhere = join(temporaryFolder(), "elsewhere");
  cpSync(folder, elsewhere, { recursive: true });
  rmSync(join(elsewhere, "server.lock"));
  const running = await startChild(t, elsewhere, environmentOf(place));
  const refusal = await refused(1, toFile, environmentOf(place));
  assert.match(refusal, /Another svc-server is connected to this database, process \d+ there from 127\.0\.0\.1/);
  assert.equal(await running.end("SIGKILL"), null);
  const held =
    "INSERT INTO jobs (job_name, lease_owner, lease_until, fencing_no) VALUES ('sealer', 'other', $1, 1) ON " +
    "CONFLICT (job_name) DO UPDATE SET lease_until = excluded.lease_until";
  const until = new Date(Date.now() + 30_000).toISOString();
  await (await sharedPostgres()).run(held.replace("$1", `'${until}'`), databaseOf(place));
  assert.match(
    await refused(1, toFile, environmentOf(place)),
    /that has not ended works on this database: .*job sealer/,
  );
  await (await sharedPostgres()).run("UPDATE jobs SET lease_until = '1970-01-01T00:00:00.000Z'", databaseOf(place));
  assert.equal((await accepted(toFile, environmentOf(place))).events, 2);
});

test(
  "a fault in the database to be moved, one of another release, and one that has lost events",
  options,
  async (t) => {
    const { folder } = await deployment();
    const place = await newServerPlace(t);
    const toServer = ["migrate-store", "--to", place.url, "--data", folder];
    const changed = async (change: string, back: string) => {
      const run = (sql: string) => {
        const database = new DatabaseSync(join(folder, "svc.db"));
        database.exec(sql);
        database.close();
      };
      run(change);
      const refusal = await refused(1, toServer);
      run(back);
      return refusal;
    };
    assert.match(
      await changed("UPDATE events SET source_ref = 'x'", "UPDATE events SET source_ref = 'loan-1'"),
      /fsck finds a fault in the database to be moved, .*svc\.db: events \{.*Run fsck/,
    );
    const version = "(SELECT MAX(version) FROM schema_migrations)";
    assert.match(
      await changed(
        `UPDATE schema_migrations SET version = 99 WHERE version = ${version}`,
        `UPDATE schema_migrations SET version = (SELECT COUNT(*) FROM schema_migrations) WHERE version = 99`,
      ),
      /schema version 99/,
    );
    const mark = JSON.stringify({
      stream_event_id: "sev_lost",
      event_hash: "x",
      received_at: "2026-03-01T00:00:00.000Z",
    });
    cpSync(join(folder, "progress.json"), join(folder, "kept"));
    writeFileSync(join(folder, "progress.json"), `${mark}\n`);
    assert.match(await refused(1, toServer), /older than what this server has given receipts for: event sev_lost/);
    cpSync(join(folder, "kept"), join(folder, "progress.json"));
    assert.deepEqual(
      await (await sharedPostgres()).run(
        "SELECT tablename FROM pg_tables WHERE schemaname = 'public'",
        databaseOf(place),
      ),
      [],
    );
    assert.equal((await accepted(toServer)).events, 1);
  },
);

test("a disk without room: there is room again, and it goes on", {
  skip: NO_POSTGRES || (hasDisk ? false : NO_SMALL_DISK),
}, async (t: TestContext) => {
  const { folder, append } = await deployment();
  const place = await newServerPlace(t);
  await append(IN_FOLDER, ...Array.from({ length: 60 }, (_, index) => index + 2));
  await accepted(["migrate-store", "--to", place.url, "--data", folder]);
  const data = join(disk, "data");
  cpSync(folder, data, { recursive: true, filter: (path) => !path.endsWith("svc.db.migrated") });
  const filler = join(disk, "filler");
  assert.throws(() => writeFileSync(filler, Buffer.alloc(8 * 1024 * 1024)), { code: "ENOSPC" });
  const toFile = ["migrate-store", "--to-file", "--data", data];
  assert.match(await refused(1, toFile, environmentOf(place)), /disk .*is full.*ake room/);
  assert.ok(existsSync(join(data, "database.json")));
  rmSync(filler);
  assert.equal((await accepted(toFile, environmentOf(place))).events, 61);
});
