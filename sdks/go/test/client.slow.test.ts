/**
 * The Go client notices a server that lies, as the TypeScript client does (packages/sdk/test/lies.slow.test.ts): the
 * real server behind a proxy that changes its answers, and can sign as it does. One lie is one round. And behind a
 * proxy that drops, cuts, delays, repeats and mixes answers, each event is recorded once.
 */
import assert from "node:assert/strict";
import { after } from "node:test";
import { type EventInput, type PublicKeyHex, pinKeys, type ReceiptRecord, referenceKernel, verify } from "@svc/core";
import { type Lie, type MaliciousServer, startMaliciousServer } from "@svc/testkit/malicious-server";
import { UnreliableProxy } from "../../../tools/chaos/queue/unreliable-proxy.ts";
import { Seeded } from "../../../tools/chaos/seeded.ts";
import { GoError, GoStream, Puppet } from "./puppet.ts";
import { type Service, startService } from "./service.ts";
import { goTest, isThere } from "./toolchain.ts";

const LEAST_ROUNDS = 100;
/** Appends behind the faulty proxy. */
const APPENDS = Number(process.env.SVC_GO_ROUNDS ?? 100);
const OTHER_HASH = "ab".repeat(32);
const OTHER_KEY = { kid: "ed25519-0123456789abcdef", signature: "cd".repeat(64) };
const honest: Lie = (body) => body;

const { service, liar, puppet } = await begin();
let rounds = 0;

/** Starts what the tests share; without Go all of them are skipped, or fail. */
async function begin() {
  if (!isThere) return {} as { readonly service: Service; readonly liar: MaliciousServer; readonly puppet: Puppet };
  const started = await startService({ after });
  return { service: started, liar: await startMaliciousServer(started), puppet: Puppet.start({ after }) };
}

function build(number: number, changes: Partial<EventInput> = {}): EventInput {
  return {
    source_ref: `build-${number}`,
    event_type: "build.finished",
    occurred_at: "2026-03-01T09:30:00.5+01:00",
    payload: { commit: "9f2c41d0", passed: number % 2 === 0 },
    ...changes,
  };
}

/** Opens a client that asks through the proxy, and resolves to its number. */
async function opened(options: Readonly<Record<string, unknown>> = {}): Promise<number> {
  const { apiKey, publicKeyHex } = service;
  const { client } = await puppet.do<{ client: number }>("open", {
    baseUrl: liar.baseUrl,
    apiKey,
    publicKeyHex,
    ...options,
  });
  return client;
}

async function made(client: number): Promise<string> {
  const input = { system_id: service.systemId, use_case: "builds", policy_id: "default" };
  return (await puppet.do<{ stream_id: string }>("createStream", { client, input })).stream_id;
}

/** Returns a client, and a stream that it made, with one event. */
async function begun(options: Readonly<Record<string, unknown>> = {}) {
  liar.tell(honest);
  const client = await opened(options);
  const streamId = await made(client);
  const stream = new GoStream(puppet, client, streamId);
  const first = await stream.append(build(1));
  /** Another writer, to whom the proxy tells the truth. */
  const other = new GoStream(puppet, await opened({ baseUrl: service.baseUrl }), streamId);
  return { client, stream, streamId, first, other };
}

/** Changes receipts in answers to appends, one or several. */
function ofReceipts(change: (record: ReceiptRecord) => unknown): Lie {
  return async (body, path) => {
    if (!/\/events(\/batch)?$/.test(path) || body.items !== undefined) return body;
    if (body.receipts === undefined) return change(body);
    return { receipts: await Promise.all(body.receipts.map(change)) };
  };
}

async function failure(call: () => Promise<unknown>, what: string): Promise<GoError> {
  rounds += 1;
  const error = await call().then(
    () => null,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof GoError, `${what}: ${error ?? "nothing was noticed"}`);
  return error;
}

async function assertCaught(call: () => Promise<unknown>, code: string, what = code): Promise<GoError> {
  const caught = await failure(call, what);
  const { isLie, retryable, hasAnswer } = caught;
  const found = [caught.code, isLie, retryable, hasAnswer];
  assert.deepEqual(found, [code, true, false, true], `${what}: ${caught.message}`);
  return caught;
}

type Append = (stream: GoStream, event: EventInput, key?: string) => Promise<ReceiptRecord | undefined>;
const WAYS: Readonly<Record<string, Append>> = {
  "an event": (stream, event, key) => stream.append(event, key),
  "a batch": async (stream, event, key) => (await stream.appendBatch([event], key))[0],
};

