/**
 * Receipts that follow one another, checked in bulk by the kernel: shapes, hashes, chain, signatures (protocol section
 * 7). It returns null if anything does not hold, and never says what.
 */
import { areEqual, concatBytes } from "../../encoding/bytes.ts";
import {
  type JsonDocument,
  type MemberPath,
  type Projection,
  type RecordColumns,
  type RecordRecipe,
  SIGNATURE,
} from "../../kernel/document.ts";
import { ALGORITHM, lineOf, PROTOCOL, type Tag } from "../../protocol.ts";
import { EventId, EventType, type Kid, KidText } from "../../schema/atoms.ts";
import type { RecordPlaces } from "./completeness.ts";
import { Lines } from "./lines.ts";

/** Receipts without a gap, all of which hold. It is plain data, so that it can be sent from one thread to another. */
export interface ReceiptRun {
  readonly count: number;
  /** The first one's sequence number. */
  readonly fromSeqNo: number;
  /** The event hash that the first one names as its predecessor's; 32 bytes. */
  readonly previousHash: Uint8Array;
  /** The own time of the first one and of the last one. */
  readonly firstTime: string;
  readonly lastTime: string;
  /** The identifiers of the events as string literals, each with a newline behind it. */
  readonly eventIds: Uint8Array;
  /** 32 bytes for each event. */
  readonly eventHashes: Uint8Array;
  /** 32 bytes for each event. */
  readonly payloadHashes: Uint8Array;
  /** The keys that sealed them, in order of first appearance. */
  readonly signers: readonly RunSigner[];
  /** The members that envelopes are compared with; there only if they were asked for. */
  readonly described?: DescribedRun;
}

/** Members of the records as string literals, each with a newline behind it. */
export interface DescribedRun {
  readonly sourceRefs: Uint8Array;
  readonly eventTypes: Uint8Array;
  readonly occurredAt: Uint8Array;
  readonly receivedAt: Uint8Array;
}

/** A key, and the first receipt that it sealed. */
export interface RunSigner {
  readonly kid: Kid;
  /** The number of receipts in the run before the first one that it sealed. */
  readonly index: number;
  readonly seqNo: number;
  /** The earliest and the latest own time of the receipts that it sealed. */
  readonly earliest: string;
  readonly latest: string;
  /** The number of receipts that it sealed. */
  readonly count: number;
}

const path = (...names: string[]): MemberPath => names;
/** Names members of a record, each under its own name. */
export const own = (...names: string[]): Readonly<Record<string, MemberPath>> =>
  Object.fromEntries(names.map((name) => [name, path(name)]));

/** Returns the bytes that a hash or a signature covers: J of these members behind the line of a tag. */
export function projection(tag: Tag, members: Projection["members"]): Projection {
  return { prefix: lineOf(tag), members };
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

/**
 * Returns the recipe for receipts without payloads, of which `readRun` reads the columns. Another recipe may ask for
 * more behind each list of it.
 */
export function receiptRecipe(keys: ReadonlyMap<string, Uint8Array>): RecordRecipe {
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
    ],
    objects: [],
    closed: true,
  };
}

/** The stream and the keys that receipts are checked against. */
export interface ReceiptContext {
  readonly streamId: string;
  /** The public keys, 32 bytes each, by their identifiers. */
  readonly keys: ReadonlyMap<string, Uint8Array>;
  /** Whether the members are kept that envelopes are compared with. */
  readonly isDescribed?: boolean;
}

/** Checks the receipts in a document, which is an array of them; null also for an empty array. */
export function checkReceipts(document: JsonDocument, context: ReceiptContext): ReceiptRun | null {
  const runs: ReceiptRun[] = [];
  for (const columns of document.records([], receiptRecipe(context.keys)) ?? []) {
    const run = readRun(columns, context.streamId);
    if (run === null) return null;
    runs.push(context.isDescribed === true ? { ...run, described: describedIn(columns) } : run);
  }
  return joinRuns(runs);
}

/** Joins several runs; null if one does not follow the one before it. */
export function joinRuns(runs: readonly ReceiptRun[]): ReceiptRun | null {
  const [first, last] = [runs[0], runs.at(-1)];
  if (first === undefined || last === undefined) return null;
  const isChain = runs.every((run, index) => {
    const before = runs[index - 1];
    return (
      before === undefined ||
      (run.fromSeqNo === before.fromSeqNo + before.count &&
        areEqual(run.previousHash, before.eventHashes.subarray(-32)) &&
        run.firstTime >= before.lastTime)
    );
  });
  if (!isChain) return null;
  return {
    ...first,
    count: runs.reduce((sum, { count }) => sum + count, 0),
    lastTime: last.lastTime,
    eventIds: concatBytes(runs.map(({ eventIds }) => eventIds)),
    eventHashes: concatBytes(runs.map(({ eventHashes }) => eventHashes)),
    payloadHashes: concatBytes(runs.map(({ payloadHashes }) => payloadHashes)),
    signers: joinSigners(runs),
    ...(first.described === undefined ? {} : { described: joinDescribed(runs) }),
  };
}

