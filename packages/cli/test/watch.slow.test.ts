/** `svc watch`: what a monitor sees of a service that grows, goes back, tells another history, or answers badly. */
import assert from "node:assert/strict";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { retold, told } from "@svc/testkit/evidence/forks";
import { issueStream } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { command } from "@svc/testkit/server/child-process";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { FOLDER, KEY, type Outcome, put, svc } from "./svc.ts";
import { tellingService } from "./telling-service.ts";

const STREAM = told.records[0]?.stream_id ?? "";
const said = ({ stderr }: Outcome) => stderr.trim().replace(/\n {5}/g, " ");
const regrouped = await issueStream(10, { perWindow: 3, perCheckpoint: 2 });
const late = await issueStream(4, { perWindow: 2, perCheckpoint: 2, sealedAfter: 106 });

/** Returns a fresh name for a state file. */
let states = 0;
const fresh = () => `watch-${++states}.json`;
const watch = (url: string, state: string, ...more: string[]) =>
  svc(["watch", url, "--stream", STREAM, "--state", state, "--once", "--public-key-hex", KEY, ...more]);
const remembered = (state: string) => JSON.parse(readFileSync(join(FOLDER, state), "utf8"));

test("a real server: the first checkpoint, the same again, and one that extends it", async (t) => {
  const { server, client, made } = await startServer(t);
  const env = { SVC_API_KEY: made.api_key ?? "" };
  const state = fresh();
  const args = (key: string) => [
    ...["watch", server.url, "--stream", made.stream_id, "--state", state, "--once"],
    ...(key === "" ? [] : ["--public-key-hex", key]),
  ];
  const look = () => svc(args(made.public_key_hex), { env });
  assert.match((await look()).stdout, /has no checkpoint yet/);
  for (const [seqNo, expected] of [
    [1, /the first one seen/],
    [1, /as before/],
    [2, /extends checkpoint 1\./],
    [4, /extends checkpoint \d\./],
  ] as const) {
    const { body } = await client.get(`/v2/streams/${made.stream_id}/proof-state`);
    for (let next = body.head_seq_no + 1; next <= seqNo; next++) await client.append(made.stream_id, loan(next));
    await client.witnessed(made.stream_id, seqNo);
    const { stdout, stderr, code } = await look();
    assert.match(stdout, expected);
    assert.deepEqual([code, stderr], [0, ""]);
  }
  const { checkpoints, stream_id, format } = remembered(state);
  assert.deepEqual([stream_id, format, checkpoints.at(-1).to_seq_no], [made.stream_id, "svc-watch", 4]);
  const rotated = await command(["keys", "rotate-signing", "--data", made.data_folder]);
  assert.equal(rotated.code, 0, rotated.err);
  await client.append(made.stream_id, loan(5));
  await client.witnessed(made.stream_id, 5);
  const after = await look();
  assert.match(after.stdout, /extends checkpoint/, "the pinned key has endorsed its successor");
  assert.equal(after.code, 0, after.stderr);
  rmSync(join(FOLDER, state));
  const anew = await look();
  assert.match(anew.stdout, /the first one seen/);
  assert.equal(anew.code, 0, anew.stderr);
  const strangers = await svc(args(KEY), { env });
  assert.match(said(strangers), /sealed by a key that you do not trust.*key_not_pinned.*svc trust add/);
  assert.equal(strangers.code, 2);
  const nobody = await svc(args(""), { env });
  assert.match(said(nobody), /You trust nobody/);
  assert.equal(nobody.code, 64);
  const keyless = await svc(args(made.public_key_hex));
  assert.match(said(keyless), /refuses the key: unauthorized\. Set SVC_API_KEY/);
  assert.equal(keyless.code, 66);
});

for (const [name, before, after, count] of [
  ["of the same size", told, retold, 2],
  ["that is longer", told, retold, 3],
  ["in other windows", told, regrouped, 2],
  ["that is shorter", told, retold, 2],
] as const)
  test(`another history ${name} becomes proof, which convinces a reader who has only that file`, async (t) => {
    const service = await tellingService(t);
    const state = fresh();
    for (const seen of name === "that is shorter" ? [2, 3] : [2]) {
      await service.tell(before, seen);
      assert.equal((await watch(service.url, state)).code, 0);
    }
    const kept = readFileSync(join(FOLDER, state), "utf8");
    await service.tell(after, count);
    const outcome = await watch(service.url, state);
    assert.match(outcome.stdout, /The service told two histories/);
    assert.deepEqual([outcome.code, outcome.stderr], [1, ""]);
    const file = `${state}.fork.json`;
    const proof = JSON.parse(readFileSync(join(FOLDER, file), "utf8"));
    assert.match(proof.kind, /^(?:checkpoint|note)$/);
    assert.equal((await svc(["forks", "verify", file, "--public-key-hex", KEY])).code, 0);
    assert.equal(readFileSync(join(FOLDER, state), "utf8"), kept, "the other history is not remembered");
    const again = await watch(service.url, state);
    assert.match(again.stdout.replace(/\n/g, " "), /is there already, and was left as it is/);
    assert.equal(again.code, 1);
  });

