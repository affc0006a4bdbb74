/** PostgreSQL for tests is a real one: it takes new databases, keeps what it committed, and never outlives its test. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { administered, NO_POSTGRES, sharedPostgres, startPostgres } from "../src/postgres.ts";
import { temporaryFolder } from "../src/temporary-folder.ts";
import { until } from "../src/until.ts";

const options = { skip: NO_POSTGRES, timeout: 20_000 };

test("a database is new, and in the encoding and locale that the product asks for", options, async (t) => {
  const server = await sharedPostgres();
  const [one, other] = await Promise.all([server.newDatabase({ until: t }), server.newDatabase({ until: t })]);
  assert.notEqual(one, other);
  const name = new URL(one).pathname.slice(1);
  await server.run("CREATE TABLE t (n int); INSERT INTO t VALUES (7)", name);
  assert.deepEqual(await server.run("SELECT n FROM t", name), [{ n: 7 }]);
  assert.deepEqual(
    await server.run(
      "SELECT pg_encoding_to_char(encoding) AS encoding, datcollate, datctype FROM pg_database WHERE datname = " +
        "current_database()",
      name,
    ),
    [{ encoding: "UTF8", datcollate: "C.UTF-8", datctype: "C.UTF-8" }],
  );
  await assert.rejects(server.run("SELECT n FROM t", new URL(other).pathname.slice(1)), { code: "42P01" });
});

test(
  "a database may have another encoding, and is dropped after its test, once another is made",
  options,
  async (t) => {
    const server = await sharedPostgres();
    let name = "";
    await t.test("its test", async (inner) => {
      const url = await server.newDatabase({ encoding: "SQL_ASCII", locale: "C", until: inner });
      name = new URL(url).pathname.slice(1);
      assert.deepEqual(await server.run("SHOW server_encoding", name), [{ server_encoding: "SQL_ASCII" }]);
    });
    assert.deepEqual(await server.run("SELECT 1 AS one", name), [{ one: 1 }]);
    await server.newDatabase({ until: t });
    await assert.rejects(server.run("SELECT 1", name), { code: "3D000" });
  },
);

test("a server ends after those who were added later", options, async (t) => {
  const order: string[] = [];
  await t.test("its test", async (inner) => {
    const server = await startPostgres(inner);
    inner.after(async () => void order.push(`${(await server.run("SELECT 'still here' AS says"))[0]?.says}`));
  });
  assert.deepEqual(order, ["still here"]);
});

test("a wrong password is refused", options, async () => {
  const url = new URL((await sharedPostgres()).url());
  url.password = "wrong";
  await assert.rejects(administered(url.href).run("SELECT 1"), { code: "28P01" });
});

test("committed rows survive an immediate stop, on the same port", options, async (t) => {
  const server = await startPostgres(t, { settings: { application_name: "it's mine" } });
  const { pid } = server;
  await server.run("CREATE TABLE t (n int); INSERT INTO t VALUES (1)");
  await server.stop("immediate");
  assert.throws(() => server.pid, /stopped/);
  await assert.rejects(server.run("SELECT 1"), { code: "ECONNREFUSED" });
  await server.start();
  assert.notEqual(server.pid, pid);
  assert.deepEqual(await server.run("SELECT n FROM t"), [{ n: 1 }]);
  await server.stop("fast");
  await server.start();
  assert.deepEqual(await server.run("SELECT n FROM t"), [{ n: 1 }]);
  assert.deepEqual(await server.run("SHOW fsync"), [{ fsync: "on" }]);
});

test("a server that cannot start says why", options, async (t) => {
  await assert.rejects(startPostgres(t, { settings: { shared_buffers: "nonsense" } }), /invalid value for parameter/);
});

const HELD = `
  import { sharedPostgres, startPostgres } from ${JSON.stringify(new URL("../src/postgres.ts", import.meta.url).href)};
  const server = await (process.argv[1] === "own" ? startPostgres({ after() {} }) : sharedPostgres());
  const [{ folder, pid }] = await server.run(
    "SELECT current_setting('data_directory') AS folder, split_part(pg_read_file('postmaster.pid'), chr(10), 1)::int AS pid",
  );
  console.log(JSON.stringify({ pid, dataFolder: folder }));
  if (process.argv[1] === "own") setInterval(() => undefined, 1000);
`;

/** Starts a process with a server, and resolves when the server runs. */
async function held(t: TestContext, kind: "own" | "shared") {
  // A process that is killed deletes no folder.
  const TMPDIR = temporaryFolder();
  chmodSync(TMPDIR, 0o755);
  const child = spawn(process.execPath, ["--input-type=module", "-e", HELD, kind], {
    cwd: new URL("../../..", import.meta.url),
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, TMPDIR, SVC_TEST_POSTGRES: undefined },
  });
  t.after(() => child.kill("SIGKILL"));
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), once(child, "exit")]);
  return { child, ...(JSON.parse(`${line}`) as { pid: number; dataFolder: string }) };
}

/** A process that is dead, and that nobody has asked for its exit code, has no command line. */
const isGone = (pid: number) => {
  const path = `/proc/${pid}/cmdline`;
  return !existsSync(path) || readFileSync(path, "utf8") === "";
};

for (const [what, kind] of [
  ["a process that is killed leaves no server behind", "own"],
  ["a process with the shared server ends, and leaves none behind", "shared"],
] as const)
  test(what, options, async (t) => {
    const { child, pid, dataFolder } = await held(t, kind);
    assert.ok(existsSync(dataFolder));
    if (kind === "own") child.kill("SIGKILL");
    if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
    await until("the server is gone", async () => (isGone(pid) && !existsSync(dataFolder) ? true : null));
  });
