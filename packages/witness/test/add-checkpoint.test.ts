/** The answers of the tlog-witness text, each by a real request. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { encodeBase64, openNote, parseVerificationKey, type VerificationKey } from "@svc/core";
import { bodyOf, TestLog } from "@svc/testkit/evidence/log";
import { testSigner } from "@svc/testkit/evidence/signer";
import { MAX_BODY_BYTES } from "../src/limits.ts";
import { add, get, kernel, madeWitness, started } from "./running.ts";

const ORIGIN = "log.example/one";
const SIZE_TYPE = "text/x.tlog.size";
const TEXT_TYPE = "text/plain; charset=utf-8";

function keyOf(vkey: string): VerificationKey {
  const parsed = parseVerificationKey(kernel, vkey);
  assert.ok(parsed.ok);
  return parsed.key;
}

/** Asserts that an answer is a cosignature of the note, and returns its time. */
function assertCosigned(vkey: string, note: string, line: string): number {
  assert.match(line, /^— witness\.example\/w1 [A-Za-z0-9+/]+=*\n$/);
  const opened = openNote(kernel, `${note}${line}`, [keyOf(vkey)]);
  assert.ok(opened.ok, opened.ok ? "" : opened.code);
  return opened.signatures[0]?.cosignedAt ?? 0;
}

test("a log grows: each checkpoint that extends the last is cosigned, and the last whole note is served", async (t) => {
  const log = new TestLog(ORIGIN).growTo(3);
  const witness = await started(t, await madeWitness(log.vkey));
  for (const [old, size] of [
    [0, 3],
    [3, 5],
    [5, 64],
    [64, 65],
  ] as const) {
    log.growTo(size);
    const answer = await add(witness, await log.body(old));
    assert.deepEqual([answer.status, answer.type], [200, TEXT_TYPE]);
    assertCosigned(witness.vkey, await log.note(), answer.text);
    const hash = createHash("sha256").update(ORIGIN).digest("hex");
    const served = await get(witness, `/${hash}/checkpoint`);
    assert.equal(served.text, `${await log.note()}${answer.text}`);
  }
});

test("the empty tree is cosigned with the root of RFC 6962 alone, and grows from there", async (t) => {
  const log = new TestLog(ORIGIN);
  const witness = await started(t, await madeWitness(log.vkey));
  const wrong = await add(witness, bodyOf(0, [], await log.note(0, { root: new Uint8Array(32) })));
  assert.deepEqual([wrong.status, wrong.type], [422, TEXT_TYPE]);
  assert.equal((await add(witness, await log.body(0))).status, 200);
  assert.equal((await add(witness, await log.body(0))).status, 200);
  assert.equal((await add(witness, await log.growTo(2).body(0))).status, 200);
});

test("one size twice is cosigned twice, with times that never fall", async (t) => {
  const log = new TestLog(ORIGIN).growTo(4);
  let now = Date.parse("2026-11-26T00:00:10.000Z");
  const witness = await started(t, await madeWitness(log.vkey), { clock: () => now });
  const first = assertCosigned(witness.vkey, await log.note(), (await add(witness, await log.body(0))).text);
  now -= 5000;
  const second = assertCosigned(witness.vkey, await log.note(), (await add(witness, await log.body(4))).text);
  assert.equal(second, first);
  now += 9000;
  const third = assertCosigned(witness.vkey, await log.note(), (await add(witness, await log.body(4))).text);
  assert.equal(third, first + 4);
});

test("a checkpoint with extension lines is cosigned with them", async (t) => {
  const log = new TestLog(ORIGIN).growTo(4);
  const witness = await started(t, await madeWitness(log.vkey));
  const note = await log.note(4, { extension: "more\n" });
  assertCosigned(witness.vkey, note, (await add(witness, bodyOf(0, [], note))).text);
});

