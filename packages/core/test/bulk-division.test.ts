/** Parts of receipts and payloads: where they are divided, which thread takes them, and their result together. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { id, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { hexToBytes, type Json, type Kernel, kidOf, redactRecord, selectKernel } from "../src/index.ts";
import type { Span } from "../src/kernel/document.ts";
import { readPayloads } from "../src/objects/bundle/bulk.ts";
import { divide, joinParts, type SharedBundle, share, stopTaking, takeParts } from "../src/objects/bundle/parts.ts";
import { checkReceipts } from "../src/objects/bundle/receipts.ts";

const kernel = selectKernel();
const keys = new Map([[kidOf(kernel, SERVICE.publicKeyHex) as string, hexToBytes(SERVICE.publicKeyHex)]]);
const context = { streamId: id("str", 1), keys };
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Returns the work on an array and an object somewhere in a text, in parts of so many bytes or more. */
function workOn(receipts: string, payloads: string | null, partBytes?: number): SharedBundle {
  const before = '{"receipts":';
  const between = ',"payloads":';
  const bytes = new TextEncoder().encode(`${before}${receipts}${between}${payloads},"x":[{},{},{}]}`);
  const spanAt = (start: number, text: string): Span => ({ start, end: start + text.length });
  const frame = {
    receipts: spanAt(before.length, receipts),
    payloads: payloads === null ? null : spanAt(before.length + receipts.length + between.length, payloads),
  };
  return divide(bytes, frame, context, partBytes);
}

/** Returns the texts of the parts: those of receipts, and those of payloads. */
function partsOf({ bytes, parts, receiptParts }: SharedBundle): [string[], string[]] {
  const texts = Array.from({ length: parts.length / 2 }, (_, at) =>
    decode(bytes.subarray(parts[2 * at], parts[2 * at + 1])),
  );
  return [texts.slice(0, receiptParts), texts.slice(receiptParts)];
}

const entry = (no: number) => `"sev_${no}":{"payload":{"a":"b","c":{}},"payload_salt":"ab"}`;

test("records are divided at the commas between them, and nowhere else", () => {
  const three = `[{"a":[1,2]},{"b":{}},{"c":3}]`;
  assert.deepEqual(partsOf(workOn(three, null, 1)), [['{"a":[1,2]}', '{"b":{}}', '{"c":3}'], []]);
  const payloads = `{${entry(1)},${entry(2)},${entry(3)}}`;
  assert.deepEqual(partsOf(workOn("[]", payloads, 1)), [[], [entry(1), entry(2), entry(3)]]);
  assert.deepEqual(
    partsOf(workOn(three, payloads)),
    [[three.slice(1, -1)], [payloads.slice(1, -1)]],
    "small is not divided",
  );
});

test("a part has at least so many bytes, but for the last", () => {
  const text = `[${[1, 2, 3, 4, 5].map((no) => `{"a":${no}}`).join(",")}]`;
  const lengths = (partBytes: number) => partsOf(workOn(text, null, partBytes))[0].map((part) => part.length);
  assert.deepEqual(lengths(7), [7, 7, 7, 7, 7]);
  assert.deepEqual(lengths(8), [15, 15, 7]);
  assert.deepEqual(lengths(15), [15, 15, 7]);
  assert.deepEqual(lengths(16), [23, 15]);
  assert.deepEqual(lengths(38), [39]);
  assert.deepEqual(lengths(39), [39]);
});

test("an empty array or object has no parts, and the text behind an array is no part", () => {
  assert.deepEqual(partsOf(workOn("[]", "{}", 1)), [[], []]);
  assert.deepEqual(partsOf(workOn("[]", null, 1)), [[], []]);
  assert.deepEqual(partsOf(workOn("[1]", '{"a":1}', 1)), [["1"], ['"a":1']]);
  assert.deepEqual(partsOf(workOn("[{}]", "{}", 1)), [["{}"], []]);
});

const { records } = await issueStream(6);
const canonical = (value: unknown) => decode(kernel.canonicalize(value as Json));
const receiptsText = canonical(records.map(redactRecord));
const payloadsText = canonical(
  Object.fromEntries(
    records.map(({ stream_event_id, payload, payload_salt }) => [stream_event_id, { payload, payload_salt }]),
  ),
);

function opened(text: string) {
  const result = kernel.openJson(new TextEncoder().encode(text));
  return result.ok ? result.document : assert.fail(result.code);
}

const expected = {
  receipts: checkReceipts(opened(receiptsText), context),
  payloads: readPayloads(opened(payloadsText)),
};