test("an older checkpoint of the same history is named, and proves nothing", async (t) => {
  const service = await tellingService(t);
  const state = fresh();
  await service.tell(told, 3);
  await watch(service.url, state);
  await service.tell(told, 1);
  const outcome = await watch(service.url, state);
  assert.match(said(outcome), /an old one\. Checkpoint 3 over 5 windows is remembered/);
  assert.deepEqual([outcome.code, existsSync(join(FOLDER, `${state}.fork.json`))], [1, false]);
  await service.tell(told, 0);
  const none = await watch(service.url, state);
  assert.match(said(none), /shows no checkpoint of the stream any more/);
  assert.equal(none.code, 1);
  await service.tell(told, 3);
  assert.equal((await watch(service.url, state)).code, 0);
});

test("a service that does not show how it grew is named", async (t) => {
  const service = await tellingService(t);
  const state = fresh();
  await service.tell(told, 1);
  await watch(service.url, state);
  await service.tell(told, 3);
  const last = `/v2/checkpoints/${told.checkpoints[2]?.checkpoint_id}`;
  const other = await issueStream(10, { perWindow: 2, perCheckpoint: 2, streamNo: 2 });
  for (const [does, words] of [
    [
      (body: object) => [404, { detail: { code: "checkpoint_not_found", message: "" }, ...body }],
      /checkpoint_not_found/,
    ],
    [
      () => [
        200,
        {
          stream_id: STREAM,
          from_checkpoint: told.checkpoints[0],
          to_checkpoint: told.checkpoints[1],
          consistency_path: [],
        },
      ],
      /its proof does not hold/,
    ],
    [
      () => [
        200,
        {
          stream_id: STREAM,
          from_checkpoint: other.checkpoints[0],
          to_checkpoint: other.checkpoints[2],
          consistency_path: [],
        },
      ],
      /its proof does not hold/,
    ],
  ] as const) {
    service.answer(`${last}/consistency`, (response) => {
      const [status, body] = does({});
      response.writeHead(status as number, { "content-type": "application/json" }).end(JSON.stringify(body));
    });
    const outcome = await watch(service.url, state);
    assert.match(said(outcome), /does not show that checkpoint 3 extends the remembered checkpoint 1/);
    assert.match(said(outcome), words);
    assert.equal(outcome.code, 1);
    assert.equal(remembered(state).checkpoints.length, 1);
  }
});

test("a list that is refused, or has no end, hides nothing", async (t) => {
  const service = await tellingService(t);
  const state = fresh();
  await service.tell(told, 3);
  await watch(service.url, state);
  const list = `/v2/streams/${STREAM}/checkpoints`;
  const endless = { items: [told.checkpoints[0]], next_cursor: "more" };
  for (const [does, most] of [
    [(response: ServerResponse) => void response.writeHead(500).end("oops"), 1],
    [(response: ServerResponse) => void response.end("<html>"), 1],
    [(response: ServerResponse) => void response.end(JSON.stringify(endless)), 2],
  ] as const) {
    service.answer(list, (response) => {
      // A watcher that asks without end gets no more answers.
      if (service.asked.filter((path) => path.startsWith(list)).length > 20) return response.destroy();
      does(response);
    });
    service.asked.length = 0;
    await service.tell(told, 1);
    const outcome = await watch(service.url, state);
    assert.match(said(outcome), /an old one\. Checkpoint 3 over 5 windows is remembered/);
    assert.equal(outcome.code, 1);
    assert.equal(service.asked.filter((path) => path.startsWith(list)).length, most);
  }
});

