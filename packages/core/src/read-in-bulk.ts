/**
 * The fast way to a large bundle: its receipts and payloads are checked by the kernel as they stand in the bytes, and only what is left is
 * built as a value. It is taken only where all of them hold; the report is then the same as that of the way record by record.
 */
import { encodeHex, hexToBytes } from "./encoding/hex.ts";
import type { JsonDocument } from "./kernel/document.ts";
import type { Kernel } from "./kernel/kernel.ts";
import { detectKind, kindEntry } from "./kinds.ts";
import { type BulkReceipts, joinBulk, type PayloadHashes, readPayloads } from "./objects/bundle/bulk.ts";
import { type Frame, frameOf } from "./objects/bundle/frame.ts";
import { type Hollow, hollowOut } from "./objects/bundle/hollow.ts";
import {
  divideReceipts,
  joinParts,
  type SharedReceipts,
  share,
  stopTaking,
  type TakenPart,
  takeReceipts,
} from "./objects/bundle/parts.ts";
import type { ReceiptRun } from "./objects/bundle/receipts.ts";
import type { Bundle } from "./objects/bundle/schema.ts";
import { openKeys } from "./objects/key-endorsement.ts";
import { Examination } from "./report/examination.ts";
import { deepPayloads, shapeProblems } from "./schema/validate.ts";

/** Smaller objects are read whole: it costs nothing to speak of. */
const MIN_BYTES = 65_536;

/** A bundle without receipts and payloads, and what was found about these. */
export interface ReadInBulk {
  readonly bundle: Bundle;
  readonly bulk: BulkReceipts;
}

/** A bundle that can be read in bulk, none of whose receipts and payloads has been looked at. */
class OpenBundle {
  readonly #exam: Examination;
  /** Canonical, and whole. */
  readonly #bytes: Uint8Array;
  readonly #receipts: Frame["receipts"];
  /** Null when it has been closed, so that nothing keeps its memory. */
  #frame: JsonDocument | null;
  readonly #hollow: Hollow;
  readonly #bundle: Bundle;
  readonly #probe: Examination;

  constructor(exam: Examination, bytes: Uint8Array, receipts: Frame["receipts"], frame: JsonDocument, opened: Opened) {
    this.#exam = exam;
    this.#bytes = bytes;
    this.#receipts = receipts;
    this.#frame = frame;
    this.#hollow = opened.hollow;
    this.#bundle = opened.bundle;
    this.#probe = opened.probe;
  }