test("404 for an unknown origin, 403 without a valid signature by a known key", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const witness = await started(t, await madeWitness(log.vkey));
  assert.equal((await add(witness, await new TestLog("log.example/other").growTo(2).body(0))).status, 404);
  // The name and the key id are those of the log, the signature is not.
  const forged = await log.note(2, { signer: testSigner("somebody") });
  assert.equal((await add(witness, bodyOf(0, [], forged))).status, 403);
  // The origin is right, and the key is unknown.
  assert.equal((await add(witness, await new TestLog(ORIGIN, "another key").growTo(2).body(0))).status, 403);
  assert.equal((await add(witness, await log.body(0))).status, 200);
});

test("signatures of unknown keys are ignored, and neither they nor repeated lines are kept", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const witness = await started(t, await madeWitness(log.vkey));
  const stranger = `— stranger.example ${encodeBase64(new Uint8Array(76).fill(7))}\n`;
  const own = (await log.note()).split("\n\n")[1] ?? "";
  const answer = await add(witness, bodyOf(0, [], `${await log.note()}${stranger}${own.repeat(60)}`));
  assert.equal(answer.status, 200);
  const served = await get(witness, `/${createHash("sha256").update(ORIGIN).digest("hex")}/checkpoint`);
  assert.equal(served.text, `${await log.note()}${answer.text}`);
});

test("a note with 16 signatures of nearly 5 kB each, as signed-note demands", async (t) => {
  const log = new TestLog(ORIGIN).growTo(9);
  const witness = await started(t, await madeWitness(log.vkey));
  assert.equal((await add(witness, await log.body(0, 5))).status, 200);
  const blob = encodeBase64(new Uint8Array(4 + 4980).fill(7));
  const strangers = Array.from({ length: 15 }, (_, i) => `— ${"stranger".repeat(20)}.example/${i} ${blob}\n`);
  const answer = await add(witness, bodyOf(5, log.proof(5), `${await log.note()}${strangers.join("")}`));
  assert.equal(answer.status, 200, answer.text);
});

test("a second key of a log serves as well", async (t) => {
  const [log, next] = [new TestLog(ORIGIN).growTo(2), new TestLog(ORIGIN, "next key").growTo(3)];
  const witness = await started(t, await madeWitness(log.vkey, next.vkey));
  assert.equal((await add(witness, await log.body(0))).status, 200);
  assert.equal((await add(witness, await next.body(2))).status, 200);
});

test("400 for an old size above that of the checkpoint, after the signature was checked", async (t) => {
  const log = new TestLog(ORIGIN).growTo(2);
  const witness = await started(t, await madeWitness(log.vkey));
  assert.equal((await add(witness, bodyOf(3, [], await log.note()))).status, 400);
  const forged = await log.note(2, { signer: testSigner("somebody") });
  assert.equal((await add(witness, bodyOf(3, [], forged))).status, 403);
});

test("409 with the recorded size for any other old size", async (t) => {
  const log = new TestLog(ORIGIN).growTo(9);
  const witness = await started(t, await madeWitness(log.vkey));
  const early = await add(witness, await log.body(4));
  assert.deepEqual([early.status, early.text, early.type], [409, "0\n", SIZE_TYPE]);
  assert.equal((await add(witness, await log.body(0, 7))).status, 200);
  for (const [old, size] of [
    [0, 9],
    [6, 9],
    [8, 9],
    [0, 3],
  ] as const) {
    const answer = await add(witness, await log.body(old, size));
    assert.deepEqual([answer.status, answer.text, answer.type], [409, "7\n", SIZE_TYPE]);
  }
});

test("422 for a proof that does not hold: changed, shorter, longer, out of order, of other sizes, not empty", async (t) => {
  const log = new TestLog(ORIGIN).growTo(13);
  const witness = await started(t, await madeWitness(log.vkey));
  const other = encodeBase64(new Uint8Array(32).fill(1));
  assert.equal((await add(witness, bodyOf(0, [other], await log.note(6)))).status, 422);
  assert.equal((await add(witness, await log.body(0, 6))).status, 200);
  assert.equal((await add(witness, bodyOf(6, [other], await log.note(6)))).status, 422);
  const proof = log.proof(6);
  const note = await log.note();
  for (const wrong of [
    [],
    proof.slice(1),
    proof.slice(0, -1),
    [...proof, other],
    [other, ...proof.slice(1)],
    proof.toReversed(),
    log.proof(5),
  ])
    assert.equal((await add(witness, bodyOf(6, wrong, note))).status, 422);
  assert.equal((await add(witness, bodyOf(6, proof, note))).status, 200);
});

