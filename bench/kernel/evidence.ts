/**
 * Receipt records by the protocol (section 7), in canonical form. Every object literal has its members in canonical
 * order, and all text is ASCII, so JSON.stringify writes canonical bytes, and a text of them is a string of one byte a
 * character, which JSON.parse reads fastest.
 */
import { createHash } from "node:crypto";
import { tagLine } from "../../packages/core/src/kernel/tag.ts";
import type { BenchKey } from "./keys.ts";
import type { Random } from "./random.ts";

/** The key identifier of every record. */
export const KID = "ed25519-4c869819ecf028ae";

const [alg, protocol] = ["Ed25519", "SVC-PROOFSTREAM-001"];
const stream_id = "str_01k30000000000000000000001";
const EVENT_TYPES = ["loan.decided", "loan.offered", "payment.received", "identity.checked"] as const;

/** Returns a record with its payload. Its hashes and its signature are random: to a parser they are like any other. */
export function randomRecord(random: Random, number: number): string {
  const { event_type, occurred_at, received_at, seq_no, source_ref, stream_event_id } = described(random, number);
  return JSON.stringify({
    event_hash: random.hex(32),
    event_type,
    occurred_at,
    payload: payload(random),
    payload_hash: random.hex(32),
    payload_salt: random.hex(16),
    previous_event_hash: random.hex(32),
    receipt: { alg, kid: KID, protocol, signature: random.hex(64) },
    received_at,
    seq_no,
    source_ref,
    stream_event_id,
    stream_head_hash: random.hex(32),
    stream_id,
  });
}

/**
 * Returns a record without payload, whose event hash, head and signature hold; it follows the event with the given
 * hash.
 */
export function sealedRecord(random: Random, number: number, previous_event_hash: string, key: BenchKey) {
  const { event_type, occurred_at, received_at, seq_no, source_ref, stream_event_id } = described(random, number);
  const payload_hash = random.hex(32);
  const last = { received_at, seq_no, source_ref, stream_event_id };
  const event_hash = digest("event", {
    event_type,
    occurred_at,
    payload_hash,
    previous_event_hash,
    ...last,
    stream_id,
  });
  const stream_head_hash = digest("head", { event_hash, seq_no, stream_id });
  const place = { previous_event_hash, protocol, seq_no, stream_event_id, stream_head_hash, stream_id };
  const sealed = JSON.stringify({ alg, event_hash, kid: KID, ...place });
  const signature = Buffer.from(key.sign(Buffer.concat([tagLine("receipt"), Buffer.from(sealed)]))).toString("hex");
  const first = { event_hash, event_type, occurred_at, payload_hash, previous_event_hash };
  const receipt = { alg, kid: KID, protocol, signature };
  return { event_hash, text: JSON.stringify({ ...first, receipt, ...last, stream_head_hash, stream_id }) };
}

/** Returns a canonical document with these records under "items". */
export function documentOf(records: Iterable<string>): Buffer {
  const parts: Buffer[] = [];
  let separator = '{"items":[';
  for (const record of records) {
    parts.push(Buffer.from(separator + record));
    separator = ",";
  }
  return Buffer.concat([...parts, Buffer.from("]}")]);
}

function described(random: Random, number: number) {
  const second = `2026-03-01T09:30:${digits(number % 60, 2)}`;
  return {
    event_type: random.pick(EVENT_TYPES),
    occurred_at: `${second}+01:00`,
    received_at: `${second}.${digits(number % 1000, 3)}Z`,
    seq_no: number,
    source_ref: `loan-${number}`,
    stream_event_id: `sev_01k3000000000000${digits(number, 10)}`,
  };
}

/** Returns nested objects and arrays, texts with escapes, integers and fractions. */
function payload(random: Random) {
  const checks = Array.from({ length: 1 + random.below(4) }, () => ({
    passed: random.below(8) > 0,
    score: random.below(100_000) / 1000,
    source: `bureau/${random.pick(["a", "b", "c"])}`,
  }));
  return {
    amount: random.below(5_000_000) / 100,
    applicant: { id: `A${random.below(1_000_000)}`, name: `Applicant "${random.hex(6)}"`, segment: null },
    approved: random.below(2) === 0,
    checks,
    note: `line one\nline two: ${random.hex(random.below(40))}`,
    terms: { currency: "EUR", months: random.below(360), rate: random.below(10_000) / 1e6 },
  };
}

function digest(tag: string, value: object): string {
  return createHash("sha256").update(tagLine(tag)).update(JSON.stringify(value)).digest("hex");
}

function digits(number: number, length: number): string {
  return String(number).padStart(length, "0");
}