  /** Its receipts in parts, and what they are held against. */
  divide(): SharedReceipts {
    const keys = [...this.#probe.keys.all()].map(([kid, key]): [string, Uint8Array] => [kid, hexToBytes(key)]);
    const context = { streamId: this.#bundle.manifest.stream_id, keys: new Map(keys) };
    return divideReceipts(this.#bytes, this.#receipts, context);
  }

  /** Checks what needs no receipt by itself, and forgets the frame: payloads, and the hash of all receipts. Null where anything is wrong. */
  checkAround(): PayloadHashes | null {
    const payloads = this.#frame === null ? null : readPayloads(this.#frame, this.#hollow);
    this.close();
    if (payloads === null) return null;
    const { start, end } = this.#receipts;
    const hash = encodeHex(this.#exam.kernel.sha256(this.#bytes.subarray(start, end)));
    return hash === this.#bundle.manifest.artifact_hashes["receipts.json"] ? payloads : null;
  }

  /** Puts all together; null where not everything holds, or the time of a signature counts. */
  join(payloads: PayloadHashes, run: ReceiptRun | null): ReadInBulk | null {
    const bulk = run === null ? null : joinBulk(payloads, run);
    if (bulk === null) return null;
    const { manifest, artifacts } = this.#bundle;
    const scope = { streamId: manifest.stream_id, origin: artifacts["checkpoints.json"].at(-1)?.origin };
    const isDated = bulk.signers.some(({ kid, earliest }) => {
      const standing = this.#probe.keys.standing(kid, scope);
      return standing.trusted && (standing.validTo !== null || (standing.validFrom ?? "") > earliest);
    });
    return isDated ? null : { bundle: this.#bundle, bulk };
  }

  close(): void {
    this.#frame?.close();
    this.#frame = null;
  }
}

/** What a frame says. */
interface Opened {
  readonly hollow: Hollow;
  readonly bundle: Bundle;
  /** Which keys there are, and how far trust reaches. */
  readonly probe: Examination;
}

/** Reads bytes for this examination, which is left as it is; null where they must be read whole. */
export function readInBulk(exam: Examination, bytes: Uint8Array): ReadInBulk | null {
  const open = openInBulk(exam, bytes);
  if (open === null) return null;
  try {
    const payloads = open.checkAround();
    if (payloads === null) return null;
    const work = open.divide();
    return open.join(payloads, joinParts(exam.kernel, work, takeReceipts(exam.kernel, work)));
  } finally {
    open.close();
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
    const work = share(open.divide());
    const answers = Promise.allSettled(helpers.map((help) => help(work)));
    const payloads = open.checkAround();
    if (payloads === null) stopTaking(work);
    const own = takeReceipts(exam.kernel, work);
    // What a helper took and did not hand in is missing, and is checked here.
    const others = (await answers).flatMap((answer) => (answer.status === "fulfilled" ? answer.value : []));
    return payloads === null ? null : open.join(payloads, joinParts(exam.kernel, work, [...own, ...others]));
  } finally {
    open.close();
  }
}

/** Opens bytes for this examination, which is left as it is; null where they must be read whole. Whoever asks closes it. */
function openInBulk(exam: Examination, bytes: Uint8Array): OpenBundle | null {
  if (bytes.length < MIN_BYTES || (exam.kind !== null && exam.kind !== "bundle")) return null;
  return openCanonical(exam, bytes) ?? openCanonical(exam, canonicalOf(exam.kernel, bytes));
}

/** The canonical bytes of a text that is not canonical; null for any other. */
function canonicalOf(kernel: Kernel, bytes: Uint8Array): Uint8Array | null {
  const opened = kernel.openJson(bytes);
  if (!opened.ok) return null;
  const canonical = opened.document.isCanonical ? null : opened.document.canonicalBytes();
  opened.document.close();
  return canonical;
}

function openCanonical(exam: Examination, bytes: Uint8Array | null): OpenBundle | null {
  const framed = bytes === null ? null : frameOf(bytes);
  if (bytes === null || framed === null) return null;
  const frame = exam.kernel.openJson(framed.bytes);
  if (!frame.ok) return null;
  const opened = openFrame(exam, frame.document, framed);
  if (opened !== null) return new OpenBundle(exam, bytes, framed.receipts, frame.document, opened);
  frame.document.close();
  return null;
}

function openFrame(exam: Examination, frame: JsonDocument, { receipts }: Frame): Opened | null {
  const hollow = hollowOut(exam.kernel, frame, receipts.start);
  if (hollow === null || (exam.kind ?? detectKind(hollow.value)) !== "bundle") return null;
  const { validator, faults } = kindEntry("bundle");
  const value = hollow.value;
  if (shapeProblems(validator, value).length + deepPayloads(value).length > 0) return null;
  // What the schema cannot say can only be asked of what meets it.
  if (faults(value as never).length > 0) return null;
  const bundle = value as unknown as Bundle;
  // Fork evidence asks which keys sealed what of the bundle.
  if (bundle.artifacts["forks.json"] !== undefined) return null;
  // By an examination of their own: this one must not note anything twice.
  const probe = new Examination(exam.kernel, exam.trust);
  openKeys(probe, bundle.key_hints, bundle.key_endorsements);
  return probe.rejected ? null : { hollow, bundle, probe };
}
