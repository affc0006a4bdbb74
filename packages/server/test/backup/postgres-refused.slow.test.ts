/** Databases on PostgreSQL for which `restore` makes no folder: not the backup's, older than it, or not fit. */
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { command } from "@svc/testkit/server/child-process";
import { deployment, refused, run } from "./recovered-deployment.ts";

test(
  "a database that is not the backup's, or not fit, is refused in one line that says what to do",
  ON_NAMED,
  async (t) => {
    const { home, data, keys, server, environment, start } = await deployment(t);
    const { append, end } = await start();
    await append(1);
    const backup = join(home, "backup");
    const manifest = await run(environment, "backup", "--with-keys", "--to", backup, "--data", data);
    delete manifest.backup;
    const target = join(home, "target");
    const words = ["restore", "--from", backup, "--keys", keys, "--data", target];
    const leavesNothing = () =>
      assert.deepEqual(existsSync(target) ? readdirSync(target).filter((name) => name !== "server.lock") : [], []);

    assert.match(await refused(environment, ...words), /Another svc-server is connected .*Stop every svc-server on it/);
    leavesNothing();
    assert.equal(await end("SIGTERM"), 0);

    for (const [origin, says] of [
      ["other.example/evidence", /that of another deployment, other\.example.*this backup is of demo\.example/],
      ["demo.example/evidence", /another deployment of demo\.example.*none of the keys/],
    ] as const) {
      const other = await deployment(t, origin);
      assert.match(await refused(other.environment, ...words), says);
      assert.match(await refused(environment, ...words.slice(0, 4), other.keys, "--data", target), /seals with|pepper/);
      leavesNothing();
      await other.server.stop("immediate");
    }

    // A folder's kind and the backup's must be the same.
    assert.match(await refused({}, ...words), /holds no database.*name it: SVC_DATABASE_URL=/);
    const inFile = join(home, "in-file");
    const ofFile = join(home, "of-file");
    await run({}, "init", "--origin", "demo.example/evidence", "--data", inFile);
    await run({}, "backup", "--to", ofFile, "--data", inFile);
    assert.match(
      await refused(environment, "restore", "--from", ofFile, "--keys", inFile, "--data", target),
      /SVC_DATABASE_URL is set, and .* as a file, svc\.db\. Unset it/,
    );
    leavesNothing();

    // Each statement of the manifest is held against the database.
    const changed = async (change: object) => {
      writeFileSync(join(backup, "manifest.json"), JSON.stringify({ ...manifest, ...change }));
      const says = await refused(environment, ...words);
      leavesNothing();
      return says;
    };
    const { last_event } = manifest;
    const absent = { ...last_event, stream_event_id: "sev_00000000000000000000000000" };
    assert.match(await changed({ last_event: absent }), /older than this backup.*lacks event sev_0000/);
    assert.match(await changed({ last_event: { ...last_event, event_hash: "0".repeat(64) } }), /another history/);
    assert.match(await changed({ heads_sha256: "0".repeat(64) }), /another history.*its streams/);
    for (const member of ["events", "streams", "erasures"])
      assert.match(await changed({ [member]: 7 }), new RegExp(`older than this.*its ${member}: \\d, and 7 by then`));
    assert.match(await changed({ schema_version: manifest.schema_version + 1 }), /its schema version/);
    const [key] = manifest.signing_keys;
    assert.match(
      await changed({ signing_keys: [key, { ...key, kid: "ed25519-0000000000000000" }] }),
      /older.*lacks the key ed25519-0000000000000000/,
    );
    assert.match(await changed({ postgresql: {} }), /is not the manifest of a backup that this release can read/);
    writeFileSync(join(backup, "manifest.json"), JSON.stringify(manifest));

    // The database itself: in use by nobody, left by a move, of a newer release, changed, empty.
    const progress = join(home, "stale.json");
    writeFileSync(
      progress,
      JSON.stringify({
        ...JSON.parse(readFileSync(join(data, "progress.json"), "utf8")),
        received_at: "2026-01-01T00:00:00.000Z",
      }),
    );
    assert.match(
      await refused(environment, ...words, "--progress", progress),
      /it is older, and does not know.*newest/,
    );
    const onDatabase = (sql: string) => server.run(sql, "svc");
    await onDatabase("INSERT INTO schema_migrations VALUES (999, 'later', 'then')");
    assert.match(await refused(environment, ...words), /schema version 999.*Start the release that wrote it/);
    await onDatabase("DELETE FROM schema_migrations WHERE version = 999");
    await onDatabase("UPDATE events SET source_ref = 'another'");
    const { code, err } = await command(words, environment);
    assert.equal(code, 1);
    assert.match(
      err,
      /The evidence of the database is not as it was:\nevents \{.*event_hash_mismatch[\s\S]*\nBring another/,
    );
    leavesNothing();
    const moved = await server.newDatabase();
    assert.match(
      await refused({ SVC_DATABASE_URL: moved }, ...words),
      /holds no deployment\. Bring the base backup of/,
    );
    leavesNothing();
  },
);

test("a database that migrate-store has left is refused, and names the one that is served", ON_NAMED, async (t) => {
  const { home, data, keys, environment, start } = await deployment(t);
  const { append, end } = await start();
  await append(1);
  const backup = join(home, "backup");
  await run(environment, "backup", "--to", backup, "--data", data);
  assert.equal(await end("SIGTERM"), 0);
  await run(environment, "migrate-store", "--to-file", "--data", data);
  assert.match(
    await refused(environment, "restore", "--from", backup, "--keys", keys, "--data", join(home, "target")),
    /not served any more: migrate-store.* moved it to .*svc\.db/,
  );
});
