/** Rows changed behind the server's back, in its database: a row that does not fit is not sealed and not cosigned. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { dispatchDue, Lease } from "@svc/host/jobs";
import { changeDocuments, countRows, readSql, runSql } from "@svc/testkit/server/changed-rows";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { kernel } from "../../src/kernel.ts";
import { closeDueWindows } from "../../src/sealing/close-windows.ts";
import { COSIGN, makeDueCheckpoints } from "../../src/sealing/make-checkpoints.ts";
import { ManagedWitness } from "../../src/sealing/managed-witness.ts";
import { witnessKeys } from "../../src/signing/witness-keys.ts";
import { changeMemory } from "../witness-memory/change-memory.ts";

const FORGED = "ab".repeat(32);
/** As many events as close a window at once. */
const WINDOW = 256;
const loans = (count: number) => Array.from({ length: count }, (_, index) => loan(index + 1));

/** Resolves to a deployment whose sealing steps the test takes one by one, and whose rows it changes. */
async function start(t: TestContext) {
  const here = await startServer(t);
  const { client, made, server } = here;
  const { context, jobs } = server.service;
  await Promise.all(jobs.map((job) => job.stop()));
  const witness = new ManagedWitness(context, witnessKeys(kernel, made.data_folder));
  const lease = new Lease(context, "test");
  assert.equal(await lease.acquire(), true);

  /** Takes a step, and resolves to its errors. */
  const errorsOf = async (step: (round: { lease: Lease; stop: AbortSignal; onError(e: unknown): void }) => unknown) => {
    const errors: string[] = [];
    await step({
      lease,
      stop: new AbortController().signal,
      onError: (error) => errors.push((error as Error).message),
    });
    return errors;
  };
  return {
    made,
    client,
    run: (sql: string, ...parameters: string[]) => runSql(here, sql, ...parameters),
    runInMemory: (sql: string) => changeMemory(made.data_folder, sql),
    rows: <Row>(sql: string) => readSql<Row>(here, sql),
    changeDocuments: (table: string, members: object, where?: string) =>
      changeDocuments(here, table, () => members, where),
    count: (table: string) => countRows(here, table),
    windows: () => errorsOf((round) => closeDueWindows(context, round)),
    checkpoints: () => errorsOf((round) => makeDueCheckpoints(context, round)),
    cosign: async () => {
      // All postponed messages are tried now.
      await runSql(here, "UPDATE outbox SET next_attempt_at = created_at");
      return errorsOf(({ onError, stop }) =>
        dispatchDue(context, COSIGN, lease, stop, {
          prepare: (messages) => witness.cosign(messages),
          run: (writer, message, statement) => witness.store(writer, message, statement),
          onError,
        }),
      );
    },
  };
}

type Deployment = Awaited<ReturnType<typeof start>>;

/** Asserts one error of this form, and nothing new in the table. */
async function refuses({ count }: Deployment, step: () => Promise<string[]>, table: string, form: RegExp) {
  const before = await count(table);
  const errors = await step();
  assert.deepEqual([errors.length, await count(table)], [1, before], errors.join("; "));
  assert.match(errors[0] ?? "", form);
}

const changedEvents: readonly (readonly [string, string, RegExp])[] = [
  ["the hash of one in the middle", `UPDATE events SET event_hash = '${FORGED}' WHERE seq_no = 100`, /event 101 /],
  ["the link of one", `UPDATE events SET previous_event_hash = '${FORGED}' WHERE seq_no = 7`, /event 7 /],
  ["the link of the first", `UPDATE events SET previous_event_hash = '${FORGED}' WHERE seq_no = 1`, /event 1 /],
  [
    "the hash of the last",
    `UPDATE events SET event_hash = '${FORGED}' WHERE seq_no = 256`,
    /event 256 is not the head/,
  ],
  ["one taken away", "DELETE FROM events WHERE seq_no = 9", /event 9 .* missing/],
  ["the last taken away", "DELETE FROM events WHERE seq_no = 256", /event 256 .* missing/],
  ["all taken away", "DELETE FROM events", /event 1 .* missing/],
];
for (const [what, sql, form] of changedEvents) {
  test(`events, ${what}: no window`, async (t) => {
    const here = await start(t);
    await here.client.appendBatch(here.made.stream_id, loans(WINDOW));
    await here.run(sql);
    await refuses(here, here.windows, "windows", form);
  });
}

