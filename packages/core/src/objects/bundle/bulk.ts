/**
 * The receipts and payloads of a bundle, checked in bulk by the kernel: shapes, hashes, chain, signatures (protocol sections 7 and 14).
 * It answers only where everything holds; where anything at all does not, or is unusual, the answer is null and the records are examined
 * one by one, which says what is wrong and where.
 */
import { encodeHex } from "../../encoding/hex.ts";
import { parseUtf8 } from "../../encoding/utf8.ts";
import {
  type JsonDocument,
  type MemberPath,
  type Projection,
  type RecordColumns,
  type RecordRecipe,
  SIGNATURE,
} from "../../kernel/document.ts";
import { tagLine } from "../../kernel/tag.ts";
import { ALGORITHM, MAX_PAYLOAD_DEPTH, PROTOCOL, type Tag } from "../../protocol.ts";
import { EventId, EventType, type HashHex, type Kid, KidText, Salt } from "../../schema/atoms.ts";
import { formats } from "../../schema/formats.ts";
import type { RecordPlace } from "./completeness.ts";
import type { Hollow } from "./hollow.ts";
import type { Bundle } from "./schema.ts";

/** Receipts all of which hold. */
export interface BulkReceipts {
  readonly count: number;
  /** The first one's sequence number; the others follow without a gap. */
  readonly fromSeqNo: number;
  /** Number and event hash of each, in order. */
  readonly places: readonly RecordPlace[];
  /** How many of the payloads are there. */
  readonly payloads: number;
  /** The keys that sealed them, in order of first appearance. */
  readonly signers: readonly BulkSigner[];
}

/** A key, and what it sealed first. */
export interface BulkSigner {
  readonly kid: Kid;
  readonly index: number;
  readonly seqNo: number;
  /** The earliest and the latest own time of what it sealed. */
  readonly earliest: string;
  readonly latest: string;
  /** How many it sealed. */
  readonly count: number;
}

const path = (...names: string[]): MemberPath => names;
const own = (...names: string[]): Readonly<Record<string, MemberPath>> =>
  Object.fromEntries(names.map((name) => [name, path(name)]));

function projection(tag: Tag, members: Projection["members"]): Projection {
  return { prefix: tagLine(tag), members };
}

const EVENT = projection(
  "event",
  own(
    "stream_id",
    "stream_event_id",
    "seq_no",
    "previous_event_hash",
    "source_ref",
    "event_type",
    "occurred_at",
    "received_at",
    "payload_hash",
  ),
);
const HEAD = projection("head", own("stream_id", "seq_no", "event_hash"));
const RECEIPT = projection("receipt", {
  ...own("stream_id", "stream_event_id", "seq_no", "event_hash", "previous_event_hash", "stream_head_hash"),
  protocol: PROTOCOL,
  alg: ALGORITHM,
  kid: path("receipt", "kid"),
});
const PAYLOAD = projection("payload", { payload: path("payload"), salt: path("payload_salt") });

function receiptRecipe(keys: ReadonlyMap<string, Uint8Array>): RecordRecipe {
  return {
    digests: [EVENT, HEAD],
    signatures: [{ ...RECEIPT, signature: path("receipt", "signature"), key: path("receipt", "kid"), keys }],
    hashes: [path("payload_hash"), path("previous_event_hash"), path("event_hash"), path("stream_head_hash")],
    literals: [
      path("stream_event_id"),
      path("stream_id"),
      path("seq_no"),
      path("source_ref"),
      path("event_type"),
      path("occurred_at"),
      path("received_at"),
      path("receipt", "kid"),
      path("receipt", "protocol"),
      path("receipt", "alg"),
      path("event_hash"),
    ],
    objects: [],
    closed: true,
  };
}

const PAYLOAD_RECIPE: RecordRecipe = {
  digests: [PAYLOAD],
  signatures: [],
  hashes: [],
  literals: [path("payload_salt")],
  objects: [path("payload")],
  closed: true,
};

/** Checks all receipts and payloads of a bundle under these public keys; null where not everything holds. */
export function checkInBulk(
  document: JsonDocument,
  hollow: Hollow,
  { manifest }: Bundle,
  keys: ReadonlyMap<string, Uint8Array>,
): BulkReceipts | null {
  const artifactHash = document.hashPart(new Uint8Array(), hollow.receiptsSpan);
  if (encodeHex(artifactHash) !== manifest.artifact_hashes["receipts.json"]) return null;
  const columns = document.records(["artifacts", "receipts.json"], receiptRecipe(keys));
  if (columns === null || !columns.regular.every((mark) => mark === 1)) return null;
  const [payloadHashes = NONE, previous = NONE, eventHashes = NONE, heads = NONE] = columns.hashes;
  const [events = NONE, headDigests = NONE] = columns.digests;
  const holds =
    columns.verdicts[0]?.every((verdict) => verdict === SIGNATURE.valid) === true &&
    areEqual(events, eventHashes) &&
    areEqual(headDigests, heads) &&
    areEqual(previous.subarray(32), eventHashes.subarray(0, -32));
  if (!holds) return null;

  const lines = readLines(columns, manifest.stream_id);
  if (lines === null) return null;
  const { fromSeqNo, eventIds, kids, receivedAt, hashes } = lines;
  // Event 1 follows zeros, and no other does.
  if (previous.subarray(0, 32).every((byte) => byte === 0) !== (fromSeqNo === 1)) return null;
  const payloads = hollow.hasPayloads ? checkPayloads(document, eventIds, payloadHashes) : 0;
  if (payloads === null) return null;
  return {
    count: columns.count,
    fromSeqNo,
    places: hashes.map((event_hash, row) => ({ seq_no: fromSeqNo + row, event_hash })),
    payloads,
    signers: signersOf(kids, receivedAt, fromSeqNo),
  };
}

