/**
 * Witnesses that answer badly on purpose, beside a good one: each fault is named where an operator and a tenant look,
 * none is counted, and none holds up the others.
 */
import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";
import { encodeNoteLine, parseNote } from "@svc/core";
import { MetricsRegistry } from "@svc/host/metrics";
import { testSigner } from "@svc/testkit/evidence/signer";
import { loan } from "@svc/testkit/server/loan";
import { until } from "@svc/testkit/until";
import { diagnoseFeeding } from "../../src/feeding/diagnose.ts";
import { FEED_FAULTS } from "../../src/feeding/feed-fault.ts";
import { feedingMetrics } from "../../src/feeding/metrics.ts";
import { fedWitnesses, keysOf, startFed } from "./fed-deployment.ts";
import { type Answers, lineOf, lines, nameOf, nowS, size, startMaliciousServer, status } from "./malicious-witness.ts";

/** A way to lie for each fault that a witness can have, by the label of the witness. */
const LIES: readonly (readonly [keyof typeof FEED_FAULTS, string, Answers])[] = [
  ["request_refused", "says400", status(400, "gone \u009b2J\u202e")],
  ["key_unknown", "says403", status(403)],
  ["origin_unknown", "says404", status(404)],
  ["history_contradicted", "says422", status(422)],
  ["witness_busy", "says429", status(429)],
  ["witness_busy", "says503", status(503)],
  ["answer_malformed", "says500", status(500)],
  ["answer_malformed", "says201", status(201)],
  [
    "redirected",
    "moves",
    (_request, response) => {
      response.writeHead(308, { Location: "http://127.0.0.1:1/add-checkpoint" });
      response.end();
    },
  ],
  ["witness_ahead", "ahead", size((request) => request.size + 1)],
  ["answer_malformed", "repeats", size((request) => request.old)],
  ["answer_malformed", "sizeless", status(409, "conflict")],
  ["answer_malformed", "words", lines(() => "OK\n")],
  ["answer_malformed", "nothing", lines(() => "")],
  [
    "answer_malformed",
    "bytes",
    (_request, response) => {
      response.end(Buffer.from([0xff, 0xfe]));
    },
  ],
  ["answer_malformed", "ownText", lines(async ({ text }) => `other\n1\n\n${await lineOf("ownText", text)}`)],
  ["cosignature_missing", "stranger", lines(({ text }) => lineOf("somebody", text))],
  ["cosignature_of_other_key", "otherKey", lines(({ text }) => lineOf("another", text, nowS(), nameOf("otherKey")))],
  ["cosignature_invalid", "otherText", lines(({ text }) => lineOf("otherText", text.replace("\n1\n", "\n2\n")))],
  [
    "cosignature_invalid",
    "otherOrigin",
    lines(({ text }) => lineOf("otherOrigin", text.replace(/str_\w+/, "str_other"))),
  ],
  [
    "cosignature_invalid",
    "short",
    lines(async ({ text }) => {
      const [line] = parseNote(`${text}\n${await lineOf("short", text)}`)?.lines ?? [];
      return line === undefined ? "" : encodeNoteLine({ ...line, signature: line.signature.subarray(0, 60) });
    }),
  ],
  // A good line does not make up for a bad one.
  [
    "cosignature_invalid",
    "both",
    lines(async ({ text }) => (await lineOf("both", text)) + (await lineOf("both", `${text}x\n`))),
  ],
  ["cosignature_time_wrong", "early", lines(({ text }) => lineOf("early", text, nowS() - 1000))],
  ["cosignature_time_wrong", "late", lines(({ text }) => lineOf("late", text, nowS() + 1000))],
  [
    "answer_too_large",
    "large",
    (_request, response) => {
      // Ten megabytes.
      Readable.from(Array.from({ length: 160 }, () => "— x ".repeat(16 * 1024))).pipe(response);
    },
  ],
  ["timed_out", "silent", () => undefined],
  [
    "timed_out",
    "endless",
    (_request, response) => {
      const timer = setInterval(() => response.write("x"), 20);
      response.on("close", () => clearInterval(timer));
    },
  ],
];