test("a checkpoint that does not hold, or is of another stream, is refused", async (t) => {
  const service = await tellingService(t);
  const state = fresh();
  await service.tell(told, 1);
  const path = `/v2/checkpoints/${told.checkpoints[0]?.checkpoint_id}`;
  const [good] = told.checkpoints;
  const other = await issueStream(4, { streamNo: 2 });
  for (const [value, words] of [
    [{ ...good, policy_id: "other" }, /does not hold: signature_invalid/],
    [other.checkpoints[0], /does not hold: stream_unexpected/],
    [{ hello: "world" }, /does not hold/],
  ] as const) {
    service.answer(path, (response) => response.end(JSON.stringify(value)));
    const outcome = await watch(service.url, state);
    assert.match(said(outcome), words);
    assert.equal(outcome.code, 1);
  }
  assert.ok(!existsSync(join(FOLDER, state)), "nothing of it is remembered");
});

test("an invalid answer is reported as such, and says nothing about the stream", async (t) => {
  const service = await tellingService(t);
  const state = fresh();
  const path = `/v2/streams/${STREAM}/proof-state`;
  for (const [does, words] of [
    [(r) => r.end("<html>"), /something else than JSON/],
    [(r) => r.end("{}"), /something else than the proof state/],
    [(r) => r.writeHead(500).end("oops"), /it answered 500/],
    [(r) => r.writeHead(302, { location: "http://127.0.0.1:9/" }).end(), /redirects to .*does not follow/],
    [(r) => r.destroy(), /cannot be reached/],
    [
      (r) => r.writeHead(404).end(JSON.stringify({ detail: { code: "stream_not_found", message: "" } })),
      /404: stream_not_found/,
    ],
    [
      (r) => {
        const more = () => {
          while (!r.destroyed && r.write(Buffer.alloc(1 << 20, " ")));
        };
        r.on("drain", more);
        more();
      },
      /larger than 64 MiB/,
    ],
  ] as readonly (readonly [(response: ServerResponse) => void, RegExp])[]) {
    service.answer(path, does);
    const outcome = await watch(service.url, state);
    assert.match(said(outcome), words);
    assert.deepEqual([outcome.code, outcome.stdout], [66, ""]);
  }
});

test("held receipts are covered, denied, contradicted, or left out for too long", async (t) => {
  const service = await tellingService(t);
  const receipts = (history: typeof told, ...numbers: number[]) =>
    numbers.map((number) => put(`receipt-${number}-of-${history.records.length}.json`, history.records[number - 1]));
  const state = fresh();
  await service.tell(told, 2);
  const first = await watch(service.url, state, "--receipts", ...receipts(told, 1, 5, 9));
  assert.match(first.stdout, /2 of 3 receipts are covered/);
  assert.equal(first.code, 0);
  await service.tell(told, 3);
  const all = await watch(service.url, state, "--receipts", ...receipts(told, 1, 5, 9));
  assert.match(all.stdout, /3 of 3 receipts are covered/);
  const before = service.asked.length;
  await watch(service.url, state, "--receipts", ...receipts(told, 1, 5, 9));
  assert.ok(!service.asked.slice(before).some((path) => path.includes("/receipts/")), "what is covered stays so");

  const other = await watch(service.url, state, "--receipts", ...receipts(retold, 6));
  assert.match(other.stdout, /told two histories/);
  assert.equal(other.code, 1);
  assert.equal((await svc(["forks", "verify", `${state}.fork.json`, "--public-key-hex", KEY])).code, 0);

  service.answer(`/v2/streams/${STREAM}/events`, (response) => response.end(JSON.stringify({ items: [] })));
  const denied = await watch(service.url, state, "--receipts", ...receipts(told, 4));
  assert.match(said(denied), /denies event 4, of which "receipt-4-of-10\.json" is a receipt: it shows no such event/);
  assert.equal(denied.code, 1);
  service.answer(`/v2/streams/${STREAM}/events`, null);

  const overdue = fresh();
  await service.tell(late);
  const broken = await watch(service.url, overdue, "--receipts", ...receipts(told, 9));
  assert.match(broken.stdout, /broke a promise/);
  assert.equal(broken.code, 1);
  assert.equal(JSON.parse(readFileSync(join(FOLDER, `${overdue}.fork.json`), "utf8")).kind, "omission");
  assert.equal((await svc(["forks", "verify", `${overdue}.fork.json`, "--public-key-hex", KEY])).code, 0);
});

