/**
 * Backups of a deployment on PostgreSQL: beside a running server, bound to a base backup and an archived log that are
 * PostgreSQL's own, and a folder for the database that they bring back.
 */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { NO_PGBOUNCER, startPgBouncer } from "@svc/testkit/pgbouncer";
import { archived, baseBackup, restoreBase } from "@svc/testkit/postgres-backup";
import { command, killedAt, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { failpointsOfServer } from "../../../../tools/chaos/failpoints.ts";
import { assertWhole } from "../postgres/several-servers.ts";
import { assertHas, deployment, environmentOn, type Receipt, refused, run } from "./recovered-deployment.ts";

test(
  "beside a running server: with a base backup that ended after it, every receipt from before is there",
  ON_NAMED,
  async (t) => {
    const { home, data, keys, server, made, environment, start } = await deployment(t);
    const { client, end } = await start();
    const receipts: Receipt[] = [];
    let isDone = false;
    const write = async (writer: number) => {
      for (let number = 0; !isDone; number++) {
        const { status, text, body } = await client.append(made.stream_id, loan(number), `${writer}-${number}`);
        assert.equal(status, 201, text);
        receipts.push(body);
      }
    };
    const writers = [1, 2, 3].map(write);
    const isMore = (count: number) => async () => (receipts.length > count ? true : null);
    await until("events are recorded", isMore(10));
    const before = [...receipts];
    const backup = join(home, "backups", "first");
    const said = await run(environment, "backup", "--to", backup, "--data", data);
    await until("an event is recorded after the backup", isMore(said.events));
    const base = await baseBackup(t, server);
    await until("an event is recorded after the base backup", isMore(receipts.length + 3));
    isDone = true;
    await Promise.all(writers);
    assert.equal(await end("SIGTERM"), 0);
    await server.stop("immediate");

    assert.deepEqual(readdirSync(backup), ["manifest.json"]);
    assert.equal(statSync(join(backup, "manifest.json")).mode & 0o777, 0o600);
    assert.ok(said.events >= before.length && said.events < receipts.length);
    const { system_identifier, timeline, wal_position, wal_file, version, database } = said.postgresql;
    assert.deepEqual([timeline, database], [1, "svc"]);
    assert.match(version, /^18/);
    assert.match(system_identifier, /^\d+$/);
    assert.match(wal_position, /^[0-9A-F]+\/[0-9A-F]+$/);
    assert.match(wal_file, /^00000001[0-9A-F]{16}$/);

    const recovered = await restoreBase(t, base, { of: server });
    const target = join(home, "target");
    const progress = join(data, "progress.json");
    const words = ["restore", "--from", backup, "--keys", keys, "--data", target, "--progress", progress];
    const { loss, events } = await run(environmentOn(recovered), ...words);
    assert.ok(events >= said.events && events < receipts.length, `${said.events} ${events} ${receipts.length}`);
    assert.equal(receipts.find((one) => one.stream_event_id === loss.lost_event_id)?.seq_no, receipts.length);
    const there = environmentOn(recovered);
    assert.match(await refused(there, "start", "--port", "0", "--data", target), /older than what.*accept-loss/);
    assert.equal((await run(there, "accept-loss", "--data", target)).closed_streams, 1);
    const again = await start({ data: target, server: recovered });
    await assertHas(again.client, [...before, ...receipts.filter(({ seq_no }) => seq_no <= events)]);
    assert.equal((await again.client.append(made.stream_id, loan(1), "new")).body.detail.code, "stream_closed");
  },
);

test(
  "of all that was recorded, with sealed keys and its progress: a server goes on where it was",
  ON_NAMED,
  async (t) => {
    const { home, data, server, made, environment, start } = await deployment(t);
    const first = await start();
    const receipts = await first.append(1);
    const backup = join(home, "backup");
    const made1 = await command(["backup", "--with-keys", "--to", backup, "--data", data], environment);
    assert.equal(made1.code, 0, made1.err);
    assert.match(made1.out, /describes 1 events in 1 streams/);
    assert.match(made1.out, /svc on PostgreSQL 18\S*, system \d+, timeline 1, log at \S+ in 00000001/);
    assert.match(made1.out, /Now take a base backup .*pg_basebackup.*\nor .*archived log, at least up to [0-9A-F]+\//);
    receipts.push(...(await first.append(2)));
    assert.equal(await first.end("SIGTERM"), 0);
    const recovered = await restoreBase(t, await baseBackup(t, server), { of: server });
    await server.stop("immediate");
    const target = join(home, "target");
    const there = environmentOn(recovered);
    const progress = join(data, "progress.json");
    const restored = await command(["restore", "--from", backup, "--data", target, "--progress", progress], there);
    assert.equal(restored.code, 0, restored.err);
    assert.match(restored.out, /opens the database: 2 events in 1 streams.*fsck found nothing wrong/);
    assert.match(restored.out, /Nothing is missing\. Next: .*start --data/);
    assert.deepEqual(readdirSync(target).sort(), [
      "database.json",
      "pepper",
      "progress.json",
      "server.lock",
      "signing-key.pem",
      "witness-key.pem",
    ]);
    for (const name of readdirSync(target)) assert.equal(statSync(join(target, name)).mode & 0o777, 0o600, name);
    assert.equal(readFileSync(join(target, "database.json"), "utf8"), '{"database":"postgresql"}\n');
    const second = await start({ data: target, server: recovered });
    assert.equal((await second.append(3))[0]?.seq_no, 3);
    await assertHas(second.client, receipts);
    await assertWhole(second.client, made, made.stream_id, 3);
    assert.deepEqual((await run(there, "fsck", "--data", target)).faults, []);
  },
);

test(
  "keys that are newer than the recovered database: it is sealed by the new one from then on",
  ON_NAMED,
  async (t) => {
    const { home, data, server, made, environment, start } = await deployment(t);
    const first = await start();
    const receipts = await first.append(1);
    const backup = join(home, "backup");
    await run(environment, "backup", "--to", backup, "--data", data);
    const base = await baseBackup(t, server);
    const { kid } = await run(environment, "keys", "rotate-signing", "--data", data);
    await first.append(2);
    assert.equal(await first.end("SIGTERM"), 0);
    await server.stop("immediate");
    const there = environmentOn(await restoreBase(t, base, { of: server }));
    const target = join(home, "target");
    const words = ["restore", "--from", backup, "--keys", data, "--data", target];
    const { loss } = await run(there, ...words, "--progress", join(data, "progress.json"));
    assert.match(loss.lost_event_id, /^sev_/);
    await run(there, "accept-loss", "--data", target);
    const child = await startChild(t, target, { ...there, SVC_EXPORTS: join(data, "exports") });
    const client = new Client(child.url, made.api_key);
    await assertHas(client, receipts);
    assert.deepEqual((await client.get("/v2/keys")).body.keys[0].kid, kid);
    assert.deepEqual((await run(there, "fsck", "--data", target)).faults, []);
  },
);

test(
  "an older base backup lacks the last event and is refused; with the archived log it has it, and what came after",
  ON_NAMED,
  async (t) => {
    const { home, data, keys, server, archive, environment, start } = await deployment(t);
    const base = await baseBackup(t, server);
    const { append, end } = await start();
    await append(1, 2);
    const backup = join(home, "backup");
    const { created_at, postgresql, last_event } = await run(environment, "backup", "--to", backup, "--data", data);
    const later = await append(3);
    assert.equal(await end("SIGTERM"), 0);
    await archived(server, archive);

    const words = ["restore", "--from", backup, "--keys", keys, "--data", join(home, "target")];
    const old = await restoreBase(t, base, { of: server });
    const says = await refused(environmentOn(old), ...words);
    for (const part of [created_at, `lacks event ${last_event.stream_event_id}`, postgresql.wal_position])
      assert.ok(says.includes(part), says);
    assert.match(says, /is older than this backup.*Bring a base backup back that ended after it, or recover the arch/);
    assert.deepEqual(readdirSync(join(home, "target")), ["server.lock"]);
    await old.stop("immediate");

    const recovered = await restoreBase(t, base, { of: server, archive });
    const there = environmentOn(recovered);
    const restored = await run(there, ...words);
    assert.equal(restored.events, 3);
    // Without progress nobody knows whether more was recorded.
    assert.ok(restored.loss.restored_backup_of >= created_at);
    assert.match(await refused(there, "start", "--port", "0", "--data", join(home, "target")), /nobody can tell/);
    const known = [...words.slice(0, -1), join(home, "known"), "--progress", join(data, "progress.json")];
    assert.equal((await run(there, ...known)).loss, null);
    const again = await start({ data: join(home, "known"), server: recovered });
    await assertHas(again.client, later);
    assert.equal((await again.append(4))[0]?.seq_no, 4);
  },
);

test(
  "kill -9 in each failpoint leaves no half backup under its name, and no half folder that starts",
  ON_NAMED,
  async (t) => {
    const { home, data, keys, environment } = await deployment(t);
    await run(environment, "backup", "--to", join(home, "whole"), "--data", data);
    for (const failpoint of failpointsOfServer().filter((one) => one.startsWith("backup: "))) {
      const to = join(home, `at-${failpoint}`);
      const words = ["backup", "--with-keys", "--to", to, "--data", data];
      await killedAt(failpoint, words, environment);
      assert.equal(existsSync(to), failpoint === "backup: named", failpoint);
      if (failpoint !== "backup: named") await run(environment, ...words);
      const made = readdirSync(to).filter((name) => failpoint !== "backup: named" || name !== "backup.lock");
      assert.deepEqual(made.sort(), ["keys.sealed", "manifest.json"], failpoint);
    }
    for (const failpoint of failpointsOfServer().filter((one) => one.startsWith("restore: "))) {
      const target = join(home, `to-${failpoint}`);
      const words = ["restore", "--from", join(home, "whole"), "--keys", keys, "--data", target];
      await killedAt(failpoint, words, environment);
      const says = await refused(environment, "start", "--port", "0", "--data", target);
      if (failpoint === "restore: named") {
        assert.match(says, /put back from a backup/);
        continue;
      }
      assert.match(says, /is being restored into .*or that was cut off\. Run "restore" on it again/, failpoint);
      await run(environment, ...words);
      assert.ok(!existsSync(join(target, "svc.db.restoring")), failpoint);
    }
  },
);

test(
  "answers that the server refuses an ordinary user are null in the manifest, and all else is there",
  ON_NAMED,
  async (t) => {
    const { home, data, server, environment } = await deployment(t);
    for (const refusedOne of ["pg_control_system()", "pg_current_wal_insert_lsn()"])
      await server.run(`REVOKE EXECUTE ON FUNCTION ${refusedOne} FROM PUBLIC`, "svc");
    const backup = join(home, "backup");
    const { code, out, err } = await command(["backup", "--to", backup, "--data", data], environment);
    assert.equal(code, 0, err);
    assert.match(out, /database {5}svc on PostgreSQL 18\S*\n/);
    assert.match(out, /at least up to this moment/);
    const { postgresql, origin, last_event } = JSON.parse(readFileSync(join(backup, "manifest.json"), "utf8"));
    const { database, version, ...others } = postgresql;
    assert.deepEqual([database, origin, last_event], ["svc", "demo.example/evidence", null]);
    assert.match(version, /^18/);
    assert.deepEqual(others, { system_identifier: null, timeline: null, wal_position: null, wal_file: null });
  },
);

test("through PgBouncer in transaction mode", { skip: NO_PGBOUNCER }, async (t) => {
  const { home, data, server, start, keys, environment } = await deployment(t);
  const { append, end } = await start();
  await append(1);
  const pooler = await startPgBouncer(t, server, { settings: { default_pool_size: "2" } });
  const through = { SVC_DATABASE_URL: pooler.through(server.url("svc")) };
  const backup = join(home, "backup");
  const { events, postgresql } = await run(through, "backup", "--to", backup, "--data", data);
  assert.deepEqual([events, postgresql.timeline], [1, 1]);
  assert.equal(await end("SIGTERM"), 0);
  await pooler.stop();
  await run(environment, "restore", "--from", backup, "--keys", keys, "--data", join(home, "target"));
});