test("each lie is named, none is counted, and the good witness is not held up", async (t) => {
  const good = await startMaliciousServer(
    t,
    "good",
    lines(({ text }) => lineOf("good", text)),
  );
  const liars = await Promise.all(LIES.map(([, label, answers]) => startMaliciousServer(t, label, answers)));
  // Nobody is there.
  const gone = { name: nameOf("gone"), publicKeyHex: testSigner("gone").publicKeyHex, url: "http://127.0.0.1:1" };
  const unaddressed = { name: nameOf("far"), publicKeyHex: testSigner("far").publicKeyHex };
  const all = [good, ...liars, gone];
  const here = await startFed(t, all, { witnessTimeoutMs: 1_000 });
  const { client, admin, server, streamOf, stateWhen } = here;
  const body = { mode: "independent", threshold: 1, witnessKeys: keysOf([...all, unaddressed]) };
  const declared = await admin.put("/v2/tenant/witness/policies/liars", body);
  assert.equal(declared.status, 200, declared.text);
  assert.match(declared.body.unmet.join(), /no address of far/);
  const stream = await streamOf("liars");
  await client.append(stream, loan(1));
  await client.witnessed(stream, 1);

  const expected = new Map<string, string>([
    ...LIES.map(([code, label]) => [label.toLowerCase(), code] as const),
    ["gone", "unreachable"],
  ]);
  // One that is slow for once is asked again.
  const lied = (one: { witness_id: string; problem: { code: string } | null }) =>
    !expected.has(one.witness_id) || one.problem?.code === expected.get(one.witness_id);
  const state = await stateWhen(stream, "the lie of each is named", ({ witnesses }) => witnesses.every(lied));
  const byId = new Map<string, { state: string; problem: { code: string; message: string } | null }>(
    state.witnesses.map((one: { witness_id: string }) => [one.witness_id, one]),
  );
  assert.equal(byId.get("good")?.state, "cosigned");
  assert.equal(byId.get("far")?.state, "unaddressed");
  assert.match(byId.get("says400")?.problem?.message ?? "", /it answered 400: "gone \\u\{9b\}2J\\u\{202e\}"$/);
  for (const [label, code] of expected) {
    const found = byId.get(label);
    assert.deepEqual([label, found?.state, found?.problem?.code], [label, "failing", code], found?.problem?.message);
    assert.doesNotMatch(found?.problem?.message ?? "", /127\.0\.0\.1|localhost/, "an address is the operator's");
  }
  const { body: note } = { body: (await client.get(`/v2/checkpoints/${state.latest_checkpoint_id}/note`)).text };
  assert.deepEqual(
    parseNote(note)
      ?.lines.map(({ name }) => name)
      .slice(1),
    [nameOf("good")],
    "no cosignature of a liar is in the note",
  );

  // The same is said to the operator.
  const { context } = server.service;
  const registry = new MetricsRegistry();
  feedingMetrics(registry, { ...context, settings: () => ({ witnesses: fedWitnesses(all) }) as never });
  const text = await registry.text();
  assert.match(text, new RegExp(`svc_witness_failing_origins\\{witness="${nameOf("says404")}"\\} 1`));
  assert.match(text, new RegExp(`svc_witness_waiting_origins\\{witness="${nameOf("good")}"\\} 0`));
  const findings = await diagnoseFeeding({
    now: context.clock(),
    settings: () => ({ witnesses: fedWitnesses(all) }) as never,
    read: (_check: string, look: never) => context.database.read(look),
  } as never);
  const says = new Map(findings.map(({ check, says, state }) => [check, `${state} ${says}`]));
  assert.match(says.get(`witness ${nameOf("good")}`) ?? "", /^ok has cosigned everything/);
  assert.match(says.get(`witness ${nameOf("says403")}`) ?? "", /^warn 1 of 1 origins fail, since .*key_unknown/);
  assert.match(says.get("witness") ?? "", /far\.example\/witness\+\w+ is asked for by a policy/);

  // While they go on lying, the next checkpoints are cosigned.
  for (let number = 2; number <= 3; number++) {
    await client.append(stream, loan(number));
    await client.witnessed(stream, number);
  }
  // The sizes of trees have a separate test.
  const elsewhere = ["size_unknown", "size_unsettled"];
  assert.deepEqual(new Set([...expected.values(), ...elsewhere]), new Set(Object.keys(FEED_FAULTS)));
});

