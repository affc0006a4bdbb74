/**
 * The receipts and payloads of a bundle, checked in bulk by the kernel: shapes, hashes, chain, signatures (protocol sections 7 and 14).
 * It answers only where everything holds; where anything at all does not, or is unusual, the answer is null and the records are examined
 * one by one, which says what is wrong and where.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import type { JsonDocument, RecordRecipe } from "../../kernel/document.ts";
import { MAX_PAYLOAD_DEPTH } from "../../protocol.ts";
import { Salt } from "../../schema/atoms.ts";
import type { Hollow } from "./hollow.ts";
import { joinLines, Lines } from "./lines.ts";
import { areEqual, projection, type ReceiptRun } from "./receipts.ts";

/** Receipts and payloads all of which hold. */
export interface BulkReceipts extends ReceiptRun {
  /** How many of the payloads are there. */
  readonly payloads: number;
}

const PAYLOAD_RECIPE: RecordRecipe = {
  digests: [projection("payload", { payload: ["payload"], salt: ["payload_salt"] })],
  signatures: [],
  hashes: [],
  literals: [["payload_salt"]],
  objects: [["payload"]],
  closed: true,
};

/** The payloads of a bundle: for each the name under which it stands, and its hash. */
export interface PayloadHashes {
  readonly names: Lines;
  /** 32 bytes for each. */
  readonly hashes: Uint8Array;
}

/** The payloads that stand in the frame of a bundle; null where the form of one is wrong. */
export function readPayloads(frame: JsonDocument, { hasPayloads }: Hollow): PayloadHashes | null {
  if (!hasPayloads) return { names: joinLines([]), hashes: new Uint8Array() };
  // The bundle, the object of all payloads and that of one are open around it.
  if (frame.depth > 3 + MAX_PAYLOAD_DEPTH) return null;
  const names: Lines[] = [];
  const hashes: Uint8Array[] = [];
  for (const columns of frame.records(["payloads"], PAYLOAD_RECIPE) ?? []) {
    const salts = new Lines(columns.literals[0] ?? new Uint8Array(), columns.count);
    if (!columns.regular.every((mark) => mark === 1) || !salts.haveFormOf(Salt)) return null;
    names.push(new Lines(columns.names, columns.count));
    hashes.push(...columns.digests);
  }
  return { names: joinLines(names), hashes: concatBytes(hashes) };
}

/** Puts receipts and payloads together; null where not everything holds. */
export function joinBulk(payloads: PayloadHashes, run: ReceiptRun): BulkReceipts | null {
  // Event 1 follows zeros, and no other does.
  if (run.previousHash.every((byte) => byte === 0) !== (run.fromSeqNo === 1)) return null;
  return areOfEvents(payloads, run) ? { ...run, payloads: payloads.names.count } : null;
}

/** Whether each payload is of an event of the run, and is the one whose hash its record states. */
function areOfEvents({ names, hashes }: PayloadHashes, run: ReceiptRun): boolean {
  // Most often there is one for each event, in the same order; the names of an object are never the same.
  if (areEqual(names.bytes, run.eventIds)) return areEqual(hashes, run.payloadHashes);
  const eventIds = new Lines(run.eventIds, run.count).texts() ?? [];
  const rows = new Map(eventIds.map((id, row) => [id, row]));
  // Of two records with one id only the last would be found here.
  if (rows.size !== run.count) return false;
  const hashAt = (column: Uint8Array, row: number) => column.subarray(32 * row, 32 * row + 32);
  const isOfEvent = (name: string, index: number) => {
    const row = rows.get(name);
    return row !== undefined && areEqual(hashAt(hashes, index), hashAt(run.payloadHashes, row));
  };
  return names.texts()?.every(isOfEvent) === true;
}