/** The place of each member in the recipe's literals. */
function describedIn({ literals }: RecordColumns): DescribedRun {
  const [, , , sourceRefs = NONE, eventTypes = NONE, occurredAt = NONE, receivedAt = NONE] = literals;
  return { sourceRefs, eventTypes, occurredAt, receivedAt };
}

function joinDescribed(runs: readonly ReceiptRun[]): DescribedRun {
  const all = (name: keyof DescribedRun) => concatBytes(runs.map(({ described }) => described?.[name] ?? NONE));
  return {
    sourceRefs: all("sourceRefs"),
    eventTypes: all("eventTypes"),
    occurredAt: all("occurredAt"),
    receivedAt: all("receivedAt"),
  };
}

/** Returns the places of the records of a run. */
export function placesInRun({ count, fromSeqNo, eventHashes }: ReceiptRun): RecordPlaces {
  return {
    count,
    seqNo: (index) => fromSeqNo + index,
    eventHash: (index) => eventHashes.subarray(32 * index, 32 * index + 32),
  };
}

/**
 * Returns a batch of records as a run; null if one of them does not hold. `verdict`: what each signature must be found
 * to be, by default valid.
 */
export function readRun(
  { count, regular, digests, verdicts, hashes, literals }: RecordColumns,
  streamId: string,
  verdict: (typeof SIGNATURE)[keyof typeof SIGNATURE] = SIGNATURE.valid,
): ReceiptRun | null {
  const [payloadHashes = NONE, previous = NONE, eventHashes = NONE, heads = NONE] = hashes;
  const [events = NONE, headDigests = NONE] = digests;
  const holds =
    regular.every((mark) => mark === 1) &&
    verdicts[0]?.every((found) => found === verdict) === true &&
    areEqual(events, eventHashes) &&
    areEqual(headDigests, heads) &&
    areEqual(previous.subarray(32), eventHashes.subarray(0, -32));
  if (!holds) return null;

  const [eventIds, streamIds, numbers, sourceRefs, eventTypes, occurredAt, receivedAt, kids, protocols, algs] =
    literals.map((literal) => new Lines(literal, count));
  const fromSeqNo = Number(numbers?.firstLiteral);
  const hasForm =
    Number.isSafeInteger(fromSeqNo) &&
    // Without receipts it is 0.
    fromSeqNo >= 1 &&
    // A sum past the largest integer would be rounded.
    fromSeqNo <= Number.MAX_SAFE_INTEGER - (count - 1) &&
    numbers?.countFrom(fromSeqNo) &&
    streamIds?.areAll(streamId) &&
    protocols?.areAll(PROTOCOL) &&
    algs?.areAll(ALGORITHM) &&
    eventIds?.haveFormOf(EventId) &&
    eventTypes?.haveFormOf(EventType) &&
    kids?.haveFormOf(KidText) &&
    sourceRefs?.areOf("source-ref") &&
    occurredAt?.areOf("source-time") &&
    receivedAt?.areOf("service-time");
  const times = receivedAt?.texts();
  const names = kids?.texts();
  if (hasForm !== true || eventIds === undefined || !times || !names) return null;
  if (!times.every((time, row) => time >= (times[row - 1] ?? ""))) return null;
  return {
    count,
    fromSeqNo,
    previousHash: previous.slice(0, 32),
    firstTime: times[0] ?? "",
    lastTime: times.at(-1) ?? "",
    eventIds: eventIds.bytes,
    eventHashes,
    payloadHashes,
    signers: signersOf(names as Kid[], times, fromSeqNo),
  };
}

function signersOf(kids: readonly Kid[], times: readonly string[], fromSeqNo: number): RunSigner[] {
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
    earliest: times[first] ?? "",
    latest: times[last] ?? "",
    count,
  }));
}

function joinSigners(runs: readonly ReceiptRun[]): RunSigner[] {
  const signers = new Map<Kid, RunSigner>();
  let before = 0;
  for (const run of runs) {
    for (const signer of run.signers) {
      const known = signers.get(signer.kid) ?? { ...signer, index: before + signer.index, count: 0 };
      signers.set(signer.kid, { ...known, latest: signer.latest, count: known.count + signer.count });
    }
    before += run.count;
  }
  return [...signers.values()];
}

const NONE = new Uint8Array();
