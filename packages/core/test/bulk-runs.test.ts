/** Receipts and payloads in bulk: each column of a kernel counts by itself, and parts are joined only if they fit. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { resealRecord } from "@svc/testkit/evidence/resealed";
import { id, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { areEqual } from "../src/encoding/bytes.ts";
import { hexToBytes, type Json, kidOf, redactRecord, selectKernel } from "../src/index.ts";
import type { JsonDocument, RecordColumns } from "../src/kernel/document.ts";
import { joinBulk, joinPayloads, type PayloadRun, readPayloads } from "../src/objects/bundle/bulk.ts";
import { checkReceipts, joinRuns, placesInRun, type ReceiptRun } from "../src/objects/bundle/receipts.ts";

const kernel = selectKernel();
const OTHER = testSigner("other");
const KIDS = [SERVICE, OTHER].map(({ publicKeyHex }) => kidOf(kernel, publicKeyHex));
const keys = new Map([SERVICE, OTHER].map(({ publicKeyHex }, index) => [KIDS[index] ?? "", hexToBytes(publicKeyHex)]));
const context = { streamId: id("str", 1), keys };

/** Another key seals the third and the fifth of six events. */
const { records } = await issueStream(6);
const sealed = await Promise.all(
  records.map((record) => ([3, 5].includes(record.seq_no) ? resealRecord(record, {}, OTHER) : record)),
);
const receipts = sealed.map(redactRecord);
const timeOf = (seqNo: number) => records[seqNo - 1]?.received_at ?? assert.fail("a record");

function documentOf(value: Json): JsonDocument {
  const opened = kernel.openJson(kernel.canonicalize(value));
  return opened.ok ? opened.document : assert.fail(opened.code);
}

/** Returns the receipts from one index to another. */
function runOf(start: number, end: number): ReceiptRun {
  return checkReceipts(documentOf(receipts.slice(start, end)), context) ?? assert.fail("a run");
}

const whole = runOf(0, 6);

test("a run says what its receipts are", () => {
  const { count, fromSeqNo, firstTime, lastTime, signers } = whole;
  assert.deepEqual([count, fromSeqNo, firstTime, lastTime], [6, 1, timeOf(1), timeOf(6)]);
  const [first, second] = KIDS;
  assert.deepEqual(signers, [
    { kid: first, index: 0, seqNo: 1, earliest: timeOf(1), latest: timeOf(6), count: 4 },
    { kid: second, index: 2, seqNo: 3, earliest: timeOf(3), latest: timeOf(5), count: 2 },
  ]);
  const hashes = (name: "event_hash" | "payload_hash") => Buffer.from(records.map((one) => one[name]).join(""), "hex");
  assert.ok(hashes("event_hash").equals(whole.eventHashes));
  assert.ok(hashes("payload_hash").equals(whole.payloadHashes));
  assert.deepEqual(whole.previousHash, new Uint8Array(32));
  const places = placesInRun(runOf(2, 5));
  assert.deepEqual([places.count, places.seqNo(0), places.seqNo(2)], [3, 3, 5]);
  assert.equal(Buffer.from(places.eventHash(1)).toString("hex"), records[3]?.event_hash);
});

test("of no receipts there is no run", () => {
  assert.equal(checkReceipts(documentOf([]), context), null);
  assert.equal(checkReceipts(documentOf(1), context), null);
  assert.equal(joinRuns([]), null);
});

test("byte strings are equal byte for byte, and in length", () => {
  const areSame = (left: number[], right: number[]) => areEqual(Uint8Array.from(left), Uint8Array.from(right));
  assert.deepEqual([areSame([], []), areSame([1, 2], [1, 2])], [true, true]);
  assert.deepEqual([areSame([1], [1, 2]), areSame([1, 2], [1]), areSame([1, 2], [1, 3])], [false, false, false]);
});

test("runs that follow one another are that of all their receipts", () => {
  for (const ends of [[6], [1, 6], [2, 3, 6], [1, 2, 3, 4, 5, 6]])
    assert.deepEqual(joinRuns(ends.map((end, index) => runOf(ends[index - 1] ?? 0, end))), whole, `${ends}`);
});

test("runs that do not follow one another are not joined", () => {
  const [first, second, third] = [runOf(0, 2), runOf(2, 4), runOf(4, 6)];
  assert.equal(joinRuns([first, third]), null, "a gap");
  assert.equal(joinRuns([second, first]), null, "out of order");
  for (const [what, change] of Object.entries({
    "another number": { fromSeqNo: 4 },
    "an earlier number": { fromSeqNo: 2 },
    "another hash before it": { previousHash: first.eventHashes.slice(0, 32) },
    "a time that goes back": { firstTime: first.firstTime },
  })) {
    assert.equal(joinRuns([first, { ...second, ...change }]), null, what);
    assert.equal(joinRuns([first, { ...second, ...change }, third]), null, what);
  }
  assert.notEqual(joinRuns([first, { ...second, firstTime: first.lastTime }]), null, "the same time again");
  assert.equal(joinRuns([first, second, { ...third, fromSeqNo: 6 }]), null, "the last of them");
});

