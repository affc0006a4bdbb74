/**
 * The receipts of a batch, checked as they are in the answer: whatever is accepted so is accepted record by record,
 * and whatever is accepted record by record is accepted so, unless the time of a signature matters.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { otherHash, resealRecord } from "@svc/testkit/evidence/resealed";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { KernelStopped } from "@svc/wasm/errors";
import {
  type EventInput,
  encodeHex,
  type HashHex,
  issueKeyEndorsement,
  type Json,
  type JsonObject,
  type Kernel,
  kidOf,
  pinKeys,
  type ReceiptRecord,
  redactRecord,
  referenceKernel,
} from "../src/index.ts";
import { mutants } from "./mutations.ts";
import {
  bytesOf,
  eventOf,
  events,
  type Given,
  isAccepted,
  kernel,
  MEMBERS,
  read,
  receipts,
  records,
  STREAM,
  trust,
} from "./recorded-batch.ts";

const stranger = testSigner("stranger");

for (const by of [kernel, referenceKernel])
  test(`the records of a good answer are those that parsing gives, by the ${by.name} kernel`, () => {
    assert.deepEqual(read({ by }), receipts);
    assert.ok(isAccepted({ by }));
    const spaced = new TextEncoder().encode(JSON.stringify({ receipts, more: [1] }, null, 1));
    assert.deepEqual(read({ by, answer: spaced }), receipts, "other spelling, and members beside the receipts");
    const first = { request: bytesOf({ events: records.map(eventOf) }), answer: bytesOf({ receipts: records }) };
    assert.deepEqual(read({ by, ...first }), records, "from event 1 on");
    assert.equal(read({ by, answer: bytesOf({ receipts: receipts.toReversed() }) }), null);
  });

test("every edit of the answer is judged as record by record", () => {
  let [all, accepted] = [0, 0];
  const request = bytesOf({ events: events.slice(0, 2) });
  for (const { what, value } of mutants({ receipts: receipts.slice(0, 2) } as unknown as Json)) {
    const given = { request, answer: kernel.canonicalize(value) };
    const expected = isAccepted(given);
    assert.equal(read(given) !== null, expected, what);
    [all, accepted] = [all + 1, accepted + Number(expected)];
  }
  // Only a member beside the receipts changes nothing.
  assert.ok(all > 200 && accepted === 1, `${accepted} of ${all}`);
});

test("every edit of the request is judged as record by record", () => {
  let [all, accepted] = [0, 0];
  const answer = bytesOf({ receipts: receipts.slice(0, 2) });
  for (const { what, value } of mutants({ events: events.slice(0, 2) } as unknown as Json)) {
    const given = { answer, request: kernel.canonicalize(value) };
    const expected = isAccepted(given);
    assert.equal(read(given) !== null, expected, what);
    [all, accepted] = [all + 1, accepted + Number(expected)];
  }
  // A member beside the events, and one beside the members of each event.
  assert.ok(all > 50 && accepted === 3, `${accepted} of ${all}`);
});

/** Resolves to the first receipt with another payload and salt, sealed anew. */
function withPayload(payload: Json, payload_salt = "ab".repeat(16)): Promise<ReceiptRecord> {
  const hash = kernel.taggedHash("payload", kernel.canonicalize({ payload, salt: payload_salt }));
  const changes = { payload: payload as JsonObject, payload_salt, payload_hash: encodeHex(hash) as HashHex };
  return resealRecord(receipts[0] as ReceiptRecord, changes);
}

test("what the service itself sealed wrongly is judged as record by record", async () => {
  const [first, second] = receipts as [ReceiptRecord, ReceiptRecord];
  const zeros = "0".repeat(64) as HashHex;
  for (const [what, changed] of Object.entries({
    "a chain that begins again": await resealRecord(first, { previous_event_hash: zeros }),
    "another payload": await resealRecord(first, { payload: { other: true } }),
    "another salt": await resealRecord(first, { payload_salt: "ab".repeat(16) }),
    "another payload hash": await resealRecord(first, { payload_hash: otherHash(first.payload_hash) }),
    "another head": await resealRecord(first, { stream_head_hash: otherHash(first.stream_head_hash) }),
    "another event hash": await resealRecord(first, { event_hash: otherHash(first.event_hash) }),
    "a time that names no moment": await resealRecord(first, { received_at: "2026-02-30T00:00:00.000Z" }),
    "a malformed type": await resealRecord(first, { event_type: "a b" }),
    "a malformed salt": await withPayload(events[0]?.payload ?? {}, "AB"),
    "a payload that is a list": await withPayload([1]),
    "another stream": await resealRecord(first, { stream_id: id("str", 2) }),
    "a stranger's": await resealRecord(first, {}, stranger),
    "without its payload": redactRecord(first),
  })) {
    const one = { request: bytesOf({ events: [events[0] as EventInput] }), answer: bytesOf({ receipts: [changed] }) };
    assert.equal(read(one), null, what);
    assert.equal(isAccepted(one), false, what);
    const both = { answer: bytesOf({ receipts: [changed, second] }), request: bytesOf({ events: events.slice(0, 2) }) };
    assert.equal(read(both), null, `${what}, with another behind it`);
    // The same, said by the request as well.
    const said = { ...one, request: bytesOf({ events: [{ ...events[0], ...pick(changed) } as EventInput] }) };
    assert.equal(read(said) !== null, isAccepted(said), `${what}, as it was sent`);
  }
});