test("a receipt that does not hold, or is of another stream, ends the call before anything is asked", async (t) => {
  const service = await tellingService(t);
  await service.tell(told);
  const other = await issueStream(4, { streamNo: 2 });
  const strangers = await issueStream(4, { signer: testSigner("stranger") });
  for (const [record, code, words] of [
    [{ ...told.records[0], seq_no: 2 }, 1, /is rejected/],
    [strangers.records[0], 2, /is untrusted/],
    [other.records[0], 64, /is of another stream/],
    [{ hello: "world" }, 66, /cannot be read/],
  ] as const) {
    const outcome = await watch(service.url, fresh(), "--receipts", put("held.json", record));
    assert.match(said(outcome), words);
    assert.deepEqual([outcome.code, service.asked], [code, []]);
  }
});

test("proof is sent on where that is asked for, and stays where it is not taken", async (t) => {
  const [service, court] = [await tellingService(t), await tellingService(t)];
  const state = fresh();
  await service.tell(told, 2);
  await watch(service.url, state);
  await service.tell(retold, 2);
  court.answer("/v2/forks", (response) => response.end(JSON.stringify({ outcome: "kept" })));
  const outcome = await watch(service.url, state, "--report", court.url);
  assert.match(outcome.stdout, /keeps it \(kept\)/);
  const [path, body] = (court.asked[0] ?? "").split(/ (.*)/s);
  assert.deepEqual([path, JSON.parse(body ?? "").kind], ["/v2/forks", "checkpoint"]);
  court.answer("/v2/forks", (response) => response.writeHead(409).end('{"detail":{"code":"too_many_forks"}}'));
  assert.match(said(await watch(service.url, state, "--report", court.url)), /did not take it: .*too_many_forks/);
});

test("without --once it looks again and again, through invalid answers, until something is wrong", async (t) => {
  const service = await tellingService(t);
  const state = fresh();
  await service.tell(told, 1);
  const path = `/v2/streams/${STREAM}/proof-state`;
  let looks = 0;
  // The third look gets no answer, and the fourth another history.
  const next = async () => {
    looks += 1;
    if (looks === 2) await service.tell(told, 2);
    if (looks === 4) await service.tell(retold, 3);
  };
  service.answer(path, (response) => {
    void next().then(() => {
      if (looks === 3) return response.writeHead(503).end();
      const newest = { 1: told.checkpoints[0], 2: told.checkpoints[1] }[looks] ?? retold.checkpoints[2];
      return response.end(JSON.stringify({ stream_id: STREAM, latest_checkpoint_id: newest?.checkpoint_id }));
    });
  });
  const args = ["watch", service.url, "--stream", STREAM, "--state", state, "--every", "1", "--public-key-hex", KEY];
  const outcome = await svc(args);
  assert.equal(outcome.code, 1);
  assert.match(outcome.stdout, /first one seen[\s\S]*extends checkpoint 1\.[\s\S]*told two histories/);
  assert.match(said(outcome), /it answered 503/);
});

test("a state file of another stream, or of another program, is refused and left alone", async (t) => {
  const service = await tellingService(t);
  await service.tell(told, 1);
  const state = fresh();
  await watch(service.url, state);
  const other = `str_01k3${"0".repeat(21)}2`;
  const args = ["watch", service.url, "--stream", other, "--state", state, "--once", "--public-key-hex", KEY];
  const wrong = await svc(args);
  assert.match(said(wrong), /is about another stream/);
  assert.equal(wrong.code, 64);
  const foreign = fresh();
  writeFileSync(join(FOLDER, foreign), "notes");
  const refused = await watch(service.url, foreign);
  assert.match(said(refused), /is not what svc watch remembers/);
  assert.deepEqual([refused.code, readFileSync(join(FOLDER, foreign), "utf8")], [64, "notes"]);
  rmSync(join(FOLDER, state));
  assert.match((await watch(service.url, state)).stdout, /the first one seen/);
});

for (const [name, args, words] of [
  [
    "no address",
    ["watch", "evidence.example", "--stream", STREAM, "--state", "x", "--public-key-hex", KEY],
    /no address/,
  ],
  ["no stream", ["watch", "http://127.0.0.1:9", "--stream", "loans", "--state", "x"], /named by str_/],
  ["no state", ["watch", "http://127.0.0.1:9", "--stream", STREAM], /--state/],
  [
    "both ways",
    ["watch", "http://127.0.0.1:9", "--stream", STREAM, "--state", "x", "--once", "--every", "5"],
    /cannot be used/,
  ],
] as const)
  test(`refused before anything is asked: ${name}`, async () => {
    const outcome = await svc(args);
    assert.match(said(outcome), words);
    assert.deepEqual([outcome.code, outcome.stdout], [64, ""]);
  });
