/**
 * Level 4: receipts about which languages differ silently: numbers past 2^53 and other spellings of integers, `$`
 * before a last newline, digits that are not ASCII, times, lengths in scalar values and in UTF-16 units.
 */
import {
  type EventInput,
  issueReceipt,
  type Json,
  type JsonObject,
  referenceKernel as kernel,
  pinKeys,
  ZERO_HASH,
} from "@svc/core";
import { at, id, SERVICE } from "@svc/testkit/evidence/service";
import { base64, type Draft } from "./draft.ts";

const EVENT: EventInput = {
  source_ref: "loan-1001",
  event_type: "loan.decided",
  occurred_at: "2026-03-01T09:30:00+01:00",
  payload: { amount: 12_501 },
};

/** By slug: members that an honest service could have signed. Some of them no verifier takes. */
const ISSUED: Readonly<Record<string, Partial<EventInput>>> = {
  "source-ref-1": { source_ref: "x" },
  "source-ref-512": { source_ref: "x".repeat(512) },
  "source-ref-513": { source_ref: "x".repeat(513) },
  "source-ref-512-astral": { source_ref: "\u{1f600}".repeat(512) },
  "source-ref-513-astral": { source_ref: "\u{1f600}".repeat(513) },
  "source-ref-256-astral-and-one": { source_ref: `${"\u{1f600}".repeat(256)}x` },
  "source-ref-combining": { source_ref: `${"e\u0301".repeat(256)}` },
  "source-ref-empty": { source_ref: "" },
  "source-ref-newline": { source_ref: "loan-1001\n" },
  "source-ref-delete": { source_ref: "a\u007f" },
  "source-ref-c1": { source_ref: "a\u0085" },
  "source-ref-line-separator": { source_ref: "a\u2028" },
  "source-ref-bom": { source_ref: "\ufeffa" },
  "event-type-newline": { event_type: "loan.decided\n" },
  "event-type-not-ascii": { event_type: "loan.entsch\u00e4digt" },
  "event-type-kelvin": { event_type: "\u212a" },
  "event-type-fullwidth": { event_type: "loan\uff11" },
  "event-type-128": { event_type: "x".repeat(128) },
  "event-type-129": { event_type: "x".repeat(129) },
  "event-type-point-first": { event_type: ".x" },
  "time-zulu": { occurred_at: "2026-03-01T08:30:00Z" },
  "time-newline": { occurred_at: "2026-03-01T08:30:00Z\n" },
  "time-year-0000": { occurred_at: "0000-01-01T00:00:00Z" },
  "time-year-0000-leap": { occurred_at: "0000-02-29T00:00:00Z" },
  "time-year-0001": { occurred_at: "0001-01-01T00:00:00Z" },
  "time-year-0099": { occurred_at: "0099-12-31T23:59:59Z" },
  "time-year-9999": { occurred_at: "9999-12-31T23:59:59.999999999Z" },
  "time-leap-2024": { occurred_at: "2024-02-29T00:00:00Z" },
  "time-leap-2023": { occurred_at: "2023-02-29T00:00:00Z" },
  "time-leap-1900": { occurred_at: "1900-02-29T00:00:00Z" },
  "time-leap-2000": { occurred_at: "2000-02-29T00:00:00Z" },
  "time-april-31": { occurred_at: "2026-04-31T00:00:00Z" },
  "time-month-13": { occurred_at: "2026-13-01T00:00:00Z" },
  "time-month-00": { occurred_at: "2026-00-01T00:00:00Z" },
  "time-hour-24": { occurred_at: "2026-03-01T24:00:00Z" },
  "time-second-60": { occurred_at: "2016-12-31T23:59:60Z" },
  "time-offset-0000": { occurred_at: "2026-03-01T08:30:00+00:00" },
  "time-offset-minus-0000": { occurred_at: "2026-03-01T08:30:00-00:00" },
  "time-offset-2359": { occurred_at: "2026-03-01T08:30:00+23:59" },
  "time-offset-2400": { occurred_at: "2026-03-01T08:30:00+24:00" },
  "time-offset-60-minutes": { occurred_at: "2026-03-01T08:30:00+01:60" },
  "time-offset-short": { occurred_at: "2026-03-01T08:30:00+01" },
  "time-offset-without-colon": { occurred_at: "2026-03-01T08:30:00+0100" },
  "time-small-t": { occurred_at: "2026-03-01t08:30:00Z" },
  "time-small-z": { occurred_at: "2026-03-01T08:30:00z" },
  "time-space": { occurred_at: "2026-03-01 08:30:00Z" },
  "time-fraction-9": { occurred_at: "2026-03-01T08:30:00.123456789Z" },
  "time-fraction-10": { occurred_at: "2026-03-01T08:30:00.1234567890Z" },
  "time-fraction-none": { occurred_at: "2026-03-01T08:30:00.Z" },
  "time-fraction-comma": { occurred_at: "2026-03-01T08:30:00,5Z" },
  "time-arabic-digits": { occurred_at: "\u0662\u0660\u0662\u0666-03-01T08:30:00Z" },
  "time-fullwidth-digit": { occurred_at: "2026-03-0\uff11T08:30:00Z" },
  "time-without-seconds": { occurred_at: "2026-03-01T08:30Z" },
  "time-five-digit-year": { occurred_at: "+12026-03-01T08:30:00Z" },
  "time-no-offset": { occurred_at: "2026-03-01T08:30:00" },
  "payload-utf16-order": { payload: { "\uffff": 1, "\u{10000}": 2 } },
  "payload-prototype": { payload: JSON.parse('{"__proto__":{"a":1},"constructor":null}') },
  "payload-numbers": { payload: { a: 1e21, b: 1e-7, c: 5e-324, d: 2 ** 53, e: 0.1 } },
  "payload-empty": { payload: {} },
  "payload-not-normalized": { payload: { "\u00e9": "e\u0301" } },
  "payload-controls": { payload: { "\u0000": "\u001f\u007f\u2028" } },
  "payload-html": { payload: { a: "<>&'\u2028" } },
  "payload-32-deep": { payload: nested(32) },
  "payload-33-deep": { payload: nested(33) },
};