test("all parts together give the whole, however it is divided and whichever thread took them", () => {
  for (const partBytes of [1, 1000, 2000, undefined]) {
    const work = workOn(receiptsText, payloadsText, partBytes);
    const taken = takeParts(kernel, work);
    assert.deepEqual(
      taken.map(([part]) => part),
      Array.from({ length: work.parts.length / 2 }, (_, part) => part),
    );
    assert.deepEqual(takeParts(kernel, work), [], "none is left");
    for (const some of [taken, taken.toReversed(), [], taken.slice(1), taken.slice(0, -1)])
      assert.deepEqual(joinParts(kernel, work, some), expected, `${partBytes}, ${some.length} taken`);
  }
  const { receipts } = expected;
  const payloads = { count: 0, names: new Uint8Array(), hashes: new Uint8Array() };
  assert.deepEqual(joinParts(kernel, workOn(receiptsText, null, 1), []), { receipts, payloads });
});

test("what was handed in is not checked again", () => {
  const work = workOn(receiptsText, payloadsText, 1);
  const taken = takeParts(kernel, work);
  const idle: Kernel = { ...kernel, sha256Hex: kernel.sha256Hex, openJson: () => assert.fail("is not asked") };
  assert.deepEqual(joinParts(idle, work, taken), expected);
  const failed = taken.map(([part, run]) => [part, part === 4 ? null : run] as const);
  assert.equal(joinParts(idle, work, failed), null);
});

const replaced = (text: string, from: string, to: string) => {
  assert.ok(text.includes(from));
  return text.replace(from, to);
};

test("a part that does not hold stops the others, and then there is no whole", () => {
  const wrong: readonly [string, string, number][] = [
    [replaced(receiptsText, "loan-1003", "loan-9003"), payloadsText, 3],
    [receiptsText, replaced(payloadsText, '"amount":12503', '"amount": 12503'), 9],
    [receiptsText, replaced(payloadsText, '"payload_salt"', '"salt"'), 7],
    [replaced(receiptsText, '"seq_no":2', '"seq_no":2 '), payloadsText, 2],
    [replaced(receiptsText, '"seq_no":2', '"seq_no":'), payloadsText, 2],
  ];
  for (const [receipts, payloads, tried] of wrong) {
    const work = workOn(receipts, payloads, 1);
    const taken = takeParts(kernel, work);
    assert.equal(taken.length, tried);
    assert.deepEqual(
      taken.map(([, run]) => run === null),
      Array(tried).fill(false).with(-1, true),
    );
    assert.deepEqual(takeParts(kernel, work), []);
    assert.equal(joinParts(kernel, work, taken), null);
    assert.equal(joinParts(kernel, work, []), null);
  }
});

test("parts that hold, and do not fit together, are no whole", () => {
  const swapped = canonical(records.map(redactRecord).toReversed());
  const work = workOn(swapped, payloadsText, 1);
  const taken = takeParts(kernel, work);
  assert.equal(taken.length, 12, "each holds");
  assert.equal(joinParts(kernel, work, taken), null);
  const [first = "", ...others] = partsOf(workOn("[]", payloadsText, 1))[1];
  const unordered = workOn(receiptsText, `{${[...others, first].join(",")}}`, 1);
  assert.equal(joinParts(kernel, unordered, []), null);
  assert.equal(joinParts(kernel, workOn("[]", payloadsText), []), null, "no receipts");
});

test("a part that somebody else has taken is left to them", () => {
  const work = workOn(receiptsText, payloadsText, 1);
  Atomics.add(work.next, 0, 10);
  assert.deepEqual(
    takeParts(kernel, work).map(([part]) => part),
    [10, 11],
  );
  Atomics.store(work.next, 0, 0);
  stopTaking(work);
  assert.equal(Atomics.load(work.next, 0), 12);
});

test("what is shared lies in memory that threads can share, and is the same work", () => {
  const work = workOn(receiptsText, payloadsText, 1);
  const shared = share(work);
  assert.ok(shared.bytes.buffer instanceof SharedArrayBuffer && shared.next.buffer instanceof SharedArrayBuffer);
  assert.ok(Buffer.from(work.bytes).equals(shared.bytes));
  assert.deepEqual({ ...shared, bytes: work.bytes, next: work.next }, work);
  const again = share(shared);
  assert.equal(again.bytes, shared.bytes);
  assert.notEqual(again.next, shared.next);
  assert.deepEqual(joinParts(kernel, shared, takeParts(kernel, again)), expected);
});
