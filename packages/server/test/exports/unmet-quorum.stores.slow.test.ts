/** Exports whose witnesses do not cosign follow the rule of packs: a closed policy refuses, an open one says so. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MAX_EXPORT_WAIT_SECONDS, MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import { contentOf, openArchive, type PublicKeyHex, pinKeys, verify } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { testSigner } from "@svc/testkit/evidence/signer";
import { command } from "@svc/testkit/server/child-process";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertPackageVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import { operatorOf } from "../../src/commands/deployment.ts";
import { kernel } from "../../src/kernel.ts";
import { declarePolicy } from "../../src/policies/declare-policy.ts";
import { follow, prepared, readyExport, settledExport } from "./export-client.ts";

/** Resolves to a server with a clock to move, and a stream of one event under each kind of policy. */
async function start(t: TestContext) {
  let ahead = 0;
  const here = await startServer(t, {}, () => Date.now() + ahead);
  const { client, made, server } = here;
  const { database, clock } = server.service.context;
  const witnessKeys = [
    { witness_id: "w1", name: "w1.example", public_key_hex: testSigner("nobody").publicKeyHex, managed: false },
  ];
  const streamUnder = async (when_unmet: "closed" | "open") => {
    const document = { policy_id: when_unmet, mode: "independent" as const, witnessKeys, when_unmet };
    await database.write((writer) =>
      declarePolicy(writer, kernel, operatorOf(made.tenant_id), document, serviceTime(clock())),
    );
    const { body } = await client.post("/v2/streams", {
      system_id: made.system_id,
      use_case: "loans",
      policy_id: when_unmet,
      metadata: {},
    });
    await client.append(body.stream_id, loan(1));
    await until("it is sealed", async () => {
      const { body: state } = await client.get(`/v2/streams/${body.stream_id}/proof-state`);
      return state.checkpointed_to_seq_no === 1;
    });
    return body.stream_id as string;
  };
  const ask = async (...streams: string[]) => (await client.post("/v1/exports", { streams })).body.export_id as string;
  const stateOf = async (id: string) => (await client.get(`/v1/exports/${id}`)).body.state;
  return {
    ...here,
    open: await streamUnder("open"),
    closed: await streamUnder("closed"),
    ask,
    stateOf,
    move: (milliseconds: number) => {
      ahead += milliseconds;
    },
  };
}

test("an open policy lets an export go without its witnesses, after the time that a pack waits, and it says so", async (t) => {
  const { client, made, server, open, closed, ask, stateOf, move } = await start(t);
  const [alone, mixed] = [await ask(open), await ask(open, closed)];
  await client.append(made.stream_id, loan(1));
  const whole = await readyExport(client, { streams: [made.stream_id] });
  assert.deepEqual([await stateOf(alone), await stateOf(mixed)], ["queued", "queued"]);
  move(MAX_SEAL_WAIT_MS);
  const ready = await settledExport(client, alone, "ready");
  assert.equal(await stateOf(mixed), "queued");

  const { path } = await prepared(client, alone);
  const given = await follow(client, path);
  assert.deepEqual([given.status, given.headers.get("svc-evidence-missing")], [200, "witness_statements"]);
  const trust = pinKeys(kernel, [made.public_key_hex as PublicKeyHex]);
  const report = verify(given.bytes, { kind: "truth-package", trust, kernel });
  assert.deepEqual([report.verdict, report.problems.map(({ code }) => code)], ["rejected", ["witness_quorum_unmet"]]);
  const opened = openArchive(given.bytes);
  assert.ok(opened.ok);
  const about = opened.entries.find((entry) => entry.path === "manifest.json");
  const content = about && contentOf(kernel, about);
  assert.ok(content?.ok);
  assert.equal(JSON.parse(Buffer.from(content.bytes).toString()).streams[0].lacks, "witness_statements");
  const { body: event } = await client.get(`/v2/receipts/${ready.package.generated_event_id}`);
  assert.equal(event.payload.lacks, "witness_statements", JSON.stringify(event));

  const other = await follow(client, (await prepared(client, whole.export_id)).path);
  assert.deepEqual([other.status, other.headers.get("svc-evidence-missing")], [200, null]);
  assertPackageVerified(other.bytes, made.public_key_hex);

  const { database } = server.service.context;
  const faults = async () => {
    const { out } = await command(["fsck", "--data", made.data_folder, "--json"]);
    return (JSON.parse(out).faults as { table: string }[]).map(({ table }) => table);
  };
  assert.deepEqual(await faults(), []);
  for (const [id, evidence] of [
    [alone, null],
    [whole.export_id, '{"lacksQuorum":true}'],
  ]) {
    const of = "UPDATE export_ranges SET evidence = $1 WHERE export_id = $2";
    const [kept] = await database.read((reader) =>
      reader.all<{ evidence: string | null }>("SELECT evidence FROM export_ranges WHERE export_id = $1", id ?? ""),
    );
    await database.write((writer) => writer.run(of, evidence ?? null, id ?? ""));
    assert.deepEqual(await faults(), ["exports"], `${id}`);
    await database.write((writer) => writer.run(of, kept?.evidence ?? null, id ?? ""));
  }

  // A package that is gone has nothing more to say of itself.
  await client.send("DELETE", `/v1/exports/${alone}`, undefined, {});
  await settledExport(client, alone, "deleted");
  assert.deepEqual(await faults(), []);
});

test("a closed policy lets no export go without its witnesses", async (t) => {
  const { client, open, closed, ask, stateOf, move } = await start(t);
  const [alone, mixed] = [await ask(closed), await ask(open, closed)];
  move(MAX_SEAL_WAIT_MS);
  assert.deepEqual([await stateOf(alone), await stateOf(mixed)], ["queued", "queued"]);
  move(MAX_EXPORT_WAIT_SECONDS * 1000);
  for (const id of [alone, mixed]) {
    const failed = await settledExport(client, id, "failed");
    assert.deepEqual([failed.failure.code, failed.package], ["evidence_missing", null]);
  }
});