test("a changed event or window at the end of the last window: no next window", async (t) => {
  const here = await start(t);
  await here.client.appendBatch(here.made.stream_id, loans(WINDOW));
  assert.deepEqual(await here.windows(), []);
  await here.client.appendBatch(here.made.stream_id, loans(WINDOW));
  await here.run(`UPDATE events SET event_hash = '${FORGED}' WHERE seq_no = 256`);
  await refuses(here, here.windows, "windows", /event 257 .* does not follow/);
  await here.run(`UPDATE events SET previous_event_hash = '${FORGED}' WHERE seq_no = 257`);
  await refuses(here, here.windows, "windows", /window 1 .* does not end at its event 256/);
  await here.run("DELETE FROM events WHERE seq_no = 256");
  await refuses(here, here.windows, "windows", /event 256 .* missing/);
});

test("a head that is not the last event: nothing is appended", async (t) => {
  for (const sql of [
    `UPDATE streams SET head_event_hash = '${FORGED}'`,
    `UPDATE events SET event_hash = '${FORGED}' WHERE seq_no = 2`,
    "DELETE FROM events WHERE seq_no = 2",
    "UPDATE streams SET head_seq_no = 3",
  ]) {
    const here = await start(t);
    await here.client.appendBatch(here.made.stream_id, loans(2));
    await here.run(sql);
    const before = await here.count("events");
    assert.deepEqual(
      [(await here.client.append(here.made.stream_id, loan(3))).status, await here.count("events")],
      [500, before],
    );
  }
  const empty = await start(t);
  await empty.run(`UPDATE streams SET head_event_hash = '${FORGED}'`);
  assert.deepEqual(
    [(await empty.client.append(empty.made.stream_id, loan(1))).status, await empty.count("events")],
    [500, 0],
  );
});

test("a window that does not end at its last event, or is missing: no checkpoint", async (t) => {
  const change = (sql: string) => (here: Deployment) => here.run(sql);
  for (const [tamper, form] of [
    [
      change(`UPDATE events SET event_hash = '${FORGED}' WHERE seq_no = 512`),
      /window 2 .* does not end at its event 512/,
    ],
    [change("DELETE FROM events WHERE seq_no = 512"), /event 512 .* missing/],
    [change("DELETE FROM windows WHERE window_no = 1"), /window 1 .* missing/],
    [(here: Deployment) => here.changeDocuments("windows", { from_seq_no: 256 }, "window_no = 2"), /window 2 /],
  ] as const) {
    const here = await start(t);
    await here.client.appendBatch(here.made.stream_id, loans(2 * WINDOW));
    assert.deepEqual(await here.windows(), []);
    await tamper(here);
    await refuses(here, here.checkpoints, "checkpoints", form);
  }
});

test("a last checkpoint of another origin: no next checkpoint", async (t) => {
  const here = await start(t);
  await here.client.appendBatch(here.made.stream_id, loans(WINDOW));
  assert.deepEqual([await here.windows(), await here.checkpoints()], [[], []]);
  await here.client.appendBatch(here.made.stream_id, loans(WINDOW));
  assert.deepEqual(await here.windows(), []);
  await here.changeDocuments("checkpoints", { origin: `other.example/${here.made.stream_id}` });
  await refuses(here, here.checkpoints, "checkpoints", /another origin/);
});

