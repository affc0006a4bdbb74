/**
 * Receipts that the service itself sealed, chained and hashed rightly over wrong members: bulk checking must not accept
 * them.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import {
  type HashHex,
  headHash,
  hexToBytes,
  issueReceipt,
  type JsonObject,
  kidOf,
  redactRecord,
  selectKernel,
  ZERO_HASH,
} from "../src/index.ts";
import { joinBulk, readPayloads } from "../src/objects/bundle/bulk.ts";
import { checkReceipts } from "../src/objects/bundle/receipts.ts";
import { receiptBody } from "../src/objects/receipt.ts";
import { makeSeal } from "../src/seal.ts";

const kernel = selectKernel("wasm");
const KEYS = new Map([[kidOf(kernel, SERVICE.publicKeyHex) as string, hexToBytes(SERVICE.publicKeyHex)]]);
const STREAM = id("str", 1);
const EVENTS = 70;
const WRONG = 40;

/** Seals a run in which the event at WRONG has other members; resolves to whether it is accepted in bulk. */
async function isAccepted(wrong: JsonObject): Promise<boolean> {
  const records: JsonObject[] = [];
  const payloads: Record<string, JsonObject> = {};
  let previous_event_hash = ZERO_HASH as HashHex;
  for (let no = 1; no <= EVENTS; no++) {
    const other = (no === WRONG ? wrong : {}) as Record<string, never>;
    const event = {
      source_ref: `ref-${no}`,
      event_type: "test",
      occurred_at: "2026-03-01T00:00:00Z",
      payload: { no },
      ...other,
    };
    const place = {
      stream_id: STREAM,
      stream_event_id: id("sev", no),
      seq_no: no,
      previous_event_hash,
      received_at: at(no),
      payload_salt: "ab".repeat(16),
    };
    for (const name of Object.keys(place) as (keyof typeof place)[])
      if (name in other) Object.assign(place, { [name]: other[name] });
    const { source_ref, event_type, occurred_at, payload } = event;
    const issued = await issueReceipt(kernel, SERVICE, { source_ref, event_type, occurred_at, payload }, place);
    const record = { ...issued, ...other } as typeof issued;
    if ("event_hash" in other)
      Object.assign(record, { stream_head_hash: headHash(kernel, STREAM, no, record.event_hash) });
    // Sealed again, over the members as they now are.
    const { signature } = await makeSeal(kernel, "receipt", receiptBody(redactRecord(record)), SERVICE);
    Object.assign(record, { receipt: { ...issued.receipt, ...record.receipt, signature } });
    previous_event_hash = record.event_hash;
    records.push(redactRecord(record));
    payloads[record.stream_event_id] = { payload, payload_salt: place.payload_salt };
  }
  const [receipts, frame] = [records, payloads].map((value) => kernel.openJson(kernel.canonicalize(value)));
  assert.ok(receipts?.ok && frame?.ok);
  const run = checkReceipts(receipts.document, { streamId: STREAM, keys: KEYS });
  const found = readPayloads(frame.document);
  return found !== null && run !== null && joinBulk(found, run) !== null;
}

let deep: JsonObject = {};
for (let depth = 1; depth < 33; depth++) deep = { deep };

test("a run without fault is accepted", async () => {
  assert.equal(await isAccepted({}), true);
});

for (const [what, wrong] of Object.entries({
  "a source reference with a control character": { source_ref: "a\u0001" },
  "an empty source reference": { source_ref: "" },
  "an event type with a space": { event_type: "a b" },
  "a date that does not exist": { occurred_at: "2026-02-30T00:00:00Z" },
  "a service time without milliseconds": { received_at: "2026-03-01T00:00:40Z" },
  "a clock that goes back": { received_at: at(3) },
  "an event id of another form": { stream_event_id: "sev_1" },
  "an event id twice": { stream_event_id: id("sev", 3) },
  "another stream": { stream_id: id("str", 2) },
  "a number out of order": { seq_no: 7 },
  "a previous hash that is not the one before": { previous_event_hash: "ab".repeat(32) },
  "an event hash that its members do not give": { event_hash: "ab".repeat(32) },
  "a head that its event does not give": { stream_head_hash: "ab".repeat(32) },
  "another member": { other: 1 },
  "another member in the seal": { receipt: { other: 1 } },
  "a salt of another form": { payload_salt: "AB" },
  "a payload that is a list": { payload: [1] },
  "a payload too deep": { payload: deep },
}))
  test(`${what} is not accepted in bulk, although sealed`, async () => {
    assert.equal(await isAccepted(wrong), false);
  });
