/** Records as text and as values, the answers made from them, and the forms in which requests are compared. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_BATCH_EVENTS } from "@svc/api/limits";
import type { Json } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { loan } from "@svc/testkit/server/loan";
import { kernel } from "../../src/kernel.ts";
import { preferred, requireFewEnough } from "../../src/streams/append-answers.ts";
import { nestsDeeper, offsetBelow } from "../../src/streams/nesting.ts";
import { prepareEvents } from "../../src/streams/prepare-events.ts";
import {
  parsePayload,
  recordOf,
  recordText,
  recordTexts,
  redactedRecordText,
} from "../../src/streams/receipt-records.ts";
import {
  canonicalBody,
  fingerprintOfEvents,
  isBatchRoute,
  routeName,
  targetOf,
} from "../../src/streams/request-fingerprint.ts";
import { eventOf } from "../store-under-test.ts";

const ROW = eventOf("str_1", 1, { payload: '{"a":1}', payload_salt: "5a17" });
const { payload: _payload, payload_salt: _salt, receipt_kid: kid, receipt_signature: signature, ...MEMBERS } = ROW;
const RECEIPT = { protocol: "SVC-PROOFSTREAM-001", alg: "Ed25519", kid, signature };

test("a record has payload and salt where its row has both, and neither otherwise", () => {
  const whole = { ...MEMBERS, receipt: RECEIPT, payload: { a: 1 }, payload_salt: "5a17" };
  const { payload: _whole, payload_salt: _own, ...without } = whole;
  assert.deepEqual(JSON.parse(recordText(ROW)), whole);
  assert.deepEqual(JSON.parse(redactedRecordText(ROW)), without);
  const { payload, ...rest } = recordOf(ROW, true);
  assert.deepEqual({ ...rest, payload: { ...payload } }, whole);
  assert.deepEqual(recordOf(ROW, false), without);
  for (const erased of [{ payload: null, payload_salt: null }, { payload_salt: null }] as const) {
    const row = { ...ROW, ...erased };
    assert.deepEqual(
      [recordText(row), recordText(row), recordOf(row, true)],
      [redactedRecordText(ROW), redactedRecordText(row), without],
    );
  }
});

test("a row whose payload is archived becomes no record that seems to be erased", () => {
  const row = { ...ROW, payload: null };
  assert.throws(() => recordText(row), /is archived, and was not fetched/);
  assert.throws(() => recordOf(row, true), /is archived, and was not fetched/);
  assert.deepEqual([redactedRecordText(row), recordOf(row, false)], [redactedRecordText(ROW), recordOf(ROW, false)]);
});

test("a stored payload that is no JSON is not read", () => {
  assert.deepEqual({ ...parsePayload('{"a":1}') }, { a: 1 });
  assert.throws(() => parsePayload('{"a"'), /a stored payload is not JSON/);
});

test("an answer is whole unless return=minimal is among the wishes", async () => {
  const answer = (Prefer: string | null) => preferred({ Prefer }, async (form) => recordTexts([ROW], form));
  const whole = { text: recordText(ROW) };
  const minimal = { text: redactedRecordText(ROW), headers: { "Preference-Applied": "return=minimal" } };
  for (const wish of [null, "", "return=representation", "minimal", "xreturn=minimal"])
    assert.deepEqual(await answer(wish), whole, String(wish));
  for (const wish of ["return=minimal", "Return=Minimal", "wait=5,return=minimal", "a , return=minimal , b"])
    assert.deepEqual(await answer(wish), minimal, wish);
});

test("a batch is counted before anything else is looked at, and what has no list is left to its schema", () => {
  const most = Array.from({ length: MAX_BATCH_EVENTS }, () => 1);
  for (const value of [
    null,
    1,
    "text",
    {},
    { events: null },
    { events: "x".repeat(2000) },
    { events: [] },
    { events: most },
  ])
    assert.equal(requireFewEnough(value as Json), undefined);
  const refused = (() => {
    try {
      requireFewEnough({ events: [...most, 1] });
    } catch (error) {
      return error;
    }
  })();
  assert.ok(refused instanceof ServiceError);
  assert.equal(refused.code, "invalid_request");
  assert.deepEqual(refused.details, {
    problems: [{ path: "/events", message: `must not have more than ${MAX_BATCH_EVENTS} items` }],
  });
});

test("a body that is put together is the canonical form of what was sent, of one event and of several", () => {
  const events = [loan(1), loan(2, { payload: { z: "\u2028", a: [1e21, null] }, source_ref: 'quoted "x"' })];
  const canonical = (value: unknown) => Buffer.from(kernel.canonicalize(value as Json)).toString("utf8");
  const prepared = prepareEvents(kernel, events, { isBatch: true, bytes: new Uint8Array() });
  assert.equal(canonicalBody(true, prepared), canonical({ events }));
  assert.equal(canonicalBody(false, prepared.slice(0, 1)), canonical(events[0]));
});

test("a fingerprint has the members of its events, and nothing of a payload", () => {
  const rows = [eventOf("str_1", 1), eventOf("str_1", 2)];
  const fingerprints = rows.map(({ source_ref, event_type, occurred_at }) => ({
    source_ref,
    event_type,
    occurred_at,
  }));
  const names = { single: { isBatch: false }, batch: { isBatch: true }, log: { isBatch: false, isLog: true } };
  assert.deepEqual(fingerprintOfEvents(routeName(names.single), rows.slice(0, 1)), fingerprints[0]);
  assert.deepEqual(fingerprintOfEvents(routeName(names.log), rows.slice(0, 1)), fingerprints[0]);
  assert.deepEqual(fingerprintOfEvents(routeName(names.batch), rows), { events: fingerprints });
  assert.equal(fingerprintOfEvents(routeName(names.single), []), null);
});

test("a route names what is appended to; that of the log says no stream", () => {
  const routes = [
    [{ isBatch: false }, "POST /v2/streams/{id}/events", "str_1", false],
    [{ isBatch: true }, "POST /v2/streams/{id}/events/batch", "str_1", true],
    [{ isBatch: false, isLog: true }, "POST /v1/sdk/events", "", false],
    [{ isBatch: true, isLog: true }, "POST /v1/sdk/events/batch", "", true],
  ] as const;
  for (const [route, name, target, isBatch] of routes)
    assert.deepEqual([routeName(route), targetOf(name, "str_1"), isBatchRoute(name)], [name, target, isBatch]);
  assert.equal(isBatchRoute("POST /v2/streams"), false);
});

test("a value nests as deep as its arrays and objects, and the bracket that is too deep is found outside of texts", () => {
  for (const flat of [null, true, 1, "[[["])
    assert.deepEqual([nestsDeeper(flat, 0), nestsDeeper(flat, 1)], [false, false]);
  assert.deepEqual([nestsDeeper([], 0), nestsDeeper({}, 0), nestsDeeper({ a: null }, 1)], [true, true, false]);
  assert.deepEqual([nestsDeeper({ a: [1] }, 1), nestsDeeper({ a: [1] }, 2)], [true, false]);
  assert.deepEqual([nestsDeeper([1, [[]]], 2), nestsDeeper([1, [[]]], 3)], [true, false]);
  const text = Buffer.from('{"[{":["\\"[",{}],"b":{"c":[]}}');
  assert.deepEqual(
    [0, 1, 2, 3].map((depth) => offsetBelow(text, depth)),
    [0, text.indexOf('["'), text.indexOf("{}"), null],
  );
});