/** Another value of each member, and the code that catches it. */
const CHANGES: Readonly<Record<string, readonly [change: (record: ReceiptRecord) => object, code: string]>> = {
  stream_event_id: [() => ({ stream_event_id: "sev_01k3aaaaaaaaaaaaaaaaaaaaaa" }), "event_hash_mismatch"],
  stream_id: [() => ({ stream_id: service.streamId }), "event_hash_mismatch"],
  seq_no: [({ seq_no }) => ({ seq_no: seq_no + 1 }), "event_hash_mismatch"],
  source_ref: [() => ({ source_ref: "build-3" }), "event_hash_mismatch"],
  event_type: [() => ({ event_type: "build.failed" }), "event_hash_mismatch"],
  occurred_at: [() => ({ occurred_at: "2026-03-01T08:30:00.5Z" }), "event_hash_mismatch"],
  received_at: [() => ({ received_at: "2099-03-01T08:30:00.500Z" }), "event_hash_mismatch"],
  payload_hash: [() => ({ payload_hash: OTHER_HASH }), "payload_hash_mismatch"],
  payload_salt: [() => ({ payload_salt: "ab".repeat(16) }), "payload_hash_mismatch"],
  payload: [() => ({ payload: { commit: "9f2c41d0", passed: false } }), "payload_hash_mismatch"],
  previous_event_hash: [() => ({ previous_event_hash: OTHER_HASH }), "event_hash_mismatch"],
  event_hash: [() => ({ event_hash: OTHER_HASH }), "event_hash_mismatch"],
  stream_head_hash: [() => ({ stream_head_hash: OTHER_HASH }), "head_hash_mismatch"],
  "receipt.protocol": [({ receipt }) => ({ receipt: { ...receipt, protocol: "SVC-2" } }), "unsupported_object"],
  "receipt.alg": [({ receipt }) => ({ receipt: { ...receipt, alg: "none" } }), "unsupported_object"],
  "receipt.kid": [({ receipt }) => ({ receipt: { ...receipt, kid: OTHER_KEY.kid } }), "key_not_pinned"],
  "receipt.signature": [
    ({ receipt }) => ({ receipt: { ...receipt, signature: OTHER_KEY.signature } }),
    "signature_invalid",
  ],
};

goTest("every member of a receipt, changed, left out, or one too many", async () => {
  const { stream, first } = await begun();
  for (const [name, [change, code]] of Object.entries(CHANGES)) {
    liar.tell(ofReceipts((record) => ({ ...record, ...change(record) })));
    await assertCaught(() => stream.append(build(2)), code, name);
    await assertCaught(() => stream.appendBatch([build(2), build(4)]), code, `${name} in a batch`);
  }
  for (const name of Object.keys(first)) {
    liar.tell(ofReceipts((record) => ({ ...record, [name]: undefined })));
    await assertCaught(() => stream.append(build(2)), "missing_member", name);
  }
  liar.tell(ofReceipts((record) => ({ ...record, verified: true })));
  await assertCaught(() => stream.append(build(2)), "unknown_member");
  liar.tell(ofReceipts(({ payload: _payload, payload_salt: _salt, ...redacted }) => redacted));
  await assertCaught(() => stream.append(build(2)), "receipt_redacted");
  for (const nothing of [null, [], 7, "receipt"]) {
    liar.tell(() => nothing);
    for (const call of [() => stream.append(build(2)), () => stream.head()])
      assert.equal((await failure(call, String(nothing))).code, "unexpected_answer");
  }
  liar.tell(() => ({}));
  await assertCaught(() => stream.append(build(2)), "missing_member", "an empty answer");
  await assertCaught(() => stream.appendBatch([build(2)]), "unexpected_answer", "an empty answer");
});

goTest("without a trust policy all but the signer is held against what was sent", async () => {
  const { stream } = await begun({ publicKeyHex: "" });
  for (const [name, [change, code]] of Object.entries(CHANGES)) {
    liar.tell(ofReceipts((record) => ({ ...record, ...change(record) })));
    if (name === "receipt.kid" || name === "receipt.signature") await stream.append(build(2));
    else await assertCaught(() => stream.append(build(2)), code, name);
  }
  liar.tell(ofReceipts((record) => liar.resealed(record, { source_ref: "build-3" })));
  await assertCaught(() => stream.append(build(2)), "receipt_mismatch");
});

