/**
 * Backups beside a running server, and data folders from them: whole or absent, verified, and never newer than an
 * operator has accepted.
 */

import assert from "node:assert/strict";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { type TestContext, test } from "node:test";
import { ON_FILE } from "@svc/testkit/drivers";
import { command, killedAt, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { failpointsOfServer } from "../../../../tools/chaos/failpoints.ts";

const PASSPHRASE = "correct horse battery staple";
const KEY_FILES = ["signing-key.pem", "witness-key.pem", "pepper"];

async function run(...words: string[]) {
  const { code, out, err } = await command([...words, "--json"], { SVC_BACKUP_PASSPHRASE: PASSPHRASE });
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

async function refused(exitCode: number, ...words: string[]): Promise<string> {
  const { code, out, err } = await command(words);
  assert.deepEqual([code, out], [exitCode, ""], err);
  return err;
}

/** Returns a deployment with one event, a place for backups, and a copy of its keys. */
async function deployment(t: TestContext) {
  const home = temporaryFolder();
  const folder = join(home, "data");
  const made = await makeDeployment(folder);
  const keys = join(home, "keys");
  mkdirSync(keys);
  for (const name of KEY_FILES) copyFileSync(join(folder, name), join(keys, name));
  const start = async (data = folder) => {
    const child = await startChild(t, data);
    return { ...child, client: new Client(child.url, made.api_key ?? "") };
  };
  return { home, folder, made, keys, start };
}

test(
  "while the server appends: the copy is one moment, holds no key, and becomes a server again",
  ON_FILE,
  async (t) => {
    const { home, folder, made, keys, start } = await deployment(t);
    const { client, end } = await start();
    const { stream_id } = made;
    const texts: string[] = [];
    let isDone = false;
    const write = async (writer: number) => {
      for (let number = 0; !isDone; number++) {
        const { status, text } = await client.append(stream_id, loan(number), `${writer}-${number}`);
        assert.equal(status, 201, text);
        texts.push(text);
      }
    };
    const writers = [1, 2, 3, 4].map(write);
    const backup = join(home, "backups", "first");
    const said = await run("backup", "--to", backup, "--data", folder);
    await until("an event is recorded after it", async () => (said.events < texts.length ? true : null));
    isDone = true;
    await Promise.all(writers);
    assert.deepEqual(readdirSync(backup).sort(), ["manifest.json", "svc.db"]);
    assert.equal(statSync(backup).mode & 0o777, 0o700);
    for (const name of readdirSync(backup)) assert.equal(statSync(join(backup, name)).mode & 0o777, 0o600, name);
    for (const name of KEY_FILES) {
      const secret = readFileSync(join(folder, name));
      for (const file of readdirSync(backup)) assert.ok(!readFileSync(join(backup, file)).includes(secret), name);
    }
    const taken = await refused(1, "backup", "--to", backup, "--data", folder);
    const [, free = ""] = /is there already\. Name a folder that is not, such as (\S+)\.\n$/.exec(taken) ?? [];
    assert.deepEqual([dirname(free), existsSync(free)], [dirname(backup), false], taken);
    assert.match(basename(free), /^\d{4}-\d\d-\d\d$/);
    await client.witnessed(stream_id, texts.length);
    assert.equal(await end("SIGTERM"), 0);

    // The high-water mark of the folder that it replaces shows which events are missing.
    const known = join(home, "known");
    const progress = join(folder, "progress.json");
    const words = ["restore", "--from", backup, "--keys", keys, "--data", known, "--progress", progress];
    const { loss, events } = await run(...words);
    assert.equal(events, said.events);
    const last = texts.find((text) => JSON.parse(text).stream_event_id === loss.lost_event_id);
    assert.equal(JSON.parse(last ?? "{}").seq_no, texts.length);
    assert.match(await refused(1, "start", "--port", "0", "--data", known), /older than what.*accept-loss/);
    const accepted = await run("accept-loss", "--data", known);
    assert.equal(accepted.closed_streams, 1);
    const again = await start(known);
    assert.equal((await again.client.append(stream_id, loan(1), "new")).body.detail.code, "stream_closed");
    const kept = texts.map((text) => JSON.parse(text)).filter(({ seq_no }) => seq_no <= said.events);
    for (const { stream_event_id, event_hash } of kept) {
      const { body } = await again.client.get(`/v2/receipts/${stream_event_id}`);
      assert.equal(body.event_hash, event_hash);
    }
  },
);

test(
  "of a server that was stopped, with its progress: it goes on where it was, also after a rotation",
  ON_FILE,
  async (t) => {
    const { home, folder, made, start } = await deployment(t);
    const first = await start();
    await first.client.append(made.stream_id, loan(1), "one");
    await run("keys", "rotate-signing", "--data", folder);
    await first.client.append(made.stream_id, loan(2), "two");
    assert.equal(await first.end("SIGTERM"), 0);
    const backup = join(home, "moved");
    await run("backup", "--with-keys", "--to", backup, "--data", folder);
    const target = join(home, "target");
    const { loss } = await run(
      "restore",
      "--from",
      backup,
      "--data",
      target,
      "--progress",
      join(folder, "progress.json"),
    );
    assert.equal(loss, null);
    assert.equal(
      readFileSync(join(target, "signing-key.pem"), "utf8"),
      readFileSync(join(folder, "signing-key.pem"), "utf8"),
    );
    const second = await start(target);
    assert.equal((await second.client.append(made.stream_id, loan(3), "three")).body.seq_no, 3);
    await second.client.witnessed(made.stream_id, 3);
    const pack = await second.client.post("/v2/audit/packs", {
      stream_id: made.stream_id,
      from_seq_no: 1,
      to_seq_no: 3,
    });
    assertVerified(pack.text, made.public_key_hex, "bundle");
  },
);

test(
  "without progress nobody knows what is missing: no start before that is accepted; erased payloads are said to " +
    "be back",
  ON_FILE,
  async (t) => {
    const { home, folder, made, keys, start } = await deployment(t);
    const first = await start();
    await first.client.append(made.stream_id, loan(1), "one");
    assert.equal(await first.end("SIGTERM"), 0);
    const backup = join(home, "backup");
    const { created_at } = await run("backup", "--to", backup, "--data", folder);
    const target = join(home, "target");
    const { code, out, err } = await command(["restore", "--from", backup, "--keys", keys, "--data", target]);
    assert.equal(code, 0, err);
    assert.match(out, /erased after .* are back: erase them again/);
    const refusal = await refused(1, "start", "--port", "0", "--data", target);
    assert.ok(refusal.includes(created_at) && /accept-loss/.test(refusal), refusal);
    assert.deepEqual((await run("accept-loss", "--data", target)).restored_backup_of, created_at);
    const second = await start(target);
    assert.equal((await second.client.append(made.stream_id, loan(2), "two")).status, 409);
  },
);

test("a backup that is not as it was is not restored, and neither is one with other keys", ON_FILE, async (t) => {
  const { home, folder, made, keys, start } = await deployment(t);
  const first = await start();
  await first.client.append(made.stream_id, loan(1), "one");
  assert.equal(await first.end("SIGTERM"), 0);
  const whole = join(home, "whole");
  await run("backup", "--with-keys", "--to", whole, "--data", folder);
  const target = join(home, "target");
  const words = ["restore", "--data", target];
  const changed = (name: string, change: (path: string) => void) => {
    const path = join(home, name);
    mkdirSync(path);
    for (const file of readdirSync(whole)) copyFileSync(join(whole, file), join(path, file));
    change(path);
    return path;
  };
  const sealed = (path: string) => join(path, "keys.sealed");
  const cases: [string, (path: string) => void, RegExp, string[]][] = [
    [
      "byte",
      (path) => writeFileSync(join(path, "svc.db"), Buffer.alloc(4096, 1)),
      /svc\.db of this backup is damaged/,
      [],
    ],
    ["no-manifest", (path) => rmSync(join(path, "manifest.json")), /is no whole backup/, []],
    ["shape", (path) => writeFileSync(join(path, "manifest.json"), "{}"), /is not the manifest of a backup/, []],
    [
      "sealed",
      (path) => writeFileSync(sealed(path), `${readFileSync(sealed(path))} `),
      /keys\.sealed of this backup is damaged/,
      [],
    ],
    ["no-keys", () => undefined, /witness-key\.pem and pepper must be there/, ["--keys", temporaryFolder()]],
    ["progress", () => undefined, /progress\.json.* is not there/, ["--progress", join(home, "no", "progress.json")]],
  ];
  for (const [name, change, says, more] of cases) {
    const { code, err } = await command([...words, "--from", changed(name, change), ...more], {
      SVC_BACKUP_PASSPHRASE: PASSPHRASE,
    });
    assert.equal(code, 1, name);
    assert.match(err, says, name);
    assert.deepEqual(existsSync(target) ? readdirSync(target).filter((one) => one !== "server.lock") : [], [], name);
  }
  const wrong = await command([...words, "--from", whole], { SVC_BACKUP_PASSPHRASE: "another passphrase" });
  assert.match(wrong.err, /passphrase is not the one/);
  assert.match(await refused(1, ...words, "--from", whole), /Give their passphrase/);
  const stale = join(home, "stale.json");
  const progress = JSON.parse(readFileSync(join(folder, "progress.json"), "utf8"));
  writeFileSync(stale, JSON.stringify({ ...progress, received_at: "2026-01-01T00:00:00.000Z" }));
  assert.match(
    await refused(1, ...words, "--from", whole, "--keys", keys, "--progress", stale),
    /it is older, and does not/,
  );
  const other = join(home, "other");
  await makeDeployment(other);
  assert.match(await refused(1, ...words, "--from", whole, "--keys", other), /pepper in .* is not the one/);
  copyFileSync(join(other, "signing-key.pem"), join(keys, "signing-key.pem"));
  assert.match(
    await refused(1, ...words, "--from", whole, "--keys", keys),
    /seals with .* and signing-key\.pem in .* holds/,
  );
  assert.match(await refused(1, "restore", "--from", whole, "--data", folder), /is not empty/);
  assert.match(
    await refused(64, "backup", "--with-keys", "--to", join(home, "x"), "--data", folder),
    /needs a passphrase/,
  );
  const short = await command(["backup", "--with-keys", "--to", join(home, "x"), "--data", folder], {
    SVC_BACKUP_PASSPHRASE: "short",
  });
  assert.match(short.err, /at least 12 characters/);
});

test("a database that was changed before its backup is not restored: fsck names the row", ON_FILE, async (t) => {
  const { home, folder, made, keys, start } = await deployment(t);
  const first = await start();
  await first.client.append(made.stream_id, loan(1), "one");
  await first.client.witnessed(made.stream_id, 1);
  assert.equal(await first.end("SIGTERM"), 0);
  const database = new DatabaseSync(join(folder, "svc.db"));
  database.exec("UPDATE events SET source_ref = 'another'");
  database.close();
  const backup = join(home, "backup");
  await run("backup", "--to", backup, "--data", folder);
  const says = await refused(1, "restore", "--from", backup, "--keys", keys, "--data", join(home, "target"));
  assert.match(says, /events \{.*event_hash_mismatch/);
  assert.deepEqual(readdirSync(join(home, "target")), ["server.lock"]);
});

test(
  "kill -9 in each failpoint leaves no half backup under its name, and no half folder that starts",
  ON_FILE,
  async (t) => {
    const { home, folder, keys } = await deployment(t);
    const { created_at } = await run("backup", "--to", join(home, "whole"), "--data", folder);
    for (const failpoint of failpointsOfServer().filter((one) => one.startsWith("backup: "))) {
      const to = join(home, `at-${failpoint}`);
      await killedAt(failpoint, ["backup", "--with-keys", "--to", to, "--data", folder], {
        SVC_BACKUP_PASSPHRASE: PASSPHRASE,
      });
      assert.equal(existsSync(to), failpoint === "backup: named", failpoint);
      if (failpoint !== "backup: named") await run("backup", "--with-keys", "--to", to, "--data", folder);
      const made = readdirSync(to).filter((name) => failpoint !== "backup: named" || name !== "backup.lock");
      assert.deepEqual(made.sort(), ["keys.sealed", "manifest.json", "svc.db"], failpoint);
      assert.ok(!existsSync(`${to}.unfinished`), failpoint);
    }
    for (const failpoint of failpointsOfServer().filter((one) => one.startsWith("restore: "))) {
      const target = join(home, `to-${failpoint}`);
      const words = ["restore", "--from", join(home, "whole"), "--keys", keys, "--data", target];
      await killedAt(failpoint, words);
      const start = await command(["start", "--port", "0", "--data", target]);
      assert.equal(start.code, 1, failpoint);
      if (failpoint === "restore: named") {
        assert.ok(start.err.includes(created_at), start.err);
        continue;
      }
      assert.match(start.err, /is being restored into .*or that was cut off\. Run "restore" on it again/, failpoint);
      if (failpoint === "restore: begun")
        assert.match((await command(["init", "--origin", "demo.example", "--data", target])).err, /Run "restore"/);
      await run(...words);
      assert.ok(!existsSync(join(target, "svc.db.restoring")), failpoint);
    }
  },
);

test("backups to one name at the same time: one is made, and it is whole", ON_FILE, async (t) => {
  const { home, folder, keys } = await deployment(t);
  const to = join(home, "nightly");
  const answers = await Promise.all(Array.from({ length: 5 }, () => command(["backup", "--to", to, "--data", folder])));
  assert.deepEqual(answers.map(({ code }) => code).sort(), [0, 1, 1, 1, 1]);
  for (const { code, err } of answers) if (code === 1) assert.match(err, /is there already|just being made/);
  assert.deepEqual(readdirSync(to).sort(), ["manifest.json", "svc.db"]);
  const restores = ["restore", "--from", to, "--keys", keys, "--data", join(home, "target")];
  const restored = await Promise.all(Array.from({ length: 5 }, () => command(restores)));
  assert.deepEqual(restored.map(({ code }) => code).sort(), [0, 1, 1, 1, 1]);
  for (const { code, err } of restored) if (code === 1) assert.match(err, /is not empty|just making it/);
  assert.deepEqual(JSON.parse((await command(["fsck", "--json", "--data", join(home, "target")])).out).faults, []);
});

test("a backup in the data folder itself would be lost with it: refused, also by way of a link", ON_FILE, async (t) => {
  const { home, folder } = await deployment(t);
  symlinkSync(folder, join(home, "link"));
  for (const to of [join(folder, "backup"), join(folder, "exports", "backup"), join(home, "link", "backup")])
    assert.match(await refused(1, "backup", "--to", to, "--data", folder), /lies in the data folder.*another disk/);
  assert.ok(!existsSync(join(folder, "backup")) && !existsSync(join(folder, "exports")));
  symlinkSync("nowhere", join(home, "dangling"));
  assert.match(await refused(1, "backup", "--to", join(home, "dangling"), "--data", folder), /is there already/);
});

test(
  "the database of a backup that was put into a folder by hand is not started on, and nothing of it is given out twice",
  ON_FILE,
  async (t) => {
    const { home, folder, made, keys, start } = await deployment(t);
    const { client, end } = await start();
    await client.append(made.stream_id, loan(1), "one");
    const backup = join(home, "backup");
    await run("backup", "--to", backup, "--data", folder);
    await client.append(made.stream_id, loan(2), "two");
    assert.equal(await end("SIGTERM"), 0);
    copyFileSync(join(backup, "svc.db"), join(keys, "svc.db"));
    chmodSync(keys, 0o700);
    assert.match(
      await refused(1, "start", "--port", "0", "--data", keys),
      /svc\.db in .* was copied by hand.*"restore/,
    );
  },
);

test("each statement of the manifest is held against the database", ON_FILE, async (t) => {
  const { home, folder, keys } = await deployment(t);
  const backup = join(home, "backup");
  const { backup: _, ...manifest } = await run("backup", "--to", backup, "--data", folder);
  const last_event = { stream_event_id: "sev_00000000000000000000000000", received_at: "2020-01-01T00:00:00.000Z" };
  const changes = {
    origin: "b.example",
    signing_keys: [],
    schema_version: 1,
    streams: 7,
    events: 7,
    erasures: 7,
    last_event,
  };
  for (const [member, value] of Object.entries(changes)) {
    writeFileSync(join(backup, "manifest.json"), JSON.stringify({ ...manifest, [member]: value }));
    const says = await refused(1, "restore", "--from", backup, "--keys", keys, "--data", join(home, "target"));
    assert.ok(says.includes(`another ${member}`), says);
  }
});

test(
  "a backup is made of a database of an earlier release as it is, and no command but start brings it further",
  ON_FILE,
  async (t) => {
    const { home, folder, keys } = await deployment(t);
    const old = new DatabaseSync(join(folder, "svc.db"));
    // The changes of each migration after the eleventh are undone.
    old.exec(`DELETE FROM schema_migrations WHERE version > 11;
    ALTER TABLE streams DROP COLUMN last_sealed_at;
    DROP INDEX events_by_type; DROP INDEX streams_of_system; DROP INDEX streams_by_use_case; DROP INDEX streams_by_class;
    CREATE INDEX streams_of_tenant ON streams (tenant_id, stream_id);
    DROP INDEX exports_by_state; DROP INDEX exports_kept; DROP INDEX access_log_by_time; DROP INDEX access_log_by_action;
    ALTER TABLE exports DROP COLUMN challenge; ALTER TABLE exports DROP COLUMN proof_sha256;
    DROP INDEX policies_of_tenant; DROP INDEX witness_policies_of_tenant; DROP INDEX witness_policies_by_digest;
    ALTER TABLE outbox DROP COLUMN stream_id; DROP TABLE package_folder;
    ALTER TABLE witness_policies DROP COLUMN when_unmet; DROP TABLE log_forks; DROP TABLE unconfirmed_commits;
    DROP TABLE unlogged_checkpoints; DROP TABLE service_log_leaves; DROP TABLE epochs; DROP TABLE service_log;
    ALTER TABLE credentials DROP COLUMN pepper_mac; ALTER TABLE service DROP COLUMN earlier_pepper_mac;
    ALTER TABLE service DROP COLUMN pepper_rotated_at;
    DROP TABLE anchorings; DROP TABLE anchor_transactions; DROP TABLE mined_epochs; DROP TABLE anchoring_state;
    DROP TABLE voided_epochs; ALTER TABLE systems DROP COLUMN retired_at; DROP INDEX access_log_by_event;
    ALTER TABLE access_log DROP COLUMN administration_seq_no; ALTER TABLE access_log DROP COLUMN administration_stream_id;
    DROP TABLE archives; DROP TABLE archive_leavings; DROP TABLE archive_folder; CREATE TABLE witness_state (origin TEXT)`);
    const version = () => old.prepare("SELECT MAX(version) AS version FROM schema_migrations").get()?.version;
    t.after(() => old.close());
    const backup = join(home, "before-upgrade");
    assert.equal((await run("backup", "--to", backup, "--data", folder)).schema_version, 11);
    assert.match(await refused(1, "keys", "list", "--data", folder), /schema version 11.*backup.*start/);
    assert.equal(version(), 11);
    await run("restore", "--from", backup, "--keys", keys, "--data", join(home, "target"));
  },
);
