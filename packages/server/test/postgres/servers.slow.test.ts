/**
 * Several servers on one PostgreSQL database, as their clients see them: also while answers are lost, or a standby
 * takes over.
 */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { ON_NAMED } from "@svc/testkit/drivers";
import { startProxy } from "@svc/testkit/network";
import { startPostgres } from "@svc/testkit/postgres";
import { startPair } from "@svc/testkit/postgres-pair";
import type { Answer } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { assertWhole, deploymentOn, serverOf } from "./several-servers.ts";

const isCommit = (chunk: Buffer) => chunk.includes("COMMIT");

/** Sends a request until it is answered, as a client does that must not lose its event. */
function answered(send: () => Promise<Answer>): Promise<Answer> {
  return until("the event is recorded", async () => {
    const answer = await send().catch(() => null);
    return answer?.status === 201 ? answer : null;
  });
}

test(
  "two servers append to the same streams, share the sealing of them, and know each other's keys",
  ON_NAMED,
  async (t) => {
    const server = await startPostgres(t);
    const url = await server.newDatabase();
    const made = await deploymentOn(url);
    const [one, other] = [await serverOf(t, made, url), await serverOf(t, made, url)];
    const request = { system_id: made.system_id, use_case: "loans", policy_id: "default", metadata: {} };
    const streams: string[] = [];
    for (let number = 0; number < 24; number++)
      streams.push((await one.client.post("/v2/streams", request)).body.stream_id);
    const clients = [one.client, other.client];
    const answers = await Promise.all(
      streams.flatMap((stream) =>
        Array.from({ length: 10 }, (_, index) =>
          clients[index % 2]?.append(stream, loan(index >> 1), `${stream}-${index >> 1}`),
        ),
      ),
    );
    for (const [index, answer] of answers.entries()) assert.equal(answer?.status, 201, `${index}: ${answer?.text}`);
    for (const [index, stream] of streams.entries()) {
      const own = answers.slice(10 * index, 10 * index + 10);
      // Each request was sent to both servers: the second one got the first one's answer.
      assert.equal(new Set(own.map((answer) => answer?.text)).size, 5, stream);
    }
    for (const stream of streams) await assertWhole(other.client, made, stream, 5);
    let round = 0;
    const { rows } = await until("both hold shards of the sealer", async () => {
      // A server takes shards only while it finds something to seal: each records some of it, and looks after that.
      round += 1;
      const client = clients[round % 2] ?? one.client;
      const more = await Promise.all(
        streams.map((stream) => client.append(stream, loan(9), `${stream}-round-${round}`)),
      );
      for (const { status, text } of more) assert.equal(status, 201, text);
      const rows = await server.run(
        "SELECT lease_owner FROM jobs WHERE job_name LIKE 'sealer/%'",
        new URL(url).pathname.slice(1),
      );
      return new Set(rows.map(({ lease_owner }) => lease_owner)).size > 1 ? { rows } : null;
    });
    assert.equal(rows.length, 16);
  },
);

test(
  "an answer that the database gave and nobody got is looked up; each event is recorded once",
  ON_NAMED,
  async (t) => {
    const server = await startPostgres(t);
    const url = await server.newDatabase();
    const made = await deploymentOn(url);
    const proxy = await startProxy(t, server);
    const { client } = await serverOf(t, made, proxy.through(url));
    assert.equal((await client.append(made.stream_id, loan(0), "zero")).status, 201);
    let count = 1;
    for (const way of ["swallow", "lose", "swallow", "lose"] as const) {
      const isAppend = (chunk: Buffer) => isCommit(chunk);
      const lost = proxy[way](isAppend);
      const key = `${way}-${count}`;
      const answer = await answered(() => client.append(made.stream_id, loan(count), key));
      await lost;
      count += 1;
      assert.equal(answer.body.seq_no, count);
      assert.equal((await client.append(made.stream_id, loan(count - 1), key)).text, answer.text);
    }
    await assertWhole(client, made, made.stream_id, count);
  },
);

