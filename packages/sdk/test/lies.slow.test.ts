/**
 * A server that lies is noticed at once: the real server behind a proxy that changes its answers, and can sign as it
 * does.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type EventInput, type PublicKeyHex, pinKeys, type ReceiptRecord, referenceKernel, verify } from "@svc/core";
import { type Lie, startMaliciousServer } from "@svc/testkit/malicious-server";
import { type ClientOptions, SvcClient, VerificationError, type WriteOptions } from "../src/index.ts";
import { collect } from "./collect.ts";
import { startServer } from "./server.ts";

const server = await startServer();
const liar = await startMaliciousServer(server);
const trust = pinKeys(referenceKernel, [server.publicKeyHex as PublicKeyHex]);
const honest: Lie = (body) => body;

function build(number: number, changes: Partial<EventInput> = {}): EventInput {
  return {
    source_ref: `build-${number}`,
    event_type: "build.finished",
    occurred_at: "2026-03-01T09:30:00.5+01:00",
    payload: { commit: "9f2c41d0", passed: number % 2 === 0 },
    ...changes,
  };
}

/** Returns a client that asks through the proxy, and a stream that it made, with one event. */
async function begun(options: Partial<ClientOptions> = { trust }) {
  liar.tell(honest);
  const client = new SvcClient({ ...server, baseUrl: liar.baseUrl, ...options });
  const { stream_id } = await client.createStream({
    system_id: server.systemId,
    use_case: "builds",
    policy_id: "default",
  });
  const stream = client.stream(stream_id);
  const first = await stream.append(build(1));
  /** Another writer, to whom the proxy tells the truth. */
  const other = new SvcClient({ ...server, trust }).stream(stream_id);
  return { client, stream, first, other };
}

/** Changes receipts in answers to appends, one or several. */
function ofReceipts(change: (record: ReceiptRecord) => unknown): Lie {
  return async (body, path) => {
    if (!/\/events(\/batch)?$/.test(path) || body.items !== undefined) return body;
    if (body.receipts === undefined) return change(body);
    return { receipts: await Promise.all(body.receipts.map(change)) };
  };
}

async function assertCaught(call: () => PromiseLike<unknown>, code: string, what = code): Promise<VerificationError> {
  let caught: unknown;
  try {
    await call();
  } catch (error) {
    caught = error;
  }
  assert.ok(caught instanceof VerificationError, `${what}: ${caught ?? "nothing was noticed"}`);
  assert.deepEqual([caught.code, caught.retryable], [code, false], `${what}: ${caught.message}`);
  assert.notEqual(caught.answer, undefined, what);
  return caught;
}

type Stream = ReturnType<SvcClient["stream"]>;

/** The two ways to append an event: a client checks the receipts of a batch otherwise than a single one. */
const APPENDS: Readonly<
  Record<string, (stream: Stream, event: EventInput, options?: WriteOptions) => Promise<ReceiptRecord | undefined>>
> = {
  "an event": (stream, event, options) => stream.append(event, options),
  "a batch": async (stream, event, options) => (await stream.appendBatch([event], options))[0],
};

const OTHER_HASH = "ab".repeat(32);
const OTHER_KEY = { kid: "ed25519-0123456789abcdef", signature: "cd".repeat(64) };

/** Another value of each member, and the code that catches it; in the order of protocol section 7. */
const CHANGES: Readonly<Record<string, readonly [change: (record: ReceiptRecord) => object, code: string]>> = {
  stream_event_id: [() => ({ stream_event_id: "sev_01k3aaaaaaaaaaaaaaaaaaaaaa" }), "event_hash_mismatch"],
  stream_id: [() => ({ stream_id: server.streamId }), "event_hash_mismatch"],
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

test("every member of a receipt, changed", async () => {
  const { stream, first } = await begun();
  const members = Object.keys(first).flatMap((name) =>
    name === "receipt" ? Object.keys(first.receipt).map((inner) => `receipt.${inner}`) : [name],
  );
  assert.deepEqual(members.sort(), Object.keys(CHANGES).sort(), "the list has every member");
  for (const [name, [change, code]] of Object.entries(CHANGES)) {
    liar.tell(ofReceipts((record) => ({ ...record, ...change(record) })));
    await assertCaught(() => stream.append(build(2)), code, name);
    await assertCaught(() => stream.appendBatch([build(2), build(4)]), code, `${name} in a batch`);
  }
});

test("every member of a receipt, left out; one that no receipt has; and none at all", async () => {
  const { stream, first } = await begun();
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
    await assert.rejects(stream.append(build(2)), { name: "SvcError", code: "unexpected_answer" });
    await assert.rejects(stream.head(), { name: "SvcError", code: "unexpected_answer" });
  }
  liar.tell(() => ({}));
  await assertCaught(() => stream.append(build(2)), "missing_member", "an empty answer");
  await assertCaught(() => stream.appendBatch([build(2)]), "unexpected_answer", "an empty answer");
});