/** Returns a document whose records come in columns that a kernel would not make of any real one. */
function withColumns(document: JsonDocument, change: (columns: RecordColumns) => Partial<RecordColumns>): JsonDocument {
  const records: JsonDocument["records"] = (path, recipe) =>
    [...(document.records(path, recipe) ?? [])].map((columns) => ({ ...columns, ...change(columns) }));
  return Object.assign(Object.create(document), { records });
}

const flipped = (bytes: Uint8Array | undefined, at: number) => {
  const copy = Uint8Array.from(bytes ?? assert.fail("a column"));
  copy[at] = (copy[at] ?? 0) ^ 1;
  return copy;
};
const encode = (text: string) => new TextEncoder().encode(text);
const column = (literals: readonly string[]) => encode(literals.map((one) => `${one}\n`).join(""));
/** Returns columns of literals of which one has this literal in a row. */
const literalsWith = (place: number, row: number, literal: string) => (columns: RecordColumns) => {
  const text = new TextDecoder().decode(columns.literals[place]);
  return { literals: columns.literals.with(place, column(text.split("\n").slice(0, -1).with(row, literal))) };
};

test("one column that is wrong in one row is enough", () => {
  const isRun = (change: (columns: RecordColumns) => Partial<RecordColumns>) =>
    checkReceipts(withColumns(documentOf(receipts), change), context) !== null;
  assert.equal(
    isRun(() => ({})),
    true,
  );
  for (const row of [0, 3, 5]) {
    const marks = flipped(new Uint8Array(6).fill(1), row);
    assert.equal(
      isRun(() => ({ regular: marks })),
      false,
      `regular, row ${row}`,
    );
    for (const verdict of [0, 2])
      assert.equal(
        isRun(({ verdicts }) => ({ verdicts: [(verdicts[0] ?? marks).with(row, verdict)] })),
        false,
        "verdict",
      );
    for (const index of [0, 1])
      assert.equal(
        isRun(({ digests }) => ({ digests: digests.with(index, flipped(digests[index], 32 * row)) })),
        false,
        `digest ${index}, row ${row}`,
      );
    const [time, ids] = ["2026-03-01T00:00:00.000Z", id("sev", 1)];
    for (const [place, wrong] of [
      [0, '"sev_1"'],
      [1, `"${id("str", 2)}"`],
      [2, "17"],
      [3, '""'],
      [4, '"a b"'],
      [5, '"2026-02-30T00:00:00Z"'],
      [6, '"2026-03-01T00:00:00Z"'],
      [7, '"ed25519-0"'],
      [8, '"other"'],
      [9, '"other"'],
      [7, "1"],
      [6, "1"],
    ] as const)
      assert.equal(isRun(literalsWith(place, row, wrong)), false, `literal ${place}, row ${row}`);
    const again = records[Math.max(row - 1, 0)]?.received_at;
    assert.equal(isRun(literalsWith(6, row, `"${again}"`)), true, `the same time again, row ${row}`);
    assert.equal(isRun(literalsWith(6, row, `"${time}"`)), row === 0, "a time that goes back");
    assert.equal(
      isRun(literalsWith(0, row, `"${ids}"`)),
      true,
      "an identifier twice is found where payloads are joined",
    );
  }
  assert.equal(
    isRun(({ verdicts: _ }) => ({ verdicts: [] })),
    false,
    "no verdicts",
  );
});

test("hashes count by themselves", () => {
  const isRun = (place: number, at: number) =>
    checkReceipts(
      withColumns(documentOf(receipts), ({ hashes }) => ({ hashes: hashes.with(place, flipped(hashes[place], at)) })),
      context,
    ) !== null;
  for (const place of [1, 2, 3])
    for (const at of [32, 63, 191]) assert.equal(isRun(place, at), false, `hash ${place} at ${at}`);
  // The callers that join the runs check what the first one follows.
  assert.equal(isRun(1, 31), true);
});

test("the first number is one of a sequence, and so is the last", () => {
  const isRun = (...numbers: (number | string)[]) =>
    checkReceipts(
      withColumns(documentOf(receipts.slice(0, numbers.length)), ({ literals }) => ({
        literals: literals.with(2, column(numbers.map(String))),
      })),
      context,
    ) !== null;
  const last = Number.MAX_SAFE_INTEGER;
  assert.deepEqual([isRun(1), isRun(2), isRun(last), isRun(last - 1, last)], [true, true, true, true]);
  assert.deepEqual([isRun(0), isRun(0, 1), isRun(-1), isRun(1.5), isRun(1.5, 2.5)], Array(5).fill(false));
  assert.deepEqual([isRun(last + 1), isRun(last, last + 1), isRun('"1"'), isRun("null")], Array(4).fill(false));
});

