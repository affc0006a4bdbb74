/** The store of repeated requests, and the comparison of two of them: the matching record, and the removed ones. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { isDeepStrictEqual } from "node:util";
import { ServiceError } from "@svc/host/errors";
import { WriteConflict } from "@svc/host/store";
import { Idempotency, KEPT_FINGERPRINT, KEPT_MAC, type RepeatableRequest } from "../../src/idempotency/idempotency.ts";
import type { IdempotencyScope } from "../../src/idempotency/scope.ts";
import {
  findIdempotencyRecord,
  type IdempotencyRow,
  insertIdempotencyRecords,
  type MadeEvent,
  oldestRecordFrom,
  recordOfEvent,
  removeRecords,
  replaceRequestMac,
} from "../../src/idempotency/store.ts";
import { issuingKernel } from "../../src/issuing-kernel.ts";
import { kernel } from "../../src/kernel.ts";
import { keyedHashUnder } from "../../src/signing/keyed-hash.ts";
import { at, BANK, INSURER, LOANS, principalOf, storeWithTenants } from "../store-under-test.ts";

const SCOPE: IdempotencyScope = { tenantId: BANK, principalId: LOANS.systemId, route: "POST /v2/streams", key: "key" };
const ROW: IdempotencyRow = { request_mac: "mac", stream_id: "str_1", from_seq_no: 2, to_seq_no: 4, result: null };

async function recordsOf(t: Parameters<typeof storeWithTenants>[0]) {
  const store = await storeWithTenants(t);
  const insert = (changes: Partial<IdempotencyScope>, row: Partial<IdempotencyRow> = {}, seconds = 0) =>
    store.write((writer) =>
      insertIdempotencyRecords(writer, [{ ...ROW, ...row, scope: { ...SCOPE, ...changes }, created_at: at(seconds) }]),
    );
  const find = async (changes: Partial<IdempotencyScope> = {}) => {
    const found = await store.read((reader) => findIdempotencyRecord(reader, { ...SCOPE, ...changes }));
    return found === null ? null : { ...found };
  };
  return { ...store, insert, find };
}

const OTHERS: readonly Partial<IdempotencyScope>[] = [
  { tenantId: INSURER },
  { principalId: "sys_other" },
  { route: "POST /v1/exports" },
  { key: "other" },
];

test("a record is found by all four of its scope, and is written once", async (t) => {
  const { insert, find } = await recordsOf(t);
  assert.equal(await insert({}), 1);
  assert.equal(await insert({}, { request_mac: "another" }), 0);
  assert.deepEqual(await find(), ROW);
  for (const other of OTHERS) assert.equal(await find(other), null, JSON.stringify(other));
  for (const [index, other] of OTHERS.entries()) assert.equal(await insert(other, { result: `"${index}"` }), 1);
  assert.deepEqual(await find(), ROW);
  for (const [index, other] of OTHERS.entries()) assert.equal((await find(other))?.result, `"${index}"`);
});

test("the record of an event is that of its stream, its time and a range around its number", async (t) => {
  const { insert, find, read, write } = await recordsOf(t);
  await insert({}, {}, 5);
  await insert({ key: "other stream" }, { stream_id: "str_2" }, 5);
  await insert({ key: "later" }, { from_seq_no: 5, to_seq_no: 5 }, 6);
  await insert({ key: "behind" }, { from_seq_no: 6, to_seq_no: 7 }, 5);
  await insert({ key: "none" }, { from_seq_no: 0, to_seq_no: 0 }, 5);
  const event: MadeEvent = { stream_id: "str_1", seq_no: 3, received_at: at(5) };
  const ranges = async (changes: Partial<MadeEvent>) => {
    const found = await read((reader) => recordOfEvent(reader, { ...event, ...changes }));
    return found === null ? null : [found.route, found.from_seq_no, found.to_seq_no];
  };
  const own = [SCOPE.route, 2, 4];
  for (const [changes, expected] of [
    [{ seq_no: 1 }, null],
    [{ seq_no: 2 }, own],
    [{ seq_no: 4 }, own],
    [{ seq_no: 5 }, null],
    [{ seq_no: 6 }, [SCOPE.route, 6, 7]],
    [{ seq_no: 5, received_at: at(6) }, [SCOPE.route, 5, 5]],
    [{ received_at: at(6) }, null],
    [{ stream_id: "str_3" }, null],
  ] as const)
    assert.deepEqual(await ranges(changes), expected, JSON.stringify(changes));
  const found = await read((reader) => recordOfEvent(reader, { ...event, stream_id: "str_2" }));
  assert.ok(found !== null);
  await write((writer) => replaceRequestMac(writer, found, "forgotten"));
  assert.deepEqual(
    [(await find())?.request_mac, (await find({ key: "other stream" }))?.request_mac],
    ["mac", "forgotten"],
  );
});

test("records are removed between two times, the oldest first, so many at most", async (t) => {
  const { insert, find, read, write } = await recordsOf(t);
  for (const [key, seconds] of [
    ["c", 3],
    ["a", 1],
    ["d", 4],
    ["b", 2],
  ] as const)
    await insert({ key }, {}, seconds);
  const oldest = (seconds: number) => read((reader) => oldestRecordFrom(reader, at(seconds)));
  const remove = (from: number, before: number, most: number) =>
    write((writer) => removeRecords(writer, { from: at(from), before: at(before) }, most));
  const left = async () => {
    const kept: string[] = [];
    for (const key of ["a", "b", "c", "d"]) if ((await find({ key })) !== null) kept.push(key);
    return kept.join("");
  };
  assert.deepEqual([await oldest(0), await oldest(1), await oldest(1.001)], [at(1), at(1), at(2)]);
  assert.deepEqual([await remove(0, 1, 10), await left()], [{ count: 0, upTo: null }, "abcd"]);
  assert.deepEqual([await remove(2, 3, 10), await left()], [{ count: 1, upTo: at(2) }, "acd"]);
  assert.deepEqual([await remove(0, 4, 1), await left()], [{ count: 1, upTo: at(1) }, "cd"]);
  assert.deepEqual([await remove(0, 4, 10), await left()], [{ count: 1, upTo: at(3) }, "d"]);
  assert.deepEqual([await oldest(0), await oldest(4), await oldest(4.001)], [at(4), at(4), null]);
});

test("what is kept of a request is 64 lowercase hex characters, behind a word where a payload was erased", () => {
  const mac = "0123456789abcdef".repeat(4);
  for (const good of [mac, `${KEPT_FINGERPRINT}${mac}`]) assert.ok(KEPT_MAC.test(good), good);
  for (const bad of [
    "",
    mac.slice(1),
    `${mac}0`,
    `x${mac}`,
    mac.toUpperCase(),
    `${KEPT_FINGERPRINT}${KEPT_FINGERPRINT}${mac}`,
    `${KEPT_FINGERPRINT}${mac}0`,
    `x${KEPT_FINGERPRINT}${mac}`,
    `other:${mac}`,
    "g".repeat(64),
    "0",
  ])
    assert.ok(!KEPT_MAC.test(bad), bad);
});

test(
  "two requests are the same by route, target and body; after an erasure by their " +
    "fingerprints, where they have any",
  () => {
    const keyedHash = keyedHashUnder(Buffer.alloc(32, 3));
    const idempotency = new Idempotency({ issuing: issuingKernel(kernel), keyedHash });
    const request: RepeatableRequest = {
      principal: principalOf(LOANS),
      route: "POST /a",
      key: "key",
      target: "str_1",
      body: { a: 1, b: { secret: 2 } },
      fingerprint: () => ({ a: 1 }),
    };
    const macOf = (members: unknown[]) => keyedHash.hash("request", kernel.canonicalize(members as never));
    const whole = macOf(["POST /a", "str_1", { b: { secret: 2 }, a: 1 }]);
    const others: readonly Partial<RepeatableRequest>[] = [{ route: "POST /b" }, { target: "str_2" }];
    assert.equal(idempotency.isSame(whole, request), true);
    for (const other of [...others, { body: { a: 1 } }])
      assert.equal(idempotency.isSame(whole, { ...request, ...other }), false, JSON.stringify(other));
    const erased = `${KEPT_FINGERPRINT}${macOf(["POST /a", "str_1", { a: 1 }])}`;
    assert.equal(idempotency.isSame(erased, { ...request, body: { a: 1, b: { secret: 3 } } }), true);
    for (const other of [...others, { fingerprint: () => ({ a: 2 }) }])
      assert.equal(idempotency.isSame(erased, { ...request, ...other }), false, JSON.stringify(other));
    const { fingerprint: _fingerprint, ...without } = request;
    assert.equal(idempotency.isSame(erased, { ...without, body: { a: 1 } }), false);
    const put = { ...request, canonicalBody: () => '{"a":1,"b":{"secret":2}}' };
    assert.equal(idempotency.isSame(whole, put), true);
  },
);

test("a refusal says what the other request made, to a key that is not kept from its stream", async (t) => {
  const { read, write } = await storeWithTenants(t);
  const idempotency = new Idempotency({
    issuing: issuingKernel(kernel),
    keyedHash: keyedHashUnder(Buffer.alloc(32, 3)),
  });
  const principal = principalOf(LOANS);
  const request: RepeatableRequest = { principal, route: "POST /a", key: "key", target: "", body: { a: 1 } };
  const made = { streamId: "str_1", fromSeqNo: 2, toSeqNo: 4, result: null };
  const key = (name: string) => ({ ...request, key: name });
  await write(async (writer) => {
    await idempotency.keep(writer, key("events"), made, at(0));
    await idempotency.keep(writer, key("none"), { ...made, fromSeqNo: 0, toSeqNo: 0, result: { b: 2 } }, at(0));
  });
  const replay = (asked: RepeatableRequest) => read((reader) => idempotency.replay(reader, asked));
  assert.deepEqual(await replay(key("events")), made);
  assert.deepEqual(await replay(key("none")), { ...made, fromSeqNo: 0, toSeqNo: 0, result: { b: 2 } });
  assert.deepEqual([await replay(key("new")), await replay(key(""))], [null, null]);
  const known = await read((reader) => idempotency.known(reader, [key("events"), key("new")]));
  assert.equal(idempotency.streamOf({ ...key("events"), body: {} }, known), "str_1");
  assert.equal(idempotency.streamOf(key("new"), known), null);
  const limited = (...streams: string[]) => ({ ...principal, limits: { actions: null, streams } });
  const events = { stream_id: "str_1", from_seq_no: 2, to_seq_no: 4 };
  for (const [name, by, details] of [
    ["events", principal, events],
    ["events", limited("str_1"), events],
    ["events", limited("str_2"), {}],
    ["events", { ...principal, limits: { actions: null, streams: null } }, events],
    ["none", principal, { stream_id: "str_1" }],
    ["none", limited("str_2"), {}],
  ] as const)
    await assert.rejects(
      replay({ ...key(name), principal: by, body: {} }),
      (error) =>
        error instanceof ServiceError &&
        error.code === "idempotency_conflict" &&
        isDeepStrictEqual(error.details, details),
      `${name} ${JSON.stringify(details)}`,
    );
  await assert.rejects(
    write((writer) => idempotency.keep(writer, key("events"), made, at(1))),
    WriteConflict,
  );
});
