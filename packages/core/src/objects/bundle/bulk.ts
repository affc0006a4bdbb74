/**
 * The receipts and payloads of a bundle, checked in bulk by the kernel: shapes, hashes, chain, signatures (protocol
 * sections 7 and 14). It has an answer only if everything holds. If anything does not, or is unusual, it returns null;
 * then the records are examined one by one, which finds the faults and their places.
 */
import { areEqual, concatBytes } from "../../encoding/bytes.ts";
import type { JsonDocument, RecordRecipe } from "../../kernel/document.ts";
import { MAX_PAYLOAD_DEPTH } from "../../protocol.ts";
import { Salt } from "../../schema/atoms.ts";
import { Lines } from "./lines.ts";
import type { ProvenanceDigests } from "./provenance/bulk.ts";
import { projection, type ReceiptRun } from "./receipts.ts";

/** Receipts and payloads all of which hold. */
export interface BulkReceipts extends ReceiptRun {
  /** The number of payloads that are there. */
  readonly payloads: number;
  /** The digests of what vaults state about the events, in a bundle over a provenance stream. */
  readonly provenance?: ProvenanceDigests;
}

/** Payloads whose forms hold. It is plain data, so that it can be sent from one thread to another. */
export interface PayloadRun {
  readonly count: number;
  /** Their names as string literals, each with a newline behind it. */
  readonly names: Uint8Array;
  /** The hash of each, 32 bytes. */
  readonly hashes: Uint8Array;
}

/** The recipe for payloads with their salts. */
export const PAYLOAD_RECIPE: RecordRecipe = {
  digests: [projection("payload", { payload: ["payload"], salt: ["payload_salt"] })],
  signatures: [],
  hashes: [],
  literals: [["payload_salt"]],
  objects: [["payload"]],
  closed: true,
};

/** Hashes the payloads in a document, which is an object of them; null if the form of one is wrong. */
export function readPayloads(document: JsonDocument): PayloadRun | null {
  // The object of all payloads and the object of one are open around it.
  if (document.depth > 2 + MAX_PAYLOAD_DEPTH) return null;
  const runs: PayloadRun[] = [];
  for (const { count, names, literals, regular, digests } of document.records([], PAYLOAD_RECIPE) ?? []) {
    const salts = new Lines(literals[0] ?? new Uint8Array(), count);
    if (!regular.every((mark) => mark === 1) || !salts.haveFormOf(Salt)) return null;
    runs.push({ count, names, hashes: concatBytes(digests) });
  }
  return joined(runs);
}

/**
 * Joins parts of one object of payloads; null if the names do not ascend from part to part, as those of a canonical
 * object do.
 */
export function joinPayloads(runs: readonly PayloadRun[]): PayloadRun | null {
  const names = runs.map((run) => new Lines(run.names, run.count));
  const ascend = names.every((own, index) => {
    const before = names[index - 1];
    return before === undefined || JSON.parse(before.lastLiteral) < JSON.parse(own.firstLiteral);
  });
  return ascend ? joined(runs) : null;
}

function joined(runs: readonly PayloadRun[]): PayloadRun {
  return {
    count: runs.reduce((sum, { count }) => sum + count, 0),
    names: concatBytes(runs.map(({ names }) => names)),
    hashes: concatBytes(runs.map(({ hashes }) => hashes)),
  };
}

/** Joins receipts and payloads; null if not everything holds. */
export function joinBulk(payloads: PayloadRun, run: ReceiptRun): BulkReceipts | null {
  // Event 1 follows zeros, and no other event does.
  if (run.previousHash.every((byte) => byte === 0) !== (run.fromSeqNo === 1)) return null;
  return areOfEvents(payloads, run) ? { ...run, payloads: payloads.count } : null;
}

/** Says whether each payload belongs to an event of the run, and has the hash that the event's record states. */
function areOfEvents({ count, names, hashes }: PayloadRun, run: ReceiptRun): boolean {
  // Usually there is one for each event, in the same order; the names in an object are never the same.
  if (areEqual(names, run.eventIds)) return areEqual(hashes, run.payloadHashes);
  const eventIds = new Lines(run.eventIds, run.count).texts() ?? [];
  const rows = new Map(eventIds.map((id, row) => [id, row]));
  // If two records had one id, only the last would be found here.
  if (rows.size !== run.count) return false;
  const hashAt = (column: Uint8Array, row: number) => column.subarray(32 * row, 32 * row + 32);
  const isOfEvent = (name: string, index: number) => {
    const row = rows.get(name);
    return row !== undefined && areEqual(hashAt(hashes, index), hashAt(run.payloadHashes, row));
  };
  return new Lines(names, count).texts()?.every(isOfEvent) === true;
}