/** By slug: another spelling in the text of the good record. */
const SPELLED: Readonly<Record<string, readonly [string, string]>> = {
  "seq-no-1.0": ['"seq_no":1', '"seq_no":1.0'],
  "seq-no-1e0": ['"seq_no":1', '"seq_no":1e0'],
  "seq-no-10e-1": ['"seq_no":1', '"seq_no":10e-1'],
  "seq-no-0": ['"seq_no":1', '"seq_no":0'],
  "seq-no-minus-0": ['"seq_no":1', '"seq_no":-0'],
  "seq-no-minus-1": ['"seq_no":1', '"seq_no":-1'],
  "seq-no-half": ['"seq_no":1', '"seq_no":1.5'],
  "seq-no-text": ['"seq_no":1', '"seq_no":"1"'],
  "seq-no-true": ['"seq_no":1', '"seq_no":true'],
  "seq-no-max": ['"seq_no":1', '"seq_no":9007199254740991'],
  "seq-no-max-as-exponent": ['"seq_no":1', '"seq_no":9007199254740991e0'],
  "seq-no-2-to-53": ['"seq_no":1', '"seq_no":9007199254740992'],
  "seq-no-2-to-53-plus-1": ['"seq_no":1', '"seq_no":9007199254740993'],
  "seq-no-2-to-63": ['"seq_no":1', '"seq_no":9223372036854775808'],
  "seq-no-2-to-64": ['"seq_no":1', '"seq_no":18446744073709551616'],
  "seq-no-1e21": ['"seq_no":1', '"seq_no":1e21'],
  "seq-no-1e300": ['"seq_no":1', '"seq_no":1e300'],
  "payload-1.0": ['"amount":12501', '"amount":12501.0'],
  "payload-lossy-fraction": ['"amount":12501', '"amount":12501.00000000000000000001'],
  "name-escaped": ['"seq_no"', '"seq\\u005fno"'],
  "name-capital": ['"seq_no"', '"Seq_no"'],
  "name-capital-beside": ['"seq_no":1', '"seq_no":1,"SEQ_NO":1'],
  "name-long-s": ['"seq_no"', '"\u017feq_no"'],
  "hash-newline": ['","event_type"', '\\n","event_type"'],
  "received-at-microseconds": ['.000Z","seq_no"', '.000000Z","seq_no"'],
};

