/** The places at which receipts and payloads are cut out of a bundle's text, and texts in which the guess is wrong. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { type Kernel, selectKernel } from "../src/index.ts";
import { type Frame, frameOf } from "../src/objects/bundle/frame.ts";
import { skeletonOf as readSkeleton } from "../src/objects/bundle/skeleton.ts";

const kernel = selectKernel();
const skeletonOf = (_kernel: Kernel, frame: Frame) => readSkeleton(kernel, frame, (value) => value);
const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

/** Returns an array of so many bytes that looks like one of receipts. */
function receiptsOf(bytes: number): string {
  const one = `{"event_hash":"${"0".repeat(64)}"}`;
  const all = Array(Math.floor((bytes - 2 - 2 * one.length) / (one.length + 1)))
    .fill(one)
    .join(",");
  const last = bytes - all.length - '[,{"event_hash":""}]'.length;
  return `[${all},{"event_hash":"${"1".repeat(last)}"}]`;
}

/** Returns the text of something like a bundle. */
function textOf(receipts: string, payloads: string | null, seal = '"seal":{"alg":""}'): string {
  const artifacts = `"artifacts":{"checkpoints.json":[],"receipts.json":${receipts},"windows.json":[]}`;
  return `{${artifacts},"manifest":{}${payloads === null ? "" : `,"payloads":${payloads}`},${seal}}`;
}

/** Looks for a frame around just these receipts and payloads. */
function assertFramed(receipts: string, payloads: string | null, seal?: string): void {
  const text = textOf(receipts, payloads, seal);
  const frame = frameOf(encode(text)) ?? assert.fail("a frame");
  assert.equal(text.slice(frame.receipts.start, frame.receipts.end), receipts);
  assert.equal(frame.payloads && text.slice(frame.payloads.start, frame.payloads.end), payloads);
  const skeleton = textOf("[]", payloads === null ? null : "{}", seal);
  assert.equal(decode(frame.bytes), skeleton);
  assert.equal(frame.payloadsStart, payloads === null ? null : skeleton.indexOf("{}", skeleton.indexOf('"payloads":')));
  assert.deepEqual(skeletonOf(kernel, frame), JSON.parse(skeleton));
}

const KIB = 1024;
const receipts = receiptsOf(200 * KIB);
const pad = "x".repeat(200 * KIB);
const RECEIPT = '{"event_hash":"0"}';

test("receipts and payloads are cut out, whichever of them are more", () => {
  assertFramed(receipts, '{"sev_1":{"payload":{},"payload_salt":"0"}}');
  assertFramed(receipts, "{}");
  assertFramed(receipts, `{"sev_1":{"payload":{"text":"${pad}"}}}`);
  assertFramed(receiptsOf(40 * KIB), `{"sev_1":{"payload":{"text":"${pad}"}}}`);
});

test("of a bundle without payloads the receipts alone are cut out", () => {
  assertFramed(receipts, null);
});

test("receipts of less than 32 KiB are not worth it", () => {
  assertFramed(receiptsOf(32 * KIB), "{}");
  assert.equal(frameOf(encode(textOf(receiptsOf(32 * KIB - 1), `{"sev_1":"${pad}"}`))), null);
});

test("a text without receipts, or without what follows them, has no frame", () => {
  assert.equal(frameOf(encode(textOf(receipts, "{}").replace("receipts.json", "receipts_json"))), null);
  assert.equal(frameOf(encode(textOf(receipts, "{}").replace("windows.json", "windows_json"))), null);
  assert.equal(frameOf(new Uint8Array()), null);
});

test("a payload that looks like the end of the receipts does not end them", () => {
  assertFramed(receipts, `{"sev_1":{"payload":[],"windows.json":"${pad}"}}`);
  assertFramed(receipts, `{"sev_1":"${pad}","sev_2":[{},${RECEIPT}],"windows.json":[]}`);
  assertFramed(receiptsOf(40 * KIB), `{"sev_1":[],"windows.json":"${pad}"}`);
});

test("payloads that look like receipts are not taken for receipts", () => {
  assertFramed(receipts, `{"sev_1":[{},${Array(20_000).fill(RECEIPT).join(",")}]}`);
});