/** The text columns, where each value has its form; sequence numbers without a gap, and times that never go back. */
function readLines(columns: RecordColumns, streamId: string) {
  const texts = columns.literals.map(toStrings);
  const [eventIds, streamIds, , sourceRefs, eventTypes, occurredAt, receivedAt, kids, protocols, algs, hashes] = texts;
  const numbers = columns.literals[2] === undefined ? null : toLiterals(columns.literals[2]);
  if (
    !eventIds ||
    !streamIds ||
    !sourceRefs ||
    !eventTypes ||
    !occurredAt ||
    !receivedAt ||
    !kids ||
    !hashes ||
    !numbers
  )
    return null;
  const fromSeqNo = Number(numbers[0]);
  const hasForm =
    Number.isSafeInteger(fromSeqNo) &&
    fromSeqNo >= 1 &&
    fromSeqNo + columns.count - 1 <= Number.MAX_SAFE_INTEGER &&
    numbers.every((literal, row) => literal === `${fromSeqNo + row}`) &&
    streamIds.every((text) => text === streamId) &&
    protocols?.every((text) => text === PROTOCOL) === true &&
    algs?.every((text) => text === ALGORITHM) === true &&
    eventIds.every(matches(EventId)) &&
    eventTypes.every(matches(EventType)) &&
    kids.every(matches(KidText)) &&
    sourceRefs.every(has("source-ref")) &&
    occurredAt.every(has("source-time")) &&
    receivedAt.every(has("service-time")) &&
    receivedAt.every((time, row) => row === 0 || time >= (receivedAt[row - 1] ?? ""));
  return hasForm ? { fromSeqNo, eventIds, kids: kids as Kid[], receivedAt, hashes: hashes as HashHex[] } : null;
}

/** How many payloads there are, where each is an object that hashes to what the record of its event says. */
function checkPayloads(document: JsonDocument, eventIds: readonly string[], payloadHashes: Uint8Array): number | null {
  // The object of all of them, that of one, and the payload in it.
  if ((document.depth(["payloads"]) ?? 0) > 2 + MAX_PAYLOAD_DEPTH) return null;
  const columns = document.records(["payloads"], PAYLOAD_RECIPE);
  if (columns === null || !columns.regular.every((mark) => mark === 1)) return null;
  const names = toStrings(columns.names);
  const salts = toStrings(columns.literals[0] ?? NONE);
  const digests = columns.digests[0] ?? NONE;
  if (names === null || salts === null || !salts.every(matches(Salt))) return null;
  const rows = new Map(eventIds.map((id, row) => [id, row]));
  // Of two records with one id only the last would be found here.
  if (rows.size !== eventIds.length) return null;
  const holds = names.every((name, index) => {
    const row = rows.get(name);
    if (row === undefined) return false;
    return areEqual(digests.subarray(32 * index, 32 * index + 32), payloadHashes.subarray(32 * row, 32 * row + 32));
  });
  return holds ? columns.count : null;
}

function signersOf(kids: readonly Kid[], receivedAt: readonly string[], fromSeqNo: number): BulkSigner[] {
  const rows = new Map<Kid, { first: number; last: number; count: number }>();
  kids.forEach((kid, row) => {
    const known = rows.get(kid);
    if (known === undefined) rows.set(kid, { first: row, last: row, count: 1 });
    else {
      known.last = row;
      known.count++;
    }
  });
  return [...rows].map(([kid, { first, last, count }]) => ({
    kid,
    index: first,
    seqNo: fromSeqNo + first,
    earliest: receivedAt[first] ?? "",
    latest: receivedAt[last] ?? "",
    count,
  }));
}

const NONE = new Uint8Array();

function areEqual(left: Uint8Array, right: Uint8Array): boolean {
  if (left.length !== right.length) return false;
  for (let at = 0; at < left.length; at++) if (left[at] !== right[at]) return false;
  return true;
}

/** The literals of a column, one a line. */
function toLiterals(column: Uint8Array): string[] | null {
  return parseUtf8(column)?.split("\n").slice(0, -1) ?? null;
}

/** The strings of a column; null where one of them is none. */
function toStrings(column: Uint8Array): string[] | null {
  const literals = toLiterals(column);
  if (literals === null || !literals.every((literal) => literal.startsWith('"'))) return null;
  const hasEscapes = column.includes(BACKSLASH);
  return literals.map((literal) =>
    hasEscapes && literal.includes("\\") ? (JSON.parse(literal) as string) : literal.slice(1, -1),
  );
}

const BACKSLASH = 0x5c;

function matches(schema: unknown): (text: string) => boolean {
  const pattern = new RegExp((schema as { pattern: string }).pattern, "u");
  return (text) => pattern.test(text);
}

function has(format: string): (text: string) => boolean {
  return formats[format] ?? (() => false);
}