/** Returns all cases of the family. */
export async function silentDrafts(): Promise<Draft[]> {
  const good = JSON.stringify(sorted(await recordOf({})));
  const issued = Object.entries(ISSUED).map(async ([slug, changes]) =>
    draft(slug, JSON.stringify(await recordOf(changes))),
  );
  const spelled = Object.entries(SPELLED).map(([slug, [from, to]]) => {
    if (!good.includes(from)) throw new Error(`${slug}: the record has no ${from}`);
    return draft(
      slug,
      good.replace(from, () => to),
    );
  });
  return [...(await Promise.all(issued)), ...spelled, ...forms(good), ...longNames(good)];
}

function draft(slug: string, text: string): Draft {
  const trust = pinKeys(kernel, [SERVICE.publicKeyHex]) as Json;
  return { name: `silent/${slug}`, request: { op: "verify", bytes: base64(text), kind: "receipt", trust } };
}

/** A newline, or a digit of another script, at the end of each member that has a form. */
function forms(good: string): Draft[] {
  const members = ["stream_event_id", "stream_id", "received_at", "payload_hash", "payload_salt", "event_hash"];
  return members.flatMap((name) => {
    const value = (JSON.parse(good) as JsonObject)[name] as string;
    const changed = (slug: string, other: string) =>
      draft(
        `${slug}-in-${name.replaceAll("_", "-")}`,
        good.replace(JSON.stringify(value), () => JSON.stringify(other)),
      );
    return [
      changed("newline", `${value}\n`),
      changed("space", `${value} `),
      changed("arabic-digit", `${value.slice(0, -1)}\u0661`),
      changed("uppercase", value.toUpperCase()),
    ];
  });
}

/** Paths are cut at 1,000 UTF-16 units. */
function longNames(good: string): Draft[] {
  const named = (slug: string, name: string) =>
    draft(
      `name-${slug}`,
      good.replace("{", () => `{${JSON.stringify(name)}:0,`),
    );
  return [
    ...[998, 999, 1000, 1001, 3000].map((length) => named(`of-${length}`, "n".repeat(length))),
    ...[498, 499, 500, 501].flatMap((count) => [
      named(`of-${count}-pairs`, "\u{1f600}".repeat(count)),
      named(`of-${count}-pairs-and-one`, `n${"\u{1f600}".repeat(count)}`),
    ]),
    named("with-slash-and-tilde", "a/b~c"),
    named("of-600-slashes", "/".repeat(600)),
    named("empty", ""),
    named("null-character", "\u0000"),
  ];
}

async function recordOf(changes: Partial<EventInput>) {
  return issueReceipt(
    kernel,
    SERVICE,
    { ...EVENT, ...changes },
    {
      stream_id: id("str", 1),
      stream_event_id: id("sev", 1),
      seq_no: 1,
      previous_event_hash: ZERO_HASH,
      received_at: at(1),
      payload_salt: "0".repeat(31).concat("1"),
    },
  );
}

/** The members in one order, so that a text can be found between two of them. */
function sorted(record: object): object {
  return Object.fromEntries(Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function nested(depth: number): JsonObject {
  return depth === 1 ? {} : { deeper: nested(depth - 1) };
}
