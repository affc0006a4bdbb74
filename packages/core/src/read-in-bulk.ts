/**
 * The fast way to a large bundle: its receipts and payloads are checked by the kernel as they stand in the bytes, and only what is left is
 * built as a value. It is taken only where all of them hold; the report is then the same as that of the way record by record.
 */
import { hexToBytes } from "./encoding/hex.ts";
import type { JsonDocument } from "./kernel/document.ts";
import { detectKind, kindEntry } from "./kinds.ts";
import { type AroundReceipts, type BulkReceipts, checkAroundReceipts, joinBulk } from "./objects/bundle/bulk.ts";
import { type Hollow, hollowOut } from "./objects/bundle/hollow.ts";
import { checkReceipts, type ReceiptContext, type ReceiptRun } from "./objects/bundle/receipts.ts";
import type { Bundle } from "./objects/bundle/schema.ts";
import { openKeys } from "./objects/key-endorsement.ts";
import { Examination } from "./report/examination.ts";
import { deepPayloads, shapeProblems } from "./schema/validate.ts";
import {
  joinParts,
  type SharedReceipts,
  shareReceipts,
  stopTaking,
  type TakenPart,
  takeReceipts,
} from "./shared-receipts.ts";

/** Smaller objects are read whole: it costs nothing to speak of. */
const MIN_BYTES = 65_536;
const RECEIPTS = ["artifacts", "receipts.json"] as const;

/** A bundle without receipts and payloads, and what was found about these. */
export interface ReadInBulk {
  readonly bundle: Bundle;
  readonly bulk: BulkReceipts;
}

/** A bundle that can be read in bulk, none of whose receipts and payloads has been looked at. */
export class OpenBundle {
  readonly document: JsonDocument;
  readonly hollow: Hollow;
  readonly bundle: Bundle;
  readonly #probe: Examination;

  constructor(document: JsonDocument, hollow: Hollow, bundle: Bundle, probe: Examination) {
    this.document = document;
    this.hollow = hollow;
    this.bundle = bundle;
    this.#probe = probe;
  }

  /** What its receipts are held against. */
  get context(): ReceiptContext {
    const keys = [...this.#probe.keys.all()].map(([kid, key]): [string, Uint8Array] => [kid, hexToBytes(key)]);
    return { streamId: this.bundle.manifest.stream_id, keys: new Map(keys) };
  }

  /** Checks what needs no receipt by itself; null where anything is wrong. */
  checkAround(): AroundReceipts | null {
    return checkAroundReceipts(this.document, this.hollow, this.bundle);
  }

  /** Puts all together; null where not everything holds, or the time of a signature counts. */
  join(around: AroundReceipts, run: ReceiptRun | null): ReadInBulk | null {
    const bulk = run === null ? null : joinBulk(around, run);
    if (bulk === null) return null;
    const { manifest, artifacts } = this.bundle;
    const scope = { streamId: manifest.stream_id, origin: artifacts["checkpoints.json"].at(-1)?.origin };
    const isDated = bulk.signers.some(({ kid, earliest }) => {
      const standing = this.#probe.keys.standing(kid, scope);
      return standing.trusted && (standing.validTo !== null || (standing.validFrom ?? "") > earliest);
    });
    return isDated ? null : { bundle: this.bundle, bulk };
  }
}

/** Reads bytes for this examination, which is left as it is; null where they must be read whole. */
export function readInBulk(exam: Examination, bytes: Uint8Array): ReadInBulk | null {
  const open = openInBulk(exam, bytes);
  try {
    const around = open?.checkAround() ?? null;
    if (open === null || around === null) return null;
    return open.join(around, checkReceipts(open.document, RECEIPTS, open.context));
  } finally {
    open?.document.close();
  }
}

/** As readInBulk, with the receipts checked by other threads and this one. */
export async function readWithHelpers(
  exam: Examination,
  bytes: Uint8Array,
  helpers: readonly ((work: SharedReceipts) => Promise<readonly TakenPart[]>)[],
): Promise<ReadInBulk | null> {
  const open = openInBulk(exam, bytes);
  if (open === null) return null;
  try {
    const work = shareReceipts(open.document.canonicalBytes(), open.hollow.receiptsSpan, open.context);
    const answers = Promise.allSettled(helpers.map((help) => help(work)));
    const around = open.checkAround();
    open.document.close();
    if (around === null) stopTaking(work);
    const own = takeReceipts(exam.kernel, work);
    // What a helper took and did not hand in is missing, and is checked here.
    const others = (await answers).flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return around === null ? null : open.join(around, joinParts(exam.kernel, work, [...own, ...others]));
  } finally {
    open.document.close();
  }
}

/** Opens bytes for this examination, which is left as it is; null where they must be read whole. Whoever asks closes the document. */
export function openInBulk(exam: Examination, bytes: Uint8Array): OpenBundle | null {
  if (bytes.length < MIN_BYTES || (exam.kind !== null && exam.kind !== "bundle")) return null;
  const opened = exam.kernel.openJson(bytes);
  if (!opened.ok) return null;
  const open = openDocument(exam, opened.document);
  if (open === null) opened.document.close();
  return open;
}

function openDocument(exam: Examination, document: JsonDocument): OpenBundle | null {
  const hollow = hollowOut(exam.kernel, document);
  if (hollow === null || (exam.kind ?? detectKind(hollow.value)) !== "bundle") return null;
  const { validator, faults } = kindEntry("bundle");
  const value = hollow.value;
  if (shapeProblems(validator, value).length + deepPayloads(value).length > 0) return null;
  // What the schema cannot say can only be asked of what meets it.
  if (faults(value as never).length > 0) return null;
  const bundle = value as unknown as Bundle;
  // Fork evidence asks which keys sealed what of the bundle.
  if (bundle.artifacts["forks.json"] !== undefined) return null;

  // Which keys there are, and how far trust reaches, by an examination of their own: this one must not note anything twice.
  const probe = new Examination(exam.kernel, exam.trust);
  openKeys(probe, bundle.key_hints, bundle.key_endorsements);
  return probe.rejected ? null : new OpenBundle(document, hollow, bundle, probe);
}
