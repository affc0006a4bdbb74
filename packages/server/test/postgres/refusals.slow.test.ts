/**
 * Deployments whose database is on a server, as an operator gets them wrong: each time one line, before anything is
 * served, and the password in none.
 */

import assert from "node:assert/strict";
import { cpSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { freePort } from "@svc/testkit/free-port";
import { startPostgres } from "@svc/testkit/postgres";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

async function deployment(t: TestContext) {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const data = join(temporaryFolder(), "data");
  const environment = { SVC_DATABASE_URL: url };
  const made = await command(["init", "--origin", "demo.example/evidence", "--data", data, "--json"], environment);
  assert.equal(made.code, 0, made.err);
  return { server, url, data, environment, made: JSON.parse(made.out) };
}

test(
  "a folder and a database that do not belong together are refused in one line, without the password",
  ON_NAMED,
  async (t) => {
    const { server, url, data, environment } = await deployment(t);
    const inFile = join(temporaryFolder(), "data");
    const other = join(temporaryFolder(), "data");
    const elsewhere = { SVC_DATABASE_URL: await server.newDatabase() };
    const origin = ["--origin", "other.example/evidence"];
    assert.equal((await command(["init", ...origin, "--data", inFile])).code, 0);
    assert.equal((await command(["init", ...origin, "--data", other], elsewhere)).code, 0);
    const { password } = new URL(url);
    const refused = async (words: readonly string[], settings: Record<string, string>, says: RegExp, code = 1) => {
      const done = await command([...words, "--port", "0"].slice(0, words[0] === "start" ? undefined : -2), settings);
      assert.deepEqual([done.code, done.out], [code, ""], done.err);
      assert.match(done.err, says);
      assert.ok(!done.err.includes(password), done.err);
      assert.equal(done.err.trimEnd().split("\n").length, 1, done.err);
    };
    const start = (folder: string) => ["start", "--data", folder];
    await refused(start(data), {}, /on a PostgreSQL server\. Name it: SVC_DATABASE_URL=/);
    await refused(start(inFile), environment, /is the file svc\.db in it\. Unset it/);
    await refused(start(data), elsewhere, /that of another deployment, other\.example\/evidence/);
    await refused(
      start(join(temporaryFolder(), "new")),
      environment,
      /holds a deployment already, demo\.example\/evidence/,
    );
    await refused(
      ["init", ...origin, "--data", join(temporaryFolder(), "new")],
      environment,
      /holds a deployment already.*copy its data folder/,
    );
    const empty = await server.newDatabase();
    await refused(start(data), { SVC_DATABASE_URL: empty }, /holds no deployment/);
    await server.run("CREATE TABLE things (a TEXT)", new URL(empty).pathname.slice(1));
    await refused(
      ["init", ...origin, "--data", join(temporaryFolder(), "new")],
      { SVC_DATABASE_URL: empty },
      /is not empty: it has a table things/,
    );
    await refused(
      start(data),
      { SVC_DATABASE_URL: `mysql://a:${password}@b/c` },
      /no address of a PostgreSQL database/,
      64,
    );
    await refused(start(data), { ...environment, SVC_DATABASE_RISKS: "all" }, /names "all"; it must name some of/, 64);
    const nobody = new URL(url);
    nobody.port = `${await freePort()}`;
    await refused(
      start(data),
      { SVC_DATABASE_URL: nobody.href },
      /No server of SVC_DATABASE_URL can be written.*Start it/,
    );
    const stranger = new URL(url);
    stranger.password = "wrong";
    await refused(start(data), { SVC_DATABASE_URL: stranger.href }, /refuses the user postgres/);
    await server.run("ALTER SYSTEM SET synchronous_commit = 'local'; SELECT pg_reload_conf()".split(";")[0] ?? "");
    await server.run("SELECT pg_reload_conf()");
    await refused(
      start(data),
      environment,
      /synchronous_commit = local: it can lose.*SVC_DATABASE_RISKS=synchronous_commit/,
    );
    const named = await command(["doctor", "--data", data], {
      ...environment,
      SVC_DATABASE_RISKS: "synchronous_commit",
    });
    assert.match(named.out, /synchronous_commit is not on, as SVC_DATABASE_RISKS allows/);
    await server.run("ALTER SYSTEM RESET synchronous_commit");
    await server.run("SELECT pg_reload_conf()");
    await server.run("UPDATE schema_migrations SET version = 900 WHERE version = 1", new URL(url).pathname.slice(1));
    await refused(start(data), environment, /schema version 900, and this release knows/);
  },
);

test("a folder that says both, or lost what says where its database is, is refused", ON_NAMED, async (t) => {
  const { data, environment } = await deployment(t);
  const both = join(temporaryFolder(), "data");
  cpSync(data, both, { recursive: true });
  writeFileSync(join(both, "svc.db"), "");
  const start = (folder: string) => command(["start", "--data", folder, "--port", "0"], environment);
  assert.match((await start(both)).err, /says that its database is on a server, database\.json/);
  renameSync(join(both, "svc.db"), join(both, "other"));
  rmSync(join(both, "database.json"));
  assert.match((await start(both)).err, /holds only a part of a deployment; missing: svc\.db/);
});

test(
  "commands work beside a server, which never says its password, nor shows it to its children",
  ON_NAMED,
  async (t) => {
    const { data, environment, made, url } = await deployment(t);
    const child = await startChild(t, data, {
      ...environment,
      SVC_METRICS_TOKEN: "t".repeat(32),
    });
    const { password } = new URL(url);
    const shown = readFileSync(`/proc/${child.pid}/cmdline`, "utf8");
    assert.ok(!shown.includes(password));
    const created = await command(["keys", "create", "--data", data, "--json"], environment);
    assert.equal(created.code, 0, created.err);
    const client = new Client(child.url, JSON.parse(created.out).api_key);
    assert.equal((await client.append(made.stream_id, loan(1))).status, 201);
    await client.witnessed(made.stream_id, 1);
    const fsck = await command(["fsck", "--data", data], environment);
    assert.equal(fsck.code, 0, fsck.err);
    assert.match(fsck.out, /^Nothing is wrong\.\n/);
    const doctor = await command(["doctor", "--data", data], environment);
    assert.equal(doctor.code, 0, doctor.out);
    assert.match(
      doctor.out,
      /ok +database server +PostgreSQL 18\.\d+ at 127\.0\.0\.1:\d+, database svc_test_\w+; it waits for no standby/,
    );
    for (const words of [["tenants", "list"], ["keys", "list"], ["policies", "list"], ["audit-log"]])
      assert.equal((await command([...words, "--data", data], environment)).code, 0, words.join(" "));
    assert.equal(await child.end("SIGTERM"), 0);
  },
);