test("receipts that do not look like any are found by their end", () => {
  assertFramed(`[{"text":"${pad}"}]`, `{"sev_1":"${pad}"}`);
  assertFramed(`[${RECEIPT},{"text":"${pad}"},${RECEIPT}]`, `{"sev_1":"${pad}"}`);
});

test("members of a payload or a receipt that look like the payloads or the seal are not taken for them", () => {
  assertFramed(receipts, '{"sev_1":{"payload":{},"seal":{}}}');
  assertFramed(`[{"payloads":{"a":{},"seal":{}}},${receipts.slice(1)}`, "{}");
});

test("where no seal follows the payloads, the receipts alone are cut out", () => {
  for (const seal of ['"seal":[]', '"stream":[]']) {
    const text = textOf(receipts, '{"sev_1":{}}', seal);
    const frame = frameOf(encode(text)) ?? assert.fail("a frame");
    assert.deepEqual([frame.payloads, frame.payloadsStart], [null, null]);
    assert.equal(decode(frame.bytes), text.replace(receipts, "[]"));
    assert.equal(skeletonOf(kernel, frame), null, "the payloads are not where a frame without them has them");
  }
  // The search for the seal ends at the first byte, whichever that is.
  assert.equal(frameOf(encode(`}${textOf(receipts, "{}", '"seal":[]')}`))?.payloads, null);
  const before = textOf(receipts, null, '"seal":{},"w":{"payloads":{"a":1}}');
  assert.equal(frameOf(encode(before))?.payloads, null);
});

/**
 * Returns a frame of a text, in which the receipts begin behind `"receipts.json":` and the payloads behind
 * `"payloads":`.
 */
function frameIn(text: string): Frame {
  const placeBehind = (name: string) => {
    const at = text.indexOf(name);
    return at < 0 ? null : at + name.length;
  };
  const start = placeBehind('"receipts.json":') ?? 0;
  return {
    bytes: encode(text),
    receipts: { start, end: start + 2 },
    payloads: null,
    payloadsStart: placeBehind('"payloads":'),
  };
}

test("a frame is read where empty receipts and payloads are at their places, and nowhere else", () => {
  const good = '{"artifacts":{"anchors.json":[],"receipts.json":[],"windows.json":[]},"payloads":{},"seal":{}}';
  assert.deepEqual(skeletonOf(kernel, frameIn(good)), JSON.parse(good));
  const bare = good.replace('"payloads":{},', "");
  assert.deepEqual(skeletonOf(kernel, frameIn(bare)), JSON.parse(bare));
  const { receipts, payloadsStart, ...frame } = frameIn(good);
  assert.equal(skeletonOf(kernel, { ...frame, receipts: { start: receipts.start + 1, end: 0 }, payloadsStart }), null);
  assert.equal(skeletonOf(kernel, { ...frame, receipts, payloadsStart: 1 }), null);
  assert.equal(skeletonOf(kernel, { ...frame, receipts, payloadsStart: null }), null);
  assert.equal(skeletonOf(kernel, { ...frameIn(bare), payloadsStart: 9 }), null);
});

for (const [what, text] of Object.entries({
  "no text of JSON": '{"artifacts":{"receipts.json":[]}',
  "no object": "[]",
  "not canonical": '{ "artifacts":{"receipts.json":[]}}',
  "a receipt in it": '{"artifacts":{"receipts.json":[1]}}',
  "a payload in it": '{"artifacts":{"receipts.json":[]},"payloads":{"a":1}}',
  "receipts outside of the artifacts": '{"artifacts":{},"receipts.json":[]}',
  "receipts deeper": '{"artifacts":{"a":{"receipts.json":[]}}}',
  "payloads within another member": '{"artifacts":{"receipts.json":[]},"a":{"payloads":{}}}',
  "artifacts that are a text": '{"artifacts":"","receipts.json":[]}',
}))
  test(`no frame: ${what}`, () => {
    assert.equal(skeletonOf(kernel, frameIn(text)), null);
  });

test("a member of another name does not stand for the receipts", () => {
  for (const name of ["receipts.jso", "receipts.jsom", "xeceipts.json", "receipts.json2"]) {
    const frame = frameIn(`{"artifacts":{"${name}":[]}}`);
    const start = `{"artifacts":{"${name}":`.length;
    assert.equal(skeletonOf(kernel, { ...frame, receipts: { start, end: start + 2 } }), null, name);
  }
});