function pick(record: Partial<ReceiptRecord>): Partial<EventInput> {
  return Object.fromEntries(MEMBERS.flatMap((name) => (name in record ? [[name, record[name]]] : [])));
}

test("nothing is accepted of an empty answer, or of what is no JSON", () => {
  for (const [what, given] of Object.entries({
    empty: { request: bytesOf({ events: [] }), answer: bytesOf({ receipts: [] }) },
    "no receipts": { answer: bytesOf({}) },
    "no events": { request: bytesOf({}) },
    "receipts that are an object": { answer: bytesOf({ receipts: { ...receipts } }) },
    "events that are an object": { request: bytesOf({ events: { ...events } }) },
    "a list": { answer: bytesOf([receipts]) },
    "fewer events": { request: bytesOf({ events: events.slice(1) }) },
    "fewer receipts": { answer: bytesOf({ receipts: receipts.slice(1) }) },
    "cut off": { answer: bytesOf({ receipts }).slice(0, -1) },
    "a request cut off": { request: bytesOf({ events }).slice(0, -1) },
  }))
    assert.deepEqual([read(given), isAccepted(given)], [null, false], what);
});

test("nothing is accepted of more records than a kernel returns at once", () => {
  for (const list of ["receipts", "events"]) {
    const twice: Kernel = {
      ...kernel,
      openJson: (bytes) => {
        const opened = kernel.openJson(bytes);
        if (!opened.ok) return opened;
        const { document } = opened;
        const own = document.records.bind(document);
        document.records = (path, recipe) => {
          const columns = [...(own(path, recipe) ?? [])];
          return path[0] === list ? [...columns, ...columns] : columns;
        };
        return opened;
      },
    };
    assert.equal(read({ by: twice }), null, list);
  }
});

test("nothing is accepted by a kernel that stops, and other failures are not hidden", () => {
  const failing = (error: Error): Kernel => ({
    ...kernel,
    openJson: () => {
      throw error;
    },
  });
  for (const error of [new RangeError("no memory"), new KernelStopped("stopped")])
    assert.equal(read({ by: failing(error) }), null, error.message);
  assert.throws(() => read({ by: failing(new TypeError("a fault")) }), TypeError);
});

test("a payload is as deep as the protocol allows, and no deeper", async () => {
  const deep = (depth: number): JsonObject => (depth === 1 ? {} : { a: deep(depth - 1) });
  for (const [depth, isRight] of [
    [32, true],
    [33, false],
  ] as const) {
    const record = await withPayload(deep(depth));
    const given = { answer: bytesOf({ receipts: [record] }), request: bytesOf({ events: [eventOf(record)] }) };
    assert.deepEqual([read(given) !== null, isAccepted(given)], [isRight, isRight], `${depth}`);
  }
});

test("without a policy no signature is checked, and all else is", async () => {
  const unsigned = receipts.map((record) => ({
    ...record,
    receipt: { ...record.receipt, signature: "ab".repeat(64) },
  })) as ReceiptRecord[];
  const answer = bytesOf({ receipts: unsigned });
  assert.deepEqual(read({ answer, trust: null }), unsigned);
  assert.ok(isAccepted({ answer, trust: null }));
  assert.equal(read({ answer }), null);
});

test("a key is trusted as record by record; where a time matters, that way decides", async () => {
  const [pin = assert.fail("a pin")] = trust.signers;
  const own = kidOf(kernel, SERVICE.publicKeyHex);
  const [before, later] = [at(0), at(3600)];
  const elder = testSigner("elder");
  const byElder = pinKeys(kernel, [elder.publicKeyHex]);
  const endorsed = await issueKeyEndorsement(kernel, elder, SERVICE.publicKeyHex, before);
  const fromLater = await issueKeyEndorsement(kernel, elder, SERVICE.publicKeyHex, later);
  const strangers = await issueKeyEndorsement(kernel, stranger, SERVICE.publicKeyHex, before);
  const broken = { ...endorsed, valid_from: later };
  for (const [what, given, isRight] of [
    ["pinned", {}, true],
    ["pinned for this stream", { trust: { signers: [{ ...pin, streams: [STREAM] }] } }, true],
    ["pinned for another stream", { trust: { signers: [{ ...pin, streams: [id("str", 2)] }] } }, false],
    ["revoked", { trust: { ...trust, revoked: [own] } }, false],
    ["pinned with an end", { trust: { signers: [{ ...pin, valid_to: later }] } }, false],
    ["another key is pinned", { trust: byElder }, false],
    ["endorsed", { trust: byElder, endorsements: [endorsed] }, true],
    ["endorsed from a later time on", { trust: byElder, endorsements: [fromLater] }, false],
    ["endorsed by a stranger", { trust: byElder, endorsements: [strangers] }, false],
    ["endorsed by a broken endorsement", { trust: byElder, endorsements: [broken] }, false],
    [
      "pinned, and a broken endorsement beside it",
      { trust: pinKeys(kernel, [elder.publicKeyHex, SERVICE.publicKeyHex]), endorsements: [broken] },
      false,
    ],
  ] satisfies [string, Given, boolean][])
    assert.deepEqual([read(given) !== null, isAccepted(given)], [isRight, isRight], what);
});