goTest("a receipt that was signed anew says other than what was sent, or where it stands", async () => {
  const { stream, first } = await begun();
  const others: Partial<ReceiptRecord>[] = [
    { source_ref: "build-3" },
    { event_type: "build.failed" },
    { occurred_at: "2026-03-01T08:30:00.5Z" },
    { payload: { commit: "9f2c41d0", passed: false } },
    { payload: { commit: "9f2c41d0", passed: true, forced: true } },
  ];
  for (const changes of others) {
    liar.tell(ofReceipts((record) => liar.resealed(record, changes)));
    for (const [what, append] of Object.entries(WAYS))
      await assertCaught(() => append(stream, build(2)), "receipt_mismatch", `${what}: ${JSON.stringify(changes)}`);
  }
  liar.tell(ofReceipts((record) => liar.resealed(record, { stream_id: service.streamId })));
  await assertCaught(() => stream.append(build(2)), "stream_mismatch");
  liar.tell(ofReceipts(() => first));
  await assertCaught(() => stream.append(build(1)), "receipt_repeated", "an old receipt of the same event");
});

goTest("swapped answers; batches reordered, shortened, lengthened", async () => {
  const { stream } = await begun();
  const answers: { body: ReceiptRecord; give: (other: ReceiptRecord) => void }[] = [];
  liar.tell(async (body, path) => {
    if (!path.endsWith("/events")) return body;
    return new Promise((resolve) => {
      answers.push({ body, give: resolve });
      const [one, two] = answers;
      if (one === undefined || two === undefined) return;
      one.give(two.body);
      two.give(one.body);
    });
  });
  const both = [stream.append(build(3)), stream.append(build(4))];
  // The second may be refused while the first is looked at.
  for (const one of both) one.catch(() => undefined);
  for (const one of both) await assertCaught(() => one, "receipt_mismatch", "swapped");
  const cases: [string, (receipts: ReceiptRecord[]) => unknown, string][] = [
    ["reversed", (receipts) => receipts.toReversed(), "sequence_broken"],
    ["the last two exchanged", ([a, b, c]) => [a, c, b], "range_incomplete"],
    ["one twice", ([a, b]) => [a, b, b], "sequence_broken"],
    ["without the last", (receipts) => receipts.slice(0, -1), "range_incomplete"],
    ["without the first", (receipts) => receipts.slice(1), "range_incomplete"],
    ["one more", (receipts) => [...receipts, receipts[0]], "unexpected_answer"],
    ["none", () => undefined, "unexpected_answer"],
  ];
  for (const [what, change, code] of cases) {
    liar.tell((body, path) => (path.endsWith("/batch") ? { receipts: change(body.receipts) } : body));
    await assertCaught(() => stream.appendBatch([build(2), build(3), build(4)]), code, what);
  }
});

goTest("a number that is skipped is caught, and one that another writer took is not", async () => {
  const { stream, other } = await begun();
  const second = await other.append(build(2));
  const [third, fourth] = await stream.appendBatch([build(3), build(4)]);
  assert.deepEqual([third?.previous_event_hash, fourth?.seq_no], [second.event_hash, 4]);
  const skipping = ofReceipts((record) => liar.resealed(record, { seq_no: record.seq_no + 1 }));
  liar.tell((body, path) => (path.includes("from_seq_no") ? body : skipping(body, path)));
  await assertCaught(() => stream.append(build(5)), "previous_hash_mismatch");
  const hiding: Lie = (body, path) =>
    path.includes("from_seq_no") ? { items: [], next_cursor: null } : skipping(body, path);
  liar.tell(hiding);
  await assertCaught(() => stream.append(build(6)), "range_incomplete");
  for (const append of Object.values(WAYS)) {
    const trusting = await begun({ gaps: "accept" });
    liar.tell(skipping);
    assert.equal((await append(trusting.stream, build(2)))?.seq_no, 3);
  }
  liar.tell(honest);
  const client = await opened();
  const empty = new GoStream(puppet, client, await made(client));
  const later = { seq_no: 3, previous_event_hash: OTHER_HASH as ReceiptRecord["event_hash"] };
  const late = ofReceipts((record) => liar.resealed(record, later));
  liar.tell((body, path) => (path.includes("from_seq_no") ? { items: [], next_cursor: null } : late(body, path)));
  await assertCaught(() => empty.append(build(1)), "range_incomplete", "a new stream that does not begin with 1");
});

goTest("answers of many appends in any order hold together", async () => {
  const { stream } = await begun();
  const waiting: (() => void)[] = [];
  const count = 20;
  liar.tell(async (body, path) => {
    if (!path.endsWith("/events")) return body;
    await new Promise<void>((resolve) => {
      waiting.unshift(resolve);
      // The last answer comes first.
      if (waiting.length === count) for (const give of waiting) give();
    });
    return body;
  });
  const receipts = await Promise.all(Array.from({ length: count }, (_, index) => stream.append(build(index))));
  const numbers = receipts.map(({ seq_no }) => seq_no).sort((a, b) => a - b);
  assert.deepEqual(
    numbers,
    Array.from({ length: count }, (_, index) => index + 2),
  );
});