test("422 for another root at the recorded size", async (t) => {
  const log = new TestLog(ORIGIN).growTo(5);
  const witness = await started(t, await madeWitness(log.vkey));
  assert.equal((await add(witness, await log.body(0))).status, 200);
  const answer = await add(witness, bodyOf(5, [], await log.note(5, { root: new Uint8Array(32) })));
  assert.deepEqual([answer.status, answer.type], [422, TEXT_TYPE]);
});

test("hostile bytes are refused, and the witness goes on", async (t) => {
  const log = new TestLog(ORIGIN).growTo(8);
  const witness = await started(t, await madeWitness(log.vkey));
  const note = await log.note();
  const hash = encodeBase64(new Uint8Array(32));
  const whole = bodyOf(0, [], note);
  const malformed: (string | Uint8Array)[] = [
    "",
    "\n",
    "\n\n",
    note,
    `old 0\n${note}`,
    `old 00\n\n${note}`,
    `old -1\n\n${note}`,
    `old 1e3\n\n${note}`,
    `old  0\n\n${note}`,
    `old 0 \n\n${note}`,
    `Old 0\n\n${note}`,
    `old 9007199254740992\n\n${note}`,
    `old 99999999999999999999\n\n${note}`,
    `old 0\r\n\r\n${note}`,
    `\ufeff${whole}`,
    bodyOf(0, ["AAAA"], note),
    bodyOf(0, [`${hash} `], note),
    bodyOf(0, [hash.replace("=", "")], note),
    bodyOf(0, ["not base64"], note),
    bodyOf(0, Array<string>(64).fill(hash), note),
    bodyOf(0, [], `${ORIGIN}\n8\n\n`),
    bodyOf(0, [], note.replace("\n8\n", "\n08\n")),
    bodyOf(0, [], note.replace("\n8\n", "\n18446744073709551616\n")),
    Buffer.concat([Buffer.from(whole), Uint8Array.of(0xff, 0x0a)]),
    Uint8Array.of(0xc3, 0x28),
    new Uint8Array(60_000),
  ];
  for (let end = 1; end < whole.length; end += 7) malformed.push(whole.slice(0, end));
  for (const body of malformed) {
    const answer = await add(witness, body);
    assert.equal(answer.status, 400, JSON.stringify(Buffer.from(body).toString("latin1").slice(0, 80)));
    assert.doesNotMatch(answer.text, /\bat .*\.ts|Error/);
  }
  // So many lines are allowed, and prove nothing.
  assert.equal((await add(witness, bodyOf(0, Array<string>(63).fill(hash), note))).status, 422);
  assert.equal((await add(witness, "x".repeat(MAX_BODY_BYTES + 1))).status, 413);
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(16_384)),
  });
  const cut = fetch(`${witness.url}/add-checkpoint`, { method: "POST", body: endless, duplex: "half" } as RequestInit);
  // The answer, or the end of the connection before all is sent.
  assert.equal(await cut.then(({ status }) => status).catch(() => 413), 413);
  assert.equal((await add(witness, whole)).status, 200);
});

test("of many requests from one old size one wins; all sizes are those of one tree", async (t) => {
  const log = new TestLog(ORIGIN).growTo(40);
  const witness = await started(t, await madeWitness(log.vkey));
  assert.equal((await add(witness, await log.body(0, 10))).status, 200);
  const bodies = await Promise.all(Array.from({ length: 20 }, (_, i) => log.body(10, 11 + i)));
  const answers = await Promise.all(bodies.map((body) => add(witness, body)));
  assert.equal(answers.filter(({ status }) => status === 200).length, 1);
  assert.equal(answers.filter(({ status }) => status === 409).length, 19);
});

