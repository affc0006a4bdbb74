/**
 * Events issued from templates have the same bytes as core's: hashes, the signed message, and the text of the record.
 */
import assert from "node:assert/strict";
import { createPrivateKey, sign } from "node:crypto";
import { test } from "node:test";
import {
  type EventInput,
  type HashHex,
  headHash,
  type Json,
  type JsonObject,
  type Kernel,
  placeEvent,
  referenceKernel,
  type SignatureHex,
  selectKernel,
  signEvent,
} from "@svc/core";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { signerOf } from "../../src/signing/file-signer.ts";
import type { EventRow } from "../../src/streams/events-store.ts";
import { headOf, placeRow, quoted, receiptBytes } from "../../src/streams/issue-event.ts";
import { prepareEvents } from "../../src/streams/prepare-events.ts";
import { recordOf, recordText, redactedRecordText } from "../../src/streams/receipt-records.ts";

const KERNELS: readonly Kernel[] = [selectKernel("wasm"), referenceKernel];
const [kernel] = KERNELS as readonly [Kernel];
const PEM =
  `-----BEGIN PRIVATE ` +
  `KEY-----\n${Buffer.concat([Buffer.from("302e020100300506032b657004220420", "hex"), Buffer.alloc(32, 7)]).toString("base64")}\n-----END ` +
  `PRIVATE KEY-----\n`;
const signer = signerOf(kernel, PEM, "a key of this test");

/** Texts whose JSON form is the text itself, and texts whose form is not. */
const text = fc.oneof(
  fc.string({ minLength: 1, maxLength: 40 }),
  fc.string({ unit: "grapheme", minLength: 1, maxLength: 40 }),
  fc.constantFrom(
    '"',
    "\\",
    "\u0000",
    "\u001f",
    "\u007f",
    "\u2028",
    "\ufb33",
    "\u{1f600}",
    "é",
    "</script>",
    "\t",
    "a/b",
  ),
);
const name = fc.oneof(text, fc.constantFrom("10", "9", "toJSON", "__proto__", "constructor"));
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.integer(),
    fc.constantFrom(null, true, false, -0, 1e21, 5e-324),
    fc.array(tie("value"), { maxLength: 3 }),
    fc.array(fc.tuple(name, tie("value")), { maxLength: 3 }).map((members) => Object.fromEntries(members)),
  ),
}));
const hashText = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => Buffer.from(bytes).toString("hex"));
const event = fc.record({
  source_ref: text,
  event_type: fc.oneof(fc.constantFrom("loan.decided", "a:b/c-d_e.f", "0"), text),
  occurred_at: fc.constantFrom("2026-03-01T09:30:00+01:00", "2026-03-01T09:30:00.123456Z", "2026-03-01T09:30:00Z"),
  payload: fc.array(fc.tuple(name, value), { maxLength: 4 }).map((members) => Object.fromEntries(members)),
});
const place = fc.record({
  stream_id: fc.constantFrom("str_01ARZ3NDEKTSV4RRFFQ69G5FAV", "str_00000000000000000000000000"),
  stream_event_id: fc.constantFrom("sev_01ARZ3NDEKTSV4RRFFQ69G5FAV", "sev_7ZZZZZZZZZZZZZZZZZZZZZZZZZ"),
  seq_no: fc.oneof(fc.integer({ min: 1, max: 1000 }), fc.constantFrom(2 ** 31, 2 ** 53 - 1)),
  previous_event_hash: hashText.map((hash) => hash as HashHex),
  received_at: fc.constantFrom("2026-03-01T08:30:00.000Z", "2026-12-31T23:59:59.999Z"),
  payload_salt: hashText.map((hash) => hash.slice(0, 32)),
});

test("hashes, signed message and text are those of core, under both kernels", async () => {
  await fc.assert(
    fc.asyncProperty(event, place, async (input, at) => {
      const given = input as EventInput;
      const [prepared] = prepareEvents(kernel, [given], { isBatch: false, bytes: new Uint8Array() });
      assert.ok(prepared !== undefined);
      const row = placeRow(given, at, prepared.payloadText);
      for (const of of KERNELS) {
        const { payload, ...placed } = placeEvent(of, given, at);
        const { payload: payloadText, ...rest } = row;
        assert.deepEqual(rest, placed);
        assert.equal(payloadText, Buffer.from(of.canonicalize(payload)).toString("utf8"));
        assert.equal(
          headOf(at.stream_id, at.seq_no, row.event_hash),
          headHash(of, at.stream_id, at.seq_no, row.event_hash),
        );
        const messages: Uint8Array[] = [];
        const keeping = {
          publicKeyHex: signer.publicKeyHex,
          sign: (message: Uint8Array) => {
            messages.push(message);
            return sign(null, message, createPrivateKey(PEM));
          },
        };
        const record = await signEvent(of, keeping, placeEvent(of, given, at));
        assert.deepEqual(messages.map(hexOf), [hexOf(receiptBytes(row, signer.kid))]);
        const whole: EventRow = {
          ...row,
          receipt_kid: record.receipt.kid,
          receipt_signature: record.receipt.signature as SignatureHex,
        };
        const { payload: _payload, payload_salt: _salt, ...redacted } = record;
        const canonical = (value: Json) => Buffer.from(of.canonicalize(value)).toString("utf8");
        assert.equal(canonical(recordOf(whole, true)), canonical(record));
        assert.equal(canonical(parsed(of, recordText(whole))), canonical(record));
        assert.equal(canonical(parsed(of, redactedRecordText(whole))), canonical(redacted));
      }
    }),
    { numRuns: runs(300) },
  );
});

test("a text is quoted as RFC 8785 demands, and one that is not well-formed is no text", () => {
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: "binary" })), (any) => {
      for (const of of KERNELS) {
        if (any.isWellFormed()) assert.equal(quoted(any), Buffer.from(of.canonicalize(any)).toString("utf8"));
        else assert.throws(() => quoted(any), TypeError);
      }
    }),
    { numRuns: runs(3000) },
  );
  for (let code = 0; code < 0x3000; code++)
    assert.equal(
      quoted(String.fromCharCode(code)),
      JSON.stringify(String.fromCharCode(code)),
      `U+${code.toString(16)}`,
    );
});

function hexOf(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function parsed(of: Kernel, json: string): JsonObject {
  const read = of.parseJson(Buffer.from(json));
  assert.ok(read.ok, json);
  return read.value as JsonObject;
}