test("without a trust policy nothing is called verified, and all but the signer is held against what was sent", async () => {
  const { client, stream } = await begun({});
  assert.equal(client.receiptVerdict, "untrusted");
  assert.equal(new SvcClient({ ...server, trust }).receiptVerdict, "verified");
  for (const [name, [change, code]] of Object.entries(CHANGES)) {
    liar.tell(ofReceipts((record) => ({ ...record, ...change(record) })));
    if (name === "receipt.kid" || name === "receipt.signature") await stream.append(build(2));
    else await assertCaught(() => stream.append(build(2)), code, name);
  }
  liar.tell(ofReceipts((record) => liar.resealed(record, { source_ref: "build-3" })));
  await assertCaught(() => stream.append(build(2)), "receipt_mismatch");
});

test("a receipt that differs from the request is rejected, even if it is signed anew", async () => {
  const { stream } = await begun();
  const others: Partial<ReceiptRecord>[] = [
    { source_ref: "build-3" },
    { event_type: "build.failed" },
    { occurred_at: "2026-03-01T08:30:00.5Z" },
    { payload: { commit: "9f2c41d0", passed: false } },
    { payload: { commit: "9f2c41d0", passed: true, forced: true } },
  ];
  for (const changes of others) {
    liar.tell(ofReceipts((record) => liar.resealed(record, changes)));
    for (const [what, append] of Object.entries(APPENDS))
      await assertCaught(() => append(stream, build(2)), "receipt_mismatch", `${what}: ${JSON.stringify(changes)}`);
  }
});

for (const [what, append] of Object.entries(APPENDS))
  test(`a receipt of ${what} that was signed anew says where it stands: another stream, time or history`, async () => {
    const { stream, first } = await begun();
    liar.tell(ofReceipts((record) => liar.resealed(record, { stream_id: server.streamId })));
    await assertCaught(() => append(stream, build(2)), "stream_mismatch");
    const fresh = await begun();
    liar.tell(ofReceipts((record) => liar.resealed(record, { received_at: "2020-03-01T08:30:00.500Z" })));
    await assertCaught(() => append(fresh.stream, build(2)), "sequence_broken");
    const again = await begun();
    const event_hash = first.event_hash;
    liar.tell(ofReceipts((record) => liar.resealed(record, { previous_event_hash: event_hash })));
    await assertCaught(() => append(again.stream, build(2)), "previous_hash_mismatch");
  });

test("swapped receipts, one of another stream, an old one repeated", async () => {
  const { stream, first, client } = await begun();
  const elsewhere = await client.stream(server.streamId).append(build(2));
  liar.tell(ofReceipts(() => elsewhere));
  await assertCaught(() => stream.append(build(2)), "stream_mismatch");
  liar.tell(ofReceipts(() => first));
  await assertCaught(() => stream.append(build(1)), "receipt_repeated", "an old receipt of the same event");

  // Both answers wait until both are there.
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
  for (const one of both) await assertCaught(() => one, "receipt_mismatch", "swapped");
});

test("batch answers reordered, shortened, lengthened", async () => {
  const { stream } = await begun();
  const events = [build(2), build(3), build(4)];
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
    await assertCaught(() => stream.appendBatch(events), code, what);
  }
});

test("a number that is skipped is caught, and one that another writer took is not", async () => {
  const { stream, first, other } = await begun();
  const second = await other.append(build(2));
  const [third, fourth] = await stream.appendBatch([build(3), build(4)]);
  assert.deepEqual([third?.previous_event_hash, fourth?.seq_no], [second.event_hash, 4]);

  const skipping = ofReceipts((record) => liar.resealed(record, { seq_no: record.seq_no + 1 }));
  liar.tell((body, path) => (path.includes("from_seq_no") ? body : skipping(body, path)));
  // The service shows event 5, which it has recorded under the number 6.
  await assertCaught(() => stream.append(build(5)), "previous_hash_mismatch");
  liar.tell((body, path) => (path.includes("from_seq_no") ? { items: [], next_cursor: null } : skipping(body, path)));
  await assertCaught(() => stream.append(build(6)), "range_incomplete");

  for (const append of Object.values(APPENDS)) {
    const trusting = await begun({ trust, gaps: "accept" });
    liar.tell(skipping);
    assert.equal((await append(trusting.stream, build(2)))?.seq_no, 3);
  }
  assert.equal(first.seq_no, 1);
});