test(
  "while no server can be written nothing is recorded and all is read; after a promotion all that was answered " +
    "is there",
  ON_NAMED,
  async (t) => {
    const pair = await startPair(t, { settings: { synchronous_commit: "remote_apply" } });
    const url = await pair.newDatabase();
    const made = await deploymentOn(url);
    const { client } = await serverOf(t, made, url);
    const ready = async () => (await client.get("/ready")).status;
    for (let number = 0; number < 20; number++) await client.append(made.stream_id, loan(number), `key-${number}`);
    assert.equal(await ready(), 200);
    await pair.primary.stop("immediate");
    const refused = await client.append(made.stream_id, loan(20), "key-20");
    assert.deepEqual([refused.status, refused.body.detail.code], [503, "store_unavailable"], refused.text);
    await until("it says that it is not ready", async () => ((await ready()) === 503 ? true : null));
    const head = await until("the standby is read", async () => {
      const answer = await client.get(`/v2/streams/${made.stream_id}/head`).catch(() => null);
      return answer?.status === 200 ? answer.body : null;
    });
    assert.equal(head.seq_no, 20);
    await pair.promote();
    const answer = await answered(() => client.append(made.stream_id, loan(20), "key-20"));
    assert.equal(answer.body.seq_no, 21);
    assert.equal(await until("it is ready again", async () => ((await ready()) === 200 ? true : null)), true);
    await assertWhole(client, made, made.stream_id, 21);
  },
);

test("/ready fails without a right on a table of appends or of readers", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const administrator = new URL(await server.newDatabase());
  const database = administrator.pathname.slice(1);
  const run = (sql: string) => server.run(sql, database);
  await run(`CREATE ROLE svc LOGIN PASSWORD 'secret'; ALTER DATABASE ${database} OWNER TO svc`);
  const own = new URL(administrator);
  [own.username, own.password] = ["svc", "secret"];
  const made = await deploymentOn(own.href);
  const { client } = await serverOf(t, made, own.href);
  const ready = (status: number) =>
    until(`/ready is ${status}`, async () => ((await client.get("/ready")).status === status ? true : null));
  await ready(200);
  for (const right of ["INSERT ON events", "UPDATE ON streams", "INSERT ON idempotency_records", "SELECT ON windows"]) {
    await run(`REVOKE ${right} FROM svc`);
    assert.ok(await ready(503), right);
    await run(`GRANT ${right} TO svc`);
    assert.ok(await ready(200), right);
  }
  assert.equal((await client.append(made.stream_id, loan(1))).status, 201);
});

test("a database that has lost an event under a running server is not written any more", ON_NAMED, async (t) => {
  const server = await startPostgres(t);
  const url = await server.newDatabase();
  const made = await deploymentOn(url);
  const { client } = await serverOf(t, made, url);
  const database = new URL(url).pathname.slice(1);
  const { body: last } = await client.append(made.stream_id, loan(1), "one");
  // Another server would hold the rows of an old backup here.
  await server.stop("fast");
  await server.start();
  await server.run(
    `DELETE FROM events WHERE stream_event_id = '${last.stream_event_id}';
     UPDATE streams SET head_seq_no = 0, head_event_hash = '${"0".repeat(64)}' WHERE stream_id = '${made.stream_id}'`,
    database,
  );
  const refusal = await until("it refuses", async () => {
    const answer = await client.append(made.stream_id, loan(2), "two");
    return answer.status === 503 ? answer : null;
  });
  assert.equal(refusal.body.detail.code, "store_unavailable");
  const [row] = await server.run(
    `SELECT COUNT(*)::int AS n FROM events WHERE stream_id = '${made.stream_id}'`,
    database,
  );
  assert.equal(row?.n, 0);
});

test(
  "servers that do not share the folder of the packages are refused, unless a file in the other folder allows it",
  ON_NAMED,
  async (t) => {
    const server = await startPostgres(t);
    const url = await server.newDatabase();
    const made = await deploymentOn(url);
    await serverOf(t, made, url);
    const other = join(temporaryFolder(), "exports");
    const refusal = await serverOf(t, made, url, { SVC_EXPORTS: other }).catch((error: Error) => error.message);
    const [, id, file] = /SVC_EXPORTS.*write (\S+) into (.+): its packages/.exec(String(refusal)) ?? [];
    assert.ok(id !== undefined && file !== undefined, String(refusal));
    writeFileSync(file, id);
    await serverOf(t, made, url, { SVC_EXPORTS: other });
  },
);
