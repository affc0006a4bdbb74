/** Servers behind a real PgBouncer in transaction mode: all that they do, two on one database, and a setting lost. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { NO_PGBOUNCER, startPgBouncer } from "@svc/testkit/pgbouncer";
import { sharedPostgres } from "@svc/testkit/postgres";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { assertWhole, deploymentOn, serverOf } from "./several-servers.ts";

const options = { skip: NO_PGBOUNCER, timeout: 120_000 };

/** Starts PgBouncer in front of a new database, with fewer processes behind it than a server has connections. */
async function pooled(t: TestContext) {
  const server = await sharedPostgres();
  const pooler = await startPgBouncer(t, server, { settings: { default_pool_size: "3" } });
  const url = pooler.through(await server.newDatabase({ until: t }));
  const name = new URL(url).pathname.slice(1);
  const endProcesses = () =>
    server.run(`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '${name}'`);
  return { server, url, name, endProcesses };
}

test("a server behind the pooler is made, records, seals, exports and is checked", options, async (t) => {
  const { url } = await pooled(t);
  const environment = { SVC_DATABASE_URL: url };
  const data = join(temporaryFolder(), "data");
  const run = async (...words: string[]) => {
    const { code, out, err } = await command([...words, "--data", data], environment);
    assert.equal(code, 0, `${words.join(" ")}: ${out}${err}`);
    return out.trim();
  };
  const made = JSON.parse(await run("init", "--origin", "demo.example/evidence", "--json"));
  const child = await startChild(t, data, environment);
  const client = new Client(child.url, made.api_key);
  const { stream_id } = made;
  const answers = await Promise.all(
    Array.from({ length: 40 }, (_, index) => client.append(stream_id, loan(index), `key-${index}`)),
  );
  for (const answer of answers) assert.equal(answer.status, 201, answer.text);
  const again = await client.append(stream_id, loan(7), "key-7");
  assert.equal(again.text, answers[7]?.text);
  await assertWhole(client, made, stream_id, 40);
  const { export_id } = (await client.post("/v1/exports", { streams: [stream_id] })).body;
  const ready = await until("the export is ready", async () => {
    const { body } = await client.get(`/v1/exports/${export_id}`);
    return body.state === "ready" ? body : null;
  });
  assert.equal(ready.events, 40);
  await run("keys", "create");
  assert.match(await run("fsck"), /^Nothing is wrong\./);
  assert.match(await run("doctor"), /ok +database server +PostgreSQL 18/);
  assert.equal(await child.end("SIGTERM"), 0);
});

test("two servers behind the pooler append to the same streams", options, async (t) => {
  const { url, endProcesses } = await pooled(t);
  const made = await deploymentOn(url);
  const [one, other] = [await serverOf(t, made, url), await serverOf(t, made, url)];
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const streams: string[] = [];
  for (let number = 0; number < 8; number++)
    streams.push((await one.client.post("/v2/streams", request)).body.stream_id);
  const clients = [one.client, other.client];
  let total = 0;
  /** Sends it until it is recorded, to one server and the other. */
  const recorded = (stream: string, index: number) => {
    let turn = index;
    return until("the event is recorded", async () => {
      const client = clients[turn++ % 2] ?? one.client;
      const answer = await client.append(stream, loan(index), `${stream}-${index}`);
      assert.ok([201, 503].includes(answer.status), answer.text);
      if (answer.status !== 201) return null;
      total += 1;
      return answer.body;
    });
  };
  const appends = Promise.all(
    streams.map(async (stream) => {
      const numbers: number[] = [];
      for (let index = 0; index < 20; index++) numbers.push((await recorded(stream, index)).seq_no);
      assert.deepEqual(
        numbers,
        numbers.map((_, index) => index + 1),
      );
    }),
  );
  let isOver = false;
  const ending = (async () => {
    while (!isOver) {
      const before = total;
      await endProcesses();
      // Connections that end faster than anything is written would leave no time for that.
      await until("an event is recorded, or all are", async () => (isOver || total > before ? true : null));
    }
  })();
  await appends.finally(() => (isOver = true));
  await ending;
  for (const stream of streams) await assertWhole(other.client, made, stream, 20);
});

test(
  "processes with synchronous_commit off behind the pooler are refused, at the start and later",
  options,
  async (t) => {
    const { server, url, name, endProcesses } = await pooled(t);
    const made = await deploymentOn(url);
    const { client } = await serverOf(t, made, url);
    assert.equal((await client.append(made.stream_id, loan(0))).status, 201);
    await server.run(`ALTER DATABASE ${name} SET synchronous_commit = off`);
    await endProcesses();
    const refused = await until("a new process is refused", async () => {
      const answer = await client.append(made.stream_id, loan(1), "one");
      return answer.status === 503 ? answer : null;
    });
    assert.equal(refused.body.detail.code, "store_unavailable");
    const head = await until("it is read", async () => {
      const answer = await client.get(`/v2/streams/${made.stream_id}/head`);
      return answer.status === 200 ? answer.body : null;
    });
    assert.equal(head.seq_no, 1);
    await assert.rejects(serverOf(t, made, url), /synchronous_commit = off: it can lose/);
    await server.run(`ALTER DATABASE ${name} RESET synchronous_commit`);
    await endProcesses();
    await until("it records again", async () =>
      (await client.append(made.stream_id, loan(1), "one")).status === 201 ? true : null,
    );
    await assertWhole(client, made, made.stream_id, 2);
  },
);