test("many at the same time, and a long batch: whatever order the answers come in, they hold together", async () => {
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
  liar.tell(honest);
  const batch = await stream.appendBatch(Array.from({ length: 1000 }, (_, index) => build(index)));
  assert.equal((await stream.append(build(1))).previous_event_hash, batch.at(-1)?.event_hash);
  liar.tell(ofReceipts((record) => liar.resealed(record, { previous_event_hash: OTHER_HASH as never })));
  await assertCaught(() => stream.append(build(2)), "previous_hash_mismatch", "behind a long batch");
});

test("a new stream that does not begin with event 1", async () => {
  liar.tell(honest);
  const client = new SvcClient({ ...server, baseUrl: liar.baseUrl, trust });
  const { stream_id } = await client.createStream({ system_id: server.systemId, use_case: "x", policy_id: "default" });
  const skipping = ofReceipts((record) =>
    liar.resealed(record, { seq_no: 3, previous_event_hash: OTHER_HASH as ReceiptRecord["event_hash"] }),
  );
  liar.tell((body, path) => (path.includes("from_seq_no") ? { items: [], next_cursor: null } : skipping(body, path)));
  for (const [what, append] of Object.entries(APPENDS))
    await assertCaught(() => append(client.stream(stream_id), build(1)), "range_incomplete", what);
});

for (const [what, append] of Object.entries(APPENDS))
  test(`two receipts of ${what} are evidence against the service`, async () => {
    const { stream, other } = await begun();
    const key = "build-2";
    const second = await append(stream, build(2), { idempotencyKey: key });
    assert.deepEqual(await append(stream, build(2), { idempotencyKey: key }), second, "the same key, the same receipt");
    liar.tell(ofReceipts((record) => liar.resealed(record, { received_at: "2099-03-01T08:30:00.500Z" })));
    const error = await assertCaught(() => append(stream, build(2), { idempotencyKey: key }), "fork_detected");
    // A client without the service's key convicts nobody.
    const later = { received_at: "2099-03-01T08:30:00.500Z" };
    liar.tell(ofReceipts((record) => liar.resealed(record, later, "a stranger")));
    await assertCaught(() => append(stream, build(2), { idempotencyKey: key }), "key_not_pinned");
    assert.equal(error.idempotencyKey, key);
    const evidence = new TextEncoder().encode(JSON.stringify(error.fork));
    const report = verify(evidence, { trust });
    assert.deepEqual([report.verdict, report.kind], ["verified", "fork"], JSON.stringify(report.problems));
    assert.equal((await other.head()).seq_no, 2);
  });

test("a head that goes back, that is another event's, or that nobody signed", async () => {
  const { stream, first, client } = await begun();
  const old = await stream.head();
  assert.equal(old.event_hash, first.event_hash);
  const second = await stream.append(build(2));
  const tellHead = (change: (head: typeof old) => object) =>
    liar.tell((body, path) => (path.endsWith("/head") ? change(body) : body));
  tellHead(() => old);
  await assertCaught(() => stream.head(), "head_stale");
  for (const [name, value] of Object.entries({
    stream_id: server.streamId,
    event_hash: OTHER_HASH,
    previous_event_hash: OTHER_HASH,
    stream_head_hash: OTHER_HASH,
    seq_no: 3,
    receipt: { ...second.receipt, signature: OTHER_KEY.signature },
  })) {
    tellHead((head) => ({ ...head, [name]: value }));
    await assertCaught(() => stream.head(), "receipt_mismatch", name);
  }
  tellHead((head) => ({ ...head, stream_event_id: first.stream_event_id }));
  await assertCaught(() => stream.head(), "receipt_mismatch", "stream_event_id");
  liar.tell(honest);
  assert.equal((await stream.head()).event_hash, second.event_hash);
  // An empty stream has no head: the service says so with an error, which the proxy passes on.
  const empty = await client.createStream({ system_id: server.systemId, use_case: "x", policy_id: "default" });
  const kept = client.stream(empty.stream_id, { head: { ...second, stream_id: empty.stream_id } });
  await assertCaught(() => kept.head(), "head_stale", "empty again");
});

