/**
 * The bundles of a package (protocol section 15). A large one is checked in bulk as it is in proofs.json, and its
 * events are read again when they are needed, a part at a time, so that they are never in memory together. All others
 * are values.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8, parseUtf8 } from "../../encoding/utf8.ts";
import type { RecordColumns } from "../../kernel/document.ts";
import type { Json, Kernel, OpenedJson } from "../../kernel/kernel.ts";
import type { BulkReceipts } from "../../objects/bundle/bulk.ts";
import { find } from "../../objects/bundle/frame.ts";
import { Lines } from "../../objects/bundle/lines.ts";
import { countOf, type SharedBundle, textsOfParts } from "../../objects/bundle/parts.ts";
import type { RedactedRecord } from "../../objects/receipt.ts";
import { type Proof, proofOf, type ShownEvent } from "../../objects/truth-package/proof.ts";
import { Examination } from "../../report/examination.ts";
import type { VaultEvidence } from "../kinds.ts";
import { readInSteps, type Steps } from "../read-in-steps.ts";

/** The end of a bundle and the beginning of the next one. With its quotes it cannot be inside any text. */
const BETWEEN = encodeUtf8('"}},{"artifacts":{');
const COMMA_IN_BETWEEN = 3;
const [OPEN, CLOSE] = [encodeUtf8("["), encodeUtf8("]")];
const PAYLOAD_TEXTS = {
  digests: [],
  signatures: [],
  hashes: [],
  literals: [["payload"]],
  objects: [["payload"]],
  closed: false,
};

/**
 * Splits a text into at most so many proofs. It guesses where they begin, and the guess is safe: each is parsed by
 * itself, and texts of one value each with commas between them are a list of these values. Null if the text must be
 * read as a whole.
 */
export function* proofsIn(
  { kernel, trust }: Examination,
  bytes: Uint8Array,
  most: number,
  vaults?: VaultEvidence,
  partBytes?: number,
): Steps<readonly Proof[] | null> {
  if (bytes[0] !== OPEN[0] || bytes.at(-1) !== CLOSE[0]) return null;
  const proofs: Proof[] = [];
  for (let start = 1, end = 0; end < bytes.length - 1; start = end + 1) {
    const between = proofs.length < most - 1 ? find(bytes, BETWEEN, start) : null;
    end = between === null ? bytes.length - 1 : between + COMMA_IN_BETWEEN;
    const part = bytes.subarray(start, end);
    const read = yield* within(
      start,
      part,
      bytes,
      readInSteps(new Examination(kernel, trust), part, vaults, partBytes),
    );
    if (read !== null && read.bulk.provenance === undefined && doIdsAscend(read.bulk)) {
      const { bundle, bulk, work } = read;
      proofs.push({ value: bundle, bulk, events: () => eventsIn(kernel, work) });
      continue;
    }
    const parsed = kernel.parseJson(concatBytes([OPEN, part, CLOSE]));
    const values = parsed.ok ? (parsed.value as readonly Json[]) : [];
    if (values.length !== 1) return null;
    proofs.push(...values.map(proofOf));
  }
  return proofs;
}

/** Returns the steps in a part as steps in the whole. */
function* within<T>(start: number, part: Uint8Array, whole: Uint8Array, steps: Steps<T>): Steps<T> {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
    yield [start + (part.length * value[0]) / value[1], whole.length];
  }
}

/**
 * Says whether the payloads of events, which are in the order of their ids, are also in the order of their numbers.
 */
function doIdsAscend({ eventIds, count }: BulkReceipts): boolean {
  return new Lines(eventIds, count).texts()?.every((id, row, ids) => id > (ids[row - 1] ?? "")) === true;
}

/** Yields the events of a bundle all of whose parts hold. */
export function* eventsIn(kernel: Kernel, work: SharedBundle): Generator<ShownEvent> {
  const texts = textsOfParts(work);
  const payloads = payloadsIn(kernel, work);
  let shown = payloads.next().value;
  for (let part = 0; part < work.receiptParts; part++)
    // Each part was opened strictly before, and has no name with an escape, which a runtime may misread.
    for (const record of JSON.parse(parseUtf8(texts(part)) as string) as readonly RedactedRecord[])
      if (shown?.[0] === record.stream_event_id) {
        yield [record, shown[1]];
        shown = payloads.next().value;
      } else yield [record, undefined];
}

/** Yields the names and the texts of payloads as they stand, all of which hold: none is parsed into a value. */
function* payloadsIn(kernel: Kernel, work: SharedBundle): Generator<readonly [string, string], undefined> {
  const texts = textsOfParts(work);
  for (let part = work.receiptParts; part < countOf(work); part++) {
    const { document } = kernel.openJson(texts(part)) as Extract<OpenedJson, { ok: true }>;
    for (const { count, names, literals } of document.records([], PAYLOAD_TEXTS) as Iterable<RecordColumns>) {
      const ids = new Lines(names, count).texts() as readonly string[];
      const text = parseUtf8(literals[0] as Uint8Array);
      if (text === null) throw new RangeError("Invalid string length");
      // No literal has a newline in it.
      const payloads = text.split("\n");
      for (let row = 0; row < count; row++) yield [ids[row] as string, payloads[row] as string];
    }
    document.close();
  }
}
