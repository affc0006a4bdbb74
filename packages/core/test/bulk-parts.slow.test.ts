/** A bundle of several parts of receipts and of payloads: faults that no part alone can show are found all the same. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { benchKeyHex, writeBundle } from "../../../bench/verify/bundle.ts";
import { pinKeys, selectKernel, verify } from "../src/index.ts";
import { frameOf } from "../src/objects/bundle/frame.ts";
import { divide } from "../src/objects/bundle/parts.ts";
import { Examination } from "../src/report/examination.ts";
import { readInBulk } from "../src/verify/read-in-bulk.ts";

const kernel = selectKernel("wasm");
const trust = pinKeys(kernel, [benchKeyHex()]);
const folder = mkdtempSync(join(tmpdir(), "svc-parts-"));
const file = join(folder, "bundle.json");
await writeBundle(file, 13_000, "canonical");
const good = readFileSync(file);
rmSync(folder, { recursive: true });
const text = good.toString();

const isReadInBulk = (bytes: Uint8Array) => readInBulk(new Examination(kernel, trust), bytes) !== null;
/** Returns the text with a part of it replaced by a text of any length. */
const replaced = (start: number, end: number, by: string) => Buffer.from(text.slice(0, start) + by + text.slice(end));
const entryAt = (from: number) => {
  const start = text.indexOf('"sev_', text.indexOf("},", from));
  return { start, end: text.indexOf('"},"sev_', start) + 2 };
};

test("a good one is read in several parts of each", () => {
  const frame = frameOf(good) ?? assert.fail("a frame");
  const { parts, receiptParts } = divide(good, frame, { streamId: "", keys: new Map() });
  assert.ok(receiptParts > 1 && parts.length / 2 - receiptParts > 1, `${receiptParts} of ${parts.length / 2}`);
  assert.equal(isReadInBulk(good), true);
  const { verdict, assurance } = verify(good, { trust, kernel });
  assert.deepEqual([verdict, assurance.complete, assurance.redacted], ["verified", true, 0]);
});

test("a payload that appears twice, in different parts, is a duplicate name", () => {
  const payloads = text.indexOf('"payloads":{') + '"payloads":{'.length;
  const first = { start: payloads, end: text.indexOf('"},"sev_', payloads) + 2 };
  const end = text.lastIndexOf('},"seal":{');
  const bytes = replaced(end, end, `,${text.slice(first.start, first.end)}`);
  assert.equal(isReadInBulk(bytes), false);
  assert.equal(verify(bytes, { trust, kernel }).problems[0]?.code, "duplicate_name");
});

test("a payload of the last part that is changed, gone, or in another's place", () => {
  const near = text.lastIndexOf('},"seal":{') - 5000;
  const { start, end } = entryAt(near);
  const entry = text.slice(start, end);
  const next = { start: end + 1, end: text.indexOf('"},"sev_', end + 1) + 2 };
  const other = text.slice(next.start, next.end);
  const swapped = `${entry.slice(0, 33)}${other.slice(33)},${other.slice(0, 33)}${entry.slice(33)}`;
  for (const [bytes, verdict, redacted] of [
    [replaced(start, end, entry.replace("bureau/a", "bureau/c")), "rejected", 0],
    [replaced(start, next.end, swapped), "rejected", 0],
    [replaced(start, end + 1, ""), "verified", 1],
  ] as const) {
    const report = verify(bytes, { trust, kernel });
    assert.deepEqual([report.verdict, report.assurance.redacted], [verdict, redacted]);
    assert.equal(isReadInBulk(bytes), verdict === "verified");
  }
});

test("a receipt moved from one part to another", () => {
  const start = text.indexOf('{"event_hash":');
  const end = text.indexOf('},{"event_hash":', start) + 2;
  const behind = text.indexOf('],"windows.json":');
  const moved = `${text.slice(0, start)}${text.slice(end, behind)},${text.slice(start, end - 1)}${text.slice(behind)}`;
  assert.equal(isReadInBulk(Buffer.from(moved)), false);
  assert.equal(verify(Buffer.from(moved), { trust, kernel }).verdict, "rejected");
});