test("stored receipts and lists are held to the same", async () => {
  const { stream, first, client } = await begun();
  const receipts = await stream.appendBatch([build(2), build(3), build(4), build(5)]);
  assert.deepEqual(
    (await collect(stream.events({ limit: 2 }))).map(({ seq_no }) => seq_no),
    [1, 2, 3, 4, 5],
  );

  liar.tell((body, path) => (path.startsWith("/v2/receipts/") ? { ...body, source_ref: "build-9" } : body));
  await assertCaught(() => client.receipt(first.stream_event_id), "event_hash_mismatch");
  liar.tell((body, path) => (path.startsWith("/v2/receipts/") ? receipts[0] : body));
  await assertCaught(() => client.receipt(first.stream_event_id), "receipt_mismatch");

  const inList = (change: (items: ReceiptRecord[], path: string) => unknown[]) =>
    liar.tell((body, path) =>
      path.includes("/events?") || path.endsWith("/events") ? { ...body, items: change(body.items, path) } : body,
    );
  inList((items) => items.filter(({ seq_no }) => seq_no !== 2));
  await assertCaught(() => stream.events(), "range_incomplete", "one of a page");
  inList((items) => items.filter(({ seq_no }) => seq_no !== 1));
  await assertCaught(() => stream.events(), "range_incomplete", "the first");
  inList((items) => items.filter(({ seq_no }) => seq_no !== 3));
  await assertCaught(() => collect(stream.events({ limit: 2 })), "range_incomplete", "the first of a page");
  inList((items) => items.map((item) => ({ ...item, source_ref: "build-9" })));
  await assertCaught(() => stream.events({ source_ref: "build-4" }), "event_hash_mismatch", "one that was chosen");
  // These records hold, but are not the ones that were asked for.
  liar.tell((body, path) => (path.includes("source_ref") ? { ...body, items: [first] } : body));
  await assertCaught(() => stream.events({ source_ref: "build-4" }), "receipt_mismatch", "another source_ref");
  liar.tell((body, path) => (path.includes("event_type") ? { ...body, items: body.items.toReversed() } : body));
  await assertCaught(() => stream.events({ event_type: "build.finished" }), "receipt_mismatch", "another order");
  inList((items) => items.slice(0, -1));
  await assertCaught(() => stream.events(), "head_stale", "without the newest");
  inList(() => []);
  await assertCaught(() => stream.events(), "head_stale", "empty");
  await assertCaught(() => stream.events({ from_seq_no: 5 }), "head_stale", "the newest alone, kept back");
  assert.deepEqual((await stream.events({ from_seq_no: 6 })).items, [], "behind the newest there is nothing");
  // An empty page may come before others, and hides no missing event.
  const cursor = Buffer.from("2").toString("base64url");
  liar.tell((body, path) =>
    path.includes("/events") && !path.includes("cursor") ? { items: [], next_cursor: cursor } : body,
  );
  await assertCaught(() => collect(stream.events()), "range_incomplete", "an empty page, and then event 3");
  liar.tell((body, path) => (path.includes("/events?") ? { ...body, next_cursor: "MQ" } : body));
  await assert.rejects(collect(stream.events({ limit: 2, cursor: "MQ" })), { code: "unexpected_answer" });
});

test("the event log is held to the same", async () => {
  liar.tell(honest);
  const client = new SvcClient({ ...server, baseUrl: liar.baseUrl, trust });
  const login = (number: number) => ({
    type: "login",
    status: "granted",
    occurred_at: "2026-03-01T09:30:00+01:00",
    source_ref: `session-${number}`,
    payload: { attempts: number },
  });
  const first = await client.log.append(login(1));
  liar.tell(ofReceipts(() => first));
  await assertCaught(() => client.log.append(login(1)), "receipt_repeated");
  for (const [name, [change]] of Object.entries(CHANGES)) {
    liar.tell(ofReceipts((record) => ({ ...record, ...change(record) })));
    await assert.rejects(client.log.append(login(2)), VerificationError, name);
  }
  liar.tell(
    ofReceipts((record) => liar.resealed(record, { payload: { status: "refused", payload: { attempts: 3 } } })),
  );
  await assertCaught(() => client.log.append(login(3)), "receipt_mismatch");
  liar.tell((body, path) => (path.endsWith("/batch") ? { receipts: body.receipts.toReversed() } : body));
  await assertCaught(() => client.log.appendBatch([login(4), login(5)]), "sequence_broken");
});

test("more endorsements than a service can have keys are not gone through", async () => {
  const stranger = pinKeys(referenceKernel, [OTHER_HASH as PublicKeyHex]);
  const { stream } = await begun({});
  const client = new SvcClient({ ...server, baseUrl: liar.baseUrl, trust: stranger });
  const serve = (count: number) =>
    liar.tell((body, path) => (path === "/v2/keys" ? { ...body, endorsements: Array(count).fill({}) } : body));
  serve(257);
  await assert.rejects(client.stream(stream.streamId).append(build(2)), { code: "unexpected_answer" });
  serve(0);
  await assertCaught(() => client.stream(stream.streamId).append(build(2)), "key_not_pinned");
});

test("a policy that is not well formed is the caller's mistake, before anything is sent", async () => {
  liar.tell(honest);
  const other = { ...trust, signers: [{ ...trust.signers[0], kid: OTHER_KEY.kid }] };
  const client = new SvcClient({ ...server, baseUrl: liar.baseUrl, trust: other as never });
  const before = (await new SvcClient(server).stream(server.streamId).events({ limit: 500 })).items.length;
  await assert.rejects(client.stream(server.streamId).append(build(7)), TypeError);
  assert.equal((await new SvcClient(server).stream(server.streamId).events({ limit: 500 })).items.length, before);
});