for (const [what, append] of Object.entries(WAYS))
  goTest(`two receipts of ${what} are evidence against the service`, async () => {
    const trust = pinKeys(referenceKernel, [service.publicKeyHex as PublicKeyHex]);
    const { stream, streamId } = await begun();
    const key = `build-2-of-${streamId}`;
    const second = await append(stream, build(2), key);
    assert.deepEqual(await append(stream, build(2), key), second, "the same key, the same receipt");
    const later = { received_at: "2099-03-01T08:30:00.500Z" as ReceiptRecord["received_at"] };
    liar.tell(ofReceipts((record) => liar.resealed(record, later)));
    const error = await assertCaught(() => append(stream, build(2), key), "fork_detected");
    assert.equal(error.key, key);
    const report = verify(new TextEncoder().encode(JSON.stringify(error.fork)), { trust });
    assert.deepEqual([report.verdict, report.kind], ["verified", "fork"], JSON.stringify(report.problems));
    liar.tell(ofReceipts((record) => liar.resealed(record, later, "a stranger")));
    await assertCaught(() => append(stream, build(2), key), "key_not_pinned");
  });

goTest("a head that goes back, that is another event's, or that nobody signed", async () => {
  const { stream, first, client } = await begun();
  const old = await stream.head();
  assert.equal(old["event_hash"], first.event_hash);
  const second = await stream.append(build(2));
  const tellHead = (change: (head: typeof old) => object) =>
    liar.tell((body, path) => (path.endsWith("/head") ? change(body) : body));
  tellHead(() => old);
  await assertCaught(() => stream.head(), "head_stale");
  for (const [name, value] of Object.entries({
    stream_id: service.streamId,
    stream_event_id: first.stream_event_id,
    event_hash: OTHER_HASH,
    previous_event_hash: OTHER_HASH,
    stream_head_hash: OTHER_HASH,
    seq_no: 3,
    receipt: { ...second.receipt, signature: OTHER_KEY.signature },
  })) {
    tellHead((head) => ({ ...head, [name]: value }));
    await assertCaught(() => stream.head(), "receipt_mismatch", name);
  }
  liar.tell(honest);
  assert.equal((await stream.head())["event_hash"], second.event_hash);
  const emptyId = await made(client);
  const empty = new GoStream(puppet, client, emptyId);
  await empty.continueFrom({ ...second, stream_id: emptyId as ReceiptRecord["stream_id"] });
  await assertCaught(() => empty.head(), "head_stale", "empty again");
});

goTest("stored receipts and lists are held to the same", async () => {
  const { stream, first, client } = await begun();
  const receipts = await stream.appendBatch([build(2), build(3), build(4), build(5)]);
  const numbers = (await stream.events({ limit: 2 })).map(({ seq_no }) => seq_no);
  assert.deepEqual(numbers, [1, 2, 3, 4, 5]);
  const receipt = () => puppet.do("receipt", { client, eventId: first.stream_event_id });
  liar.tell((body, path) => (path.startsWith("/v2/receipts/") ? { ...body, source_ref: "build-9" } : body));
  await assertCaught(receipt, "event_hash_mismatch");
  liar.tell((body, path) => (path.startsWith("/v2/receipts/") ? receipts[0] : body));
  await assertCaught(receipt, "receipt_mismatch");
  const inList = (change: (items: ReceiptRecord[]) => unknown[]) =>
    liar.tell((body, path) =>
      path.includes("/events?") || path.endsWith("/events") ? { ...body, items: change(body.items) } : body,
    );
  inList((items) => items.filter(({ seq_no }) => seq_no !== 2));
  await assertCaught(() => stream.events({ one: true }), "range_incomplete", "one of a page");
  inList((items) => items.filter(({ seq_no }) => seq_no !== 1));
  await assertCaught(() => stream.events({ one: true }), "range_incomplete", "the first");
  inList((items) => items.filter(({ seq_no }) => seq_no !== 3));
  await assertCaught(() => stream.events({ limit: 2 }), "range_incomplete", "the first of a page");
  inList((items) => items.map((item) => ({ ...item, source_ref: "build-9" })));
  await assertCaught(() => stream.events({ source_ref: "build-4", one: true }), "event_hash_mismatch", "a chosen one");
  liar.tell((body, path) => (path.includes("source_ref") ? { ...body, items: [first] } : body));
  await assertCaught(() => stream.events({ source_ref: "build-4" }), "receipt_mismatch", "another source_ref");
  liar.tell((body, path) => (path.includes("event_type") ? { ...body, items: body.items.toReversed() } : body));
  await assertCaught(() => stream.events({ event_type: "build.finished" }), "receipt_mismatch", "another order");
  inList((items) => items.slice(0, -1));
  await assertCaught(() => stream.events(), "head_stale", "without the newest");
  inList(() => []);
  await assertCaught(() => stream.events(), "head_stale", "empty");
  await assertCaught(() => stream.events({ from_seq_no: 5 }), "head_stale", "the newest alone, kept back");
  assert.deepEqual(await stream.events({ from_seq_no: 6 }), [], "behind the newest there is nothing");
  const cursor = Buffer.from("2").toString("base64url");
  liar.tell((body, path) =>
    path.includes("/events") && !path.includes("cursor") ? { items: [], next_cursor: cursor } : body,
  );
  await assertCaught(() => stream.events(), "range_incomplete", "an empty page, and then event 3");
});