test("many origins at once, and the metrics of them behind a token", async (t) => {
  const logs = Array.from({ length: 32 }, (_, i) => new TestLog(`log.example/${i}`).growTo(3));
  const witness = await started(t, await madeWitness(...logs.map(({ vkey }) => vkey)), {
    environment: { SVC_WITNESS_METRICS_TOKEN: "0123456789abcdef" },
  });
  const answers = await Promise.all(logs.map(async (log) => add(witness, await log.body(0))));
  assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  const authorization = "Bearer 0123456789abcdef";
  const metrics = await get(witness, "/metrics", { authorization });
  assert.match(metrics.text, /svc_witness_decisions_total\{outcome="cosigned"\} 32/);
  assert.equal((await get(witness, "/metrics")).status, 401);
});

test("a rate for the new checkpoints of a log, which nobody else can use up", async (t) => {
  const [log, other] = [new TestLog(ORIGIN).growTo(2), new TestLog("log.example/other").growTo(2)];
  const witness = await started(t, await madeWitness(log.vkey, other.vkey), {
    environment: { SVC_WITNESS_ORIGIN_RATE: "1" },
  });
  const forged = bodyOf(0, [], await log.note(2, { signer: testSigner("somebody") }));
  for (let i = 0; i < 5; i++) assert.equal((await add(witness, forged)).status, 403);
  assert.equal((await add(witness, await log.body(0))).status, 200);
  // The checkpoint is public: anybody can hand it in again, and again.
  for (let i = 0; i < 5; i++) assert.equal((await add(witness, await log.body(0))).status, 409);
  const repeat = await log.body(2);
  const answers = [await add(witness, repeat)];
  assert.equal(answers[0]?.status, 200);
  while (answers.at(-1)?.status === 200 && answers.length < 9) answers.push(await add(witness, repeat));
  assert.equal(answers.at(-1)?.status, 429);
  assert.match(answers.at(-1)?.headers.get("retry-after") ?? "", /^[1-9]\d*$/);
  assert.equal((await add(witness, await log.growTo(3).body(2))).status, 200);
  const fast: number[] = [];
  while (fast.at(-1) !== 429 && fast.length < 9)
    fast.push((await add(witness, await log.growTo(log.size + 1).body(log.size - 1))).status);
  assert.equal(fast.at(-1), 429);
  assert.equal((await add(witness, await other.body(0))).status, 200);
});

test("old notes of a log, handed in by a stranger, never keep it from learning its size", async (t) => {
  const log = new TestLog(ORIGIN).growTo(40);
  const witness = await started(t, await madeWitness(log.vkey), { environment: { SVC_WITNESS_ORIGIN_RATE: "1" } });
  assert.equal((await add(witness, await log.body(0))).status, 200);
  for (let size = 1; size < 20; size++) {
    const { status, text } = await add(witness, await log.body(0, size));
    assert.deepEqual([status, text], [409, "40\n"], `a stranger's note of size ${size}`);
  }
  for (let size = 41; size < 50; size++) {
    const { status, text } = await add(witness, await log.growTo(size).body(0));
    assert.deepEqual([status, text], [409, "40\n"], `the log asks with size ${size}`);
  }
  assert.equal((await add(witness, await log.body(40))).status, 200);
});

test("other paths and methods, and metrics on a separate port", async (t) => {
  const witness = await started(t, await madeWitness(), { environment: { SVC_WITNESS_METRICS_PORT: "0" } });
  assert.equal((await get(witness, "/")).status, 404);
  assert.equal((await get(witness, "/add-checkpoint")).status, 405);
  assert.equal((await get(witness, "/metrics")).status, 404);
  assert.equal((await get(witness, `/${"0".repeat(64)}/checkpoint`)).status, 404);
  assert.equal((await get(witness, "/vkey")).text, `${witness.vkey}\n`);
  assert.equal((await get(witness, "/healthz")).text, "ok\n");
  assert.match((await get({ url: witness.metricsUrl ?? "" }, "")).text, /svc_witness_origins 0/);
});