test("a checkpoint that is not as it was sealed: no statement", async (t) => {
  const here = await start(t);
  await here.client.appendBatch(here.made.stream_id, loans(WINDOW));
  assert.deepEqual([await here.windows(), await here.checkpoints()], [[], []]);
  const [row] = await here.rows<{ document: string; checkpoint_hash: string }>(
    "SELECT document, checkpoint_hash FROM checkpoints",
  );
  assert.ok(row !== undefined);
  const { document, checkpoint_hash } = row;
  const { seal } = JSON.parse(document);
  const inDocument = (members: object) => () => here.changeDocuments("checkpoints", members);
  const change = (sql: string) => () => here.run(`UPDATE checkpoints SET ${sql}`);
  for (const [tamper, form] of [
    [inDocument({ to_seq_no: 255 }), /does not verify/],
    [inDocument({ previous_checkpoint_hash: FORGED }), /does not verify/],
    [inDocument({ latest_event_hash: FORGED }), /does not verify/],
    [inDocument({ witness_policy_digest: FORGED }), /does not verify/],
    [inDocument({ created_at: "2020-01-01T00:00:00.000Z" }), /not sealed by the key of its time/],
    [inDocument({ seal: { ...seal, kid: "ed25519-0123456789abcdef" } }), /not sealed by the key of its time/],
    [change(`checkpoint_hash = '${FORGED}'`), /is not the one that was stored/],
    [change(`frontier_before = '["${FORGED}"]'`), /does not verify/],
  ] as const) {
    await tamper();
    await refuses(here, here.cosign, "witness_statements", form);
    const asSealed = "UPDATE checkpoints SET document = $1, checkpoint_hash = $2, frontier_before = '[]'";
    await here.run(asSealed, document, checkpoint_hash);
  }
  assert.deepEqual([await here.cosign(), await here.count("witness_statements")], [[], 1]);
});

test("the witness signs again what it remembers, and nothing that is not of the tree that it remembers", async (t) => {
  const here = await start(t);
  const { stream_id } = here.made;
  await here.client.appendBatch(stream_id, loans(WINDOW));
  assert.deepEqual([await here.windows(), await here.checkpoints(), await here.cosign()], [[], [], []]);
  const again = () => here.run("UPDATE outbox SET done_at = NULL");
  await again();
  assert.deepEqual([await here.cosign(), await here.count("witness_statements")], [[], 1], "done twice is done");
  // A process that ended between its signature and the database's commit has left no statement.
  const lost = async () => {
    await here.run("DELETE FROM witness_statements");
    await again();
  };
  await lost();
  assert.deepEqual([await here.cosign(), await here.count("witness_statements")], [[], 1], "signed again");
  await lost();
  here.runInMemory("UPDATE signed SET tree_size = 9");
  await refuses(here, here.cosign, "witness_statements", /has signed 9 windows .* without a statement/);
  here.runInMemory(`UPDATE signed SET tree_size = 1, frontier = '["${FORGED}"]'`);
  await refuses(here, here.cosign, "witness_statements", /does not extend/);
  here.runInMemory("UPDATE signed SET given_up_at = '2026-03-01T00:00:00.000Z'");
  assert.deepEqual([await here.cosign(), await here.count("witness_statements")], [[], 0], "given up");
  await again();
  here.runInMemory("DELETE FROM signed");
  assert.deepEqual([await here.cosign(), await here.count("witness_statements")], [[], 1], "nothing is remembered");
});

test("checkpoints are cosigned in their order, even where the outbox message of an earlier one was put off", async (t) => {
  const here = await start(t);
  const { stream_id, public_key_hex } = here.made;
  for (let no = 1; no <= 2; no++) {
    await here.client.appendBatch(stream_id, loans(WINDOW));
    assert.deepEqual([await here.windows(), await here.checkpoints()], [[], []]);
  }
  // The later message comes first, as after a clock that was set back between the two.
  await here.run(
    "UPDATE outbox SET outbox_id = 'obx_' || CASE outbox_id WHEN (SELECT MIN(outbox_id) FROM outbox) THEN 'z' " +
      "ELSE 'a' END",
  );
  const errors = await here.cosign();
  assert.match(errors.join(), /^chk_\w+ waits until chk_\w+ is cosigned$/);
  assert.deepEqual([await here.cosign(), await here.count("witness_statements")], [[], 2]);
  const { text } = await here.client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 512 });
  assertVerified(text, public_key_hex, "bundle");
});

test("an event that is gone cuts a pack off: nobody takes a part of it for the whole", async (t) => {
  const deployment = await start(t);
  const { client, made, run, windows, checkpoints, cosign } = deployment;
  const events = 3 * WINDOW;
  await client.appendBatch(made.stream_id, loans(events));
  for (const step of [windows, checkpoints, cosign]) assert.deepEqual(await step(), []);
  const request = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: events };
  assert.equal((await client.post("/v2/audit/packs", request)).status, 201);
  await run("DELETE FROM idempotency_records");
  await run(`DELETE FROM events WHERE seq_no = ${events - 1}`);
  await assert.rejects(client.post("/v2/audit/packs", request), /terminated|other side closed/);
});