const SALT = "ab".repeat(16);
const payload = (value: Json): Json => ({ payload: value, payload_salt: SALT });
const payloadsOf = (entries: Readonly<Record<string, Json>>) => readPayloads(documentOf(entries));
const payloadRun = (...names: string[]): PayloadRun =>
  payloadsOf(Object.fromEntries(names.map((name) => [name, payload({ name })]))) ?? assert.fail("payloads");

test("payloads are read where each has its form", () => {
  const run = payloadRun("a", "b");
  assert.deepEqual([run.count, run.names, run.hashes.length], [2, encode('"a"\n"b"\n'), 64]);
  const none = { count: 0, names: new Uint8Array(), hashes: new Uint8Array() };
  assert.deepEqual(payloadsOf({}), none);
  assert.deepEqual(joinPayloads([]), none);
  const good = payload({});
  for (const wrong of [
    {},
    1,
    payload([]),
    { payload: {} },
    { payload: {}, payload_salt: "AB" },
    { ...(good as object), other: 1 },
  ])
    assert.equal(payloadsOf({ a: good, b: wrong as Json, c: good }), null, JSON.stringify(wrong));
});

test("an irregular mark is enough, and so is a salt of another form", () => {
  const read = (change: (columns: RecordColumns) => Partial<RecordColumns>) =>
    readPayloads(withColumns(documentOf({ a: payload({}), b: payload({}) }), change));
  assert.notEqual(
    read(() => ({})),
    null,
  );
  assert.equal(
    read(() => ({ regular: Uint8Array.of(1, 0) })),
    null,
  );
  assert.equal(read(literalsWith(0, 1, '"AB"')), null);
  assert.equal(
    read(() => ({ literals: [] })),
    null,
  );
});

test("payloads are as deep as the protocol allows, and no deeper", () => {
  const deep = (depth: number): Json => (depth === 1 ? {} : { a: deep(depth - 1) });
  assert.notEqual(payloadsOf({ a: payload(deep(32)) }), null);
  assert.equal(payloadsOf({ a: payload(deep(33)) }), null);
});

test("payloads are joined where their names ascend from part to part", () => {
  assert.deepEqual(
    joinPayloads([payloadRun("a", "b"), payloadRun("c"), payloadRun("d")]),
    payloadRun("a", "b", "c", "d"),
  );
  for (const parts of [
    [["b"], ["a"]],
    [["a"], ["a"]],
    [["a", "c"], ["b"]],
    [["a"], ["c"], ["b"]],
    [["b"], ["a"], ["c"]],
  ])
    assert.equal(joinPayloads(parts.map((names) => payloadRun(...names))), null, JSON.stringify(parts));
  // As text "\"" is before "B", as a literal behind it.
  assert.notEqual(joinPayloads([payloadRun('"'), payloadRun("B")]), null);
  assert.equal(joinPayloads([payloadRun("B"), payloadRun('"')]), null);
});

const entries = records.map(({ stream_event_id, payload, payload_salt }) => [
  stream_event_id,
  { payload, payload_salt },
]);
const ofEvents = (...places: number[]) =>
  payloadsOf(Object.fromEntries(places.map((place) => entries[place] ?? assert.fail("an event")))) ??
  assert.fail("payloads");

test("payloads are those of the events: all, some, or none", () => {
  for (const places of [[0, 1, 2, 3, 4, 5], [1, 4], [5], []])
    assert.deepEqual(joinBulk(ofEvents(...places), whole), { ...whole, payloads: places.length });
});

test("a payload of no event, or another one, is found, whether all are there or some", () => {
  for (const places of [
    [0, 1, 2, 3, 4, 5],
    [1, 4],
  ]) {
    const run = ofEvents(...places);
    for (let at = 0; at < run.hashes.length; at += 31)
      assert.equal(joinBulk({ ...run, hashes: flipped(run.hashes, at) }, whole), null, `${at}`);
  }
  assert.equal(joinBulk(payloadRun("a"), whole), null);
  const { names } = payloadRun("a");
  assert.equal(joinBulk({ ...ofEvents(0), names }, whole), null);
  assert.equal(joinBulk({ ...ofEvents(0), names: encode("1\n") }, whole), null, "a name that is no text");
});

test("receipts of which two have one identifier are not joined with payloads", () => {
  const [first = "", ...others] = new TextDecoder().decode(whole.eventIds).split("\n").slice(0, -1);
  const twice = { ...whole, eventIds: column([first, ...others].with(5, first)) };
  assert.equal(joinBulk(ofEvents(1), twice), null);
});

test("event 1 follows zeros, and no other does", () => {
  const none = ofEvents();
  const zeros = new Uint8Array(32);
  assert.equal(joinBulk(none, { ...whole, previousHash: flipped(zeros, 31) }), null);
  const later = runOf(1, 6);
  assert.notEqual(joinBulk(none, later), null);
  assert.equal(joinBulk(none, { ...later, previousHash: zeros }), null);
});