goTest("the event log is held to the same", async () => {
  liar.tell(honest);
  const client = await opened();
  const login = (number: number) => ({
    type: "login",
    status: "granted",
    occurred_at: "2026-03-01T09:30:00+01:00",
    source_ref: `session-${number}`,
    payload: { attempts: number },
  });
  const append = (number: number) => puppet.do<ReceiptRecord>("logAppend", { client, logged: [login(number)] });
  const first = await append(1);
  liar.tell(ofReceipts(() => first));
  await assertCaught(() => append(1), "receipt_repeated");
  for (const [name, [change]] of Object.entries(CHANGES)) {
    liar.tell(ofReceipts((record) => ({ ...record, ...change(record) })));
    assert.ok((await failure(() => append(2), name)).isLie, name);
  }
  const otherwise = { payload: { status: "refused", payload: { attempts: 3 } } };
  liar.tell(ofReceipts((record) => liar.resealed(record, otherwise)));
  await assertCaught(() => append(3), "receipt_mismatch");
  liar.tell((body, path) => (path.endsWith("/batch") ? { receipts: body.receipts.toReversed() } : body));
  const batch = () => puppet.do("logAppendBatch", { client, logged: [login(4), login(5)] });
  await assertCaught(batch, "sequence_broken");
});

goTest("more endorsements than a service can have keys are not gone through", async () => {
  liar.tell(honest);
  const { streamId } = await begun({ publicKeyHex: "" });
  const stranger = await opened({ publicKeyHex: OTHER_HASH });
  const stream = new GoStream(puppet, stranger, streamId);
  const serve = (count: number) =>
    liar.tell((body, path) => (path === "/v2/keys" ? { ...body, endorsements: Array(count).fill({}) } : body));
  serve(257);
  assert.equal((await failure(() => stream.append(build(2)), "257")).code, "unexpected_answer");
  serve(0);
  await assertCaught(() => stream.append(build(2)), "key_not_pinned");
});

goTest(`the client has met at least ${LEAST_ROUNDS} lies`, () => {
  assert.ok(rounds >= LEAST_ROUNDS, `${rounds}`);
});

goTest("behind a proxy that drops, cuts, delays, repeats and mixes answers, each event is recorded once", async () => {
  const proxy = await UnreliableProxy.start(new Seeded(30));
  try {
    proxy.target = service.baseUrl;
    const client = await opened({ baseUrl: proxy.url, timeoutMs: 150 });
    const straight = await opened({ baseUrl: service.baseUrl });
    const streamId = await made(straight);
    const stream = new GoStream(puppet, client, streamId);
    proxy.percent = 40;
    for (let number = 1; number <= APPENDS; number++) {
      for (;;) {
        const error = await stream.append(build(number), `sent-${number}`).then(
          () => null,
          (reason: GoError) => reason,
        );
        if (error === null) break;
        // An older answer is noticed as one to another request; all else is repeated by the program, under its key.
        assert.ok(error.retryable || error.isLie || error.code === "unexpected_answer", error.message);
        assert.equal(error.key, `sent-${number}`);
      }
    }
    await proxy.settled();
    const recorded = await new GoStream(puppet, straight, streamId).events({ limit: 500 });
    const refs = recorded.map(({ source_ref }) => source_ref);
    assert.deepEqual(
      refs,
      Array.from({ length: APPENDS }, (_, index) => `build-${index + 1}`),
    );
  } finally {
    await proxy.close();
  }
});
