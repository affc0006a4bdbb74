/**
 * The receipts and payloads of a bundle, checked in bulk by the kernel: shapes, hashes, chain, signatures (protocol sections 7 and 14).
 * It answers only where everything holds; where anything at all does not, or is unusual, the answer is null and the records are examined
 * one by one, which says what is wrong and where.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeHex } from "../../encoding/hex.ts";
import type { JsonDocument, RecordRecipe } from "../../kernel/document.ts";
import { MAX_PAYLOAD_DEPTH } from "../../protocol.ts";
import { Salt } from "../../schema/atoms.ts";
import type { Hollow } from "./hollow.ts";
import { joinLines, Lines } from "./lines.ts";
import { areEqual, checkReceipts, projection, type ReceiptRun } from "./receipts.ts";
import type { Bundle } from "./schema.ts";

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

/** Checks all receipts and payloads of a bundle under these public keys; null where not everything holds. */
export function checkInBulk(
  document: JsonDocument,
  hollow: Hollow,
  { manifest }: Bundle,
  keys: ReadonlyMap<string, Uint8Array>,
): BulkReceipts | null {
  const artifactHash = document.hashPart(new Uint8Array(), hollow.receiptsSpan);
  if (encodeHex(artifactHash) !== manifest.artifact_hashes["receipts.json"]) return null;
  const run = checkReceipts(document, ["artifacts", "receipts.json"], manifest.stream_id, keys);
  if (run === null) return null;
  // Event 1 follows zeros, and no other does.
  if (run.previousHash.every((byte) => byte === 0) !== (run.fromSeqNo === 1)) return null;
  const payloads = hollow.hasPayloads ? checkPayloads(document, run) : 0;
  return payloads === null ? null : { ...run, payloads };
}

/** How many payloads there are, where each is an object that hashes to what the record of its event says. */
function checkPayloads(document: JsonDocument, run: ReceiptRun): number | null {
  // The bundle, the object of all payloads and that of one are open around it.
  if (document.depth > 3 + MAX_PAYLOAD_DEPTH) return null;
  const names: Lines[] = [];
  const digests: Uint8Array[] = [];
  for (const columns of document.records(["payloads"], PAYLOAD_RECIPE) ?? []) {
    const salts = new Lines(columns.literals[0] ?? new Uint8Array(), columns.count);
    if (!columns.regular.every((mark) => mark === 1) || !salts.haveFormOf(Salt)) return null;
    names.push(new Lines(columns.names, columns.count));
    digests.push(...columns.digests);
  }
  const all = joinLines(names);
  return areOfEvents(all, concatBytes(digests), run) ? all.count : null;
}

/** Whether payloads with these names and hashes are of events of the run, one each. */
function areOfEvents(names: Lines, digests: Uint8Array, run: ReceiptRun): boolean {
  // Most often there is one for each event, in the same order; the names of an object are never the same.
  if (areEqual(names.bytes, run.eventIds)) return areEqual(digests, run.payloadHashes);
  const eventIds = new Lines(run.eventIds, run.count).texts() ?? [];
  const rows = new Map(eventIds.map((id, row) => [id, row]));
  // Of two records with one id only the last would be found here.
  if (rows.size !== run.count) return false;
  return (
    names.texts()?.every((name, index) => {
      const row = rows.get(name);
      if (row === undefined) return false;
      const [digest, payloadHash] = [digests, run.payloadHashes].map((hashes, which) => {
        const at = 32 * (which === 0 ? index : row);
        return hashes.subarray(at, at + 32);
      });
      return areEqual(digest ?? names.bytes, payloadHash ?? names.bytes);
    }) === true
  );
}
