/**
 * The fast way to check the receipts of a batch of events: the kernel checks them as they are in the answer, and
 * compares them with the events as they are in the request. It has a result only if everything holds. Otherwise the
 * records are examined one by one, which finds the faults and their places.
 */
import { KernelStopped } from "@svc/wasm/errors";
import { areEqual } from "../encoding/bytes.ts";
import { hexToBytes } from "../encoding/hex.ts";
import { type RecordRecipe, SIGNATURE } from "../kernel/document.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { PAYLOAD_RECIPE } from "../objects/bundle/bulk.ts";
import { Lines } from "../objects/bundle/lines.ts";
import { type ReceiptRun, readRun, receiptRecipe } from "../objects/bundle/receipts.ts";
import { type KeyEndorsement, openKeys } from "../objects/key-endorsement.ts";
import type { EventInput, ReceiptRecord } from "../objects/receipt.ts";
import { MAX_PAYLOAD_DEPTH } from "../protocol.ts";
import { Examination } from "../report/examination.ts";
import { Salt } from "../schema/atoms.ts";
import { TRUST_NOBODY, type TrustPolicy } from "../trust/policy.ts";

/** A request that records events, its answer, and the keys that may have signed it. */
export interface RecordedBatch {
  /** The request's body: a JSON object with the events at `events`. */
  readonly request: Uint8Array;
  /** The answer's body: a JSON object with receipt records at `receipts`. */
  readonly answer: Uint8Array;
  readonly streamId: string;
  /** A policy about signers, as `parseTrustPolicy` returns it; null to trust nobody: no signature is checked then. */
  readonly trust: TrustPolicy | null;
  /** Endorsements that have the shape of the protocol. */
  readonly endorsements: readonly KeyEndorsement[];
}

/** The members of an event that its record repeats. */
const GIVEN = (["source_ref", "event_type", "occurred_at", "payload"] satisfies (keyof EventInput)[]).map((name) => [
  name,
]);
const EVENTS: RecordRecipe = {
  digests: [],
  signatures: [],
  hashes: [],
  literals: GIVEN,
  objects: [],
  closed: false,
};
/** The answer, its array and a record are open around a payload. */
const MAX_DEPTH = 3 + MAX_PAYLOAD_DEPTH;
const NONE = new Uint8Array();

/**
 * Returns the records of the answer if all of them hold; null otherwise, if the time of a signature matters, or if this
 * runtime cannot hold the answer so. If they hold, there is one record for each event, in order, with the event's own
 * members; the records follow one another in the stream; and `verifyParsed` of them as a stream is `verified`, or
 * `untrusted` without a policy. It does not compare them with any record before them.
 */
export function readRecorded(kernel: Kernel, batch: RecordedBatch): readonly ReceiptRecord[] | null {
  try {
    return readWhole(kernel, batch);
  } catch (error) {
    if (error instanceof RangeError || error instanceof KernelStopped) return null;
    throw error;
  }
}

function readWhole(kernel: Kernel, batch: RecordedBatch): readonly ReceiptRecord[] | null {
  const { streamId, trust, endorsements } = batch;
  const keys = new Examination(kernel, trust ?? TRUST_NOBODY);
  openKeys(keys, [], endorsements);
  const given = givenIn(kernel, batch.request);
  const opened = given === null || keys.rejected ? null : kernel.openJson(batch.answer);
  if (given === null || opened?.ok !== true) return null;
  const { document } = opened;
  const known = [...keys.keys.known()].map(([kid, key]) => [kid, hexToBytes(key)] as const);
  const receipt = receiptRecipe(new Map(known));
  const [columns, more] =
    document.records(["receipts"], {
      ...receipt,
      digests: [...receipt.digests, ...PAYLOAD_RECIPE.digests],
      literals: [...receipt.literals, ...PAYLOAD_RECIPE.literals, ...GIVEN],
      objects: PAYLOAD_RECIPE.objects,
    }) ?? [];
  const verdict = trust === null ? SIGNATURE.noKey : SIGNATURE.valid;
  const run = columns === undefined ? null : readRun(columns, streamId, verdict);
  const [salts = NONE, ...repeated] = columns?.literals.slice(receipt.literals.length) ?? [];
  const holds =
    run !== null &&
    more === undefined &&
    columns?.names.length === 0 &&
    // Event 1 follows zeros, and no other event does.
    run.previousHash.every((byte) => byte === 0) === (run.fromSeqNo === 1) &&
    document.depth <= MAX_DEPTH &&
    areEqual(columns.digests[receipt.digests.length] ?? NONE, run.payloadHashes) &&
    new Lines(salts, run.count).haveFormOf(Salt) &&
    repeated.every((column, index) => areEqual(column, given[index] ?? NONE)) &&
    (trust === null || isTrusted(keys, run, streamId));
  const value = holds ? (document.value() as { readonly receipts: readonly ReceiptRecord[] }) : null;
  document.close();
  return value?.receipts ?? null;
}

/**
 * Returns the members of the events in a request, each as a column of literals. The literals of an event that lacks a
 * member are empty, as no record's are. Null if there is no list of events.
 */
function givenIn(kernel: Kernel, request: Uint8Array): readonly Uint8Array[] | null {
  const opened = kernel.openJson(request);
  if (!opened.ok) return null;
  const [columns, more] = opened.document.records(["events"], EVENTS) ?? [];
  opened.document.close();
  // The elements of an array have no names.
  const isList = columns !== undefined && columns.names.length === 0 && more === undefined;
  return isList ? columns.literals : null;
}

/** Says whether trust reaches every signer of a run, whatever the time at which it signed. */
function isTrusted({ keys }: Examination, { signers }: ReceiptRun, streamId: string): boolean {
  return signers.every(({ kid, earliest }) => {
    const standing = keys.standing(kid, { streamId });
    return standing.trusted && standing.validTo === null && (standing.validFrom ?? "") <= earliest;
  });
}