test("a witness that has cosigned what no checkpoint has, or names another size each time, is named", async (t) => {
  const unknown = await startMaliciousServer(
    t,
    "unknown",
    size(() => 1),
  );
  const unsettled = await startMaliciousServer(
    t,
    "unsettled",
    size((request) => (request.old === 0 ? request.size : 0)),
  );
  const otherRoot = await startMaliciousServer(
    t,
    "otherRoot",
    size((request) => request.size),
  );
  const { client, admin, streamOf, stateWhen } = await startFed(t, [unknown, unsettled, otherRoot]);
  await admin.put("/v2/tenant/witness/policies/sizes", {
    mode: "independent",
    threshold: 1,
    witnessKeys: keysOf([unknown, unsettled, otherRoot]),
  });
  const stream = await streamOf("sizes");
  // The first checkpoint is over two full windows: none has a size of 1.
  await client.appendBatch(
    stream,
    Array.from({ length: 600 }, (_, number) => loan(number)),
  );
  const state = await stateWhen(
    stream,
    "all have been asked",
    ({ witnesses, checkpointed_to_seq_no }) =>
      checkpointed_to_seq_no === 600 && witnesses.every((one: { state: string }) => one.state === "failing"),
  );
  assert.deepEqual(
    state.witnesses.map((one: { witness_id: string; problem: { code: string } }) => [one.witness_id, one.problem.code]),
    [
      ["unknown", "size_unknown"],
      ["unsettled", "size_unsettled"],
      ["otherroot", "history_contradicted"],
    ],
  );
});

test("a witness that comes to its senses is asked again, with the newest checkpoint alone", async (t) => {
  let isLying = true;
  const asked: number[] = [];
  const witness = await startMaliciousServer(t, "better", async (request, response) => {
    asked.push(request.size);
    if (isLying) return status(404)(request, response);
    return lines(({ text }) => lineOf("better", text))(request, response);
  });
  const { client, admin, streamOf, stateWhen, server } = await startFed(t, [witness]);
  await admin.put("/v2/tenant/witness/policies/better", { mode: "independent", witnessKeys: keysOf([witness]) });
  const stream = await streamOf("better");
  for (let number = 1; number <= 3; number++) {
    await client.append(stream, loan(number));
    await stateWhen(
      stream,
      `event ${number} is under a checkpoint`,
      (state) => state.checkpointed_to_seq_no === number,
    );
  }
  await stateWhen(stream, "it fails", ({ witnesses }) => witnesses[0].state === "failing");
  isLying = false;
  const before = asked.length;
  await server.service.context.database.write((writer) =>
    writer.run("UPDATE outbox SET next_attempt_at = created_at WHERE done_at IS NULL"),
  );
  const state = await client.witnessed(stream, 3);
  assert.deepEqual(state.witnesses[0].state, "cosigned");
  assert.deepEqual(asked.slice(before).at(-1), 3);
  const left = await until("nothing is left to be sent", async () => {
    const rows = await server.service.context.database.read((reader) =>
      reader.all("SELECT 1 FROM outbox WHERE done_at IS NULL"),
    );
    return rows.length === 0 ? true : null;
  });
  assert.ok(left);
});
