/**
 * The receipts and payloads of a large bundle, checked part by part, by one thread or by several: each takes one part
 * after the other until none is left. This file starts no thread; the caller does.
 */
import { copyBytes, isShared } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Span } from "../../kernel/document.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { joinPayloads, type PayloadRun, readPayloads } from "./bulk.ts";
import { type Frame, find } from "./frame.ts";
import { checkReceipts, joinRuns, type ReceiptContext, type ReceiptRun } from "./receipts.ts";

/** About so many bytes of receipts are taken at a time: a full batch of signatures. */
const PART_BYTES = 6 * 2 ** 20;

/**
 * The work on a bundle. It is plain data: if bytes and counter lie in shared memory, it can be sent to other threads.
 */
export interface SharedBundle extends ReceiptContext {
  /** Canonical JSON. */
  readonly bytes: Uint8Array;
  /** For each part its start and its end: first those of the receipts, then those of the payloads. */
  readonly parts: Uint32Array;
  /** The number of parts that are receipts. */
  readonly receiptParts: number;
  /** One number, the next part that no thread has taken. */
  readonly next: Int32Array;
}

/** A part and its result, null if not everything holds. */
export type TakenPart = readonly [part: number, found: ReceiptRun | PayloadRun | null];

/**
 * Divides the parts that were cut out of canonical bytes, for one thread. Each part but the last has at least
 * `partBytes` bytes.
 */
export function divide(
  bytes: Uint8Array,
  { receipts, payloads }: Pick<Frame, "receipts" | "payloads">,
  context: ReceiptContext,
  partBytes = PART_BYTES,
): SharedBundle {
  const receiptParts = partsOf(bytes, receipts, BETWEEN_RECEIPTS, partBytes);
  const payloadParts = payloads === null ? [] : partsOf(bytes, payloads, BETWEEN_PAYLOADS, partBytes);
  const parts = Uint32Array.from([...receiptParts, ...payloadParts]);
  return { ...context, bytes, parts, receiptParts: receiptParts.length / 2, next: new Int32Array(1) };
}

/** Returns the same work for several threads. */
export function share(work: SharedBundle): SharedBundle {
  const { bytes } = work;
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  if (isShared(bytes)) return { ...work, next };
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return { ...work, bytes: shared, next };
}

/**
 * Takes parts of a bundle until none is left, and checks them. A helper of `verifyWithHelpers` does so in a separate
 * thread. `kernel`: of that thread. `work`: from the helper's argument; it can be sent to another thread. Returns each
 * part with its result, null if not everything in it holds. It makes no report: `verifyWithHelpers` does.
 *
 * @example
 * const helper: Helper = async (work) => takeParts(kernel, work); // in a separate thread
 * console.log((await verifyWithHelpers(pack, { trust }, [helper])).verdict); // verified
 */
export function takeParts(kernel: Kernel, work: SharedBundle): TakenPart[] {
  const taken: TakenPart[] = [];
  const texts = textsOfParts(work);
  for (let part = Atomics.add(work.next, 0, 1); part < countOf(work); part = Atomics.add(work.next, 0, 1)) {
    const run = checkPart(kernel, work, texts, part);
    taken.push([part, run]);
    if (run === null) stopTaking(work);
  }
  return taken;
}

/** Leaves no part for other threads. */
export function stopTaking(work: SharedBundle): void {
  Atomics.store(work.next, 0, countOf(work));
}

/**
 * Returns the content of all parts together; null if not everything holds. It checks the parts that no thread has sent
 * back.
 */
export function joinParts(kernel: Kernel, work: SharedBundle, taken: readonly TakenPart[]) {
  const known = new Map(taken);
  const found: (ReceiptRun | PayloadRun)[] = [];
  const texts = textsOfParts(work);
  for (let part = 0; part < countOf(work); part++) {
    const run = known.get(part) ?? (known.has(part) ? null : checkPart(kernel, work, texts, part));
    if (run === null) return null;
    found.push(run);
  }
  const receipts = joinRuns(found.slice(0, work.receiptParts) as ReceiptRun[]);
  const payloads = joinPayloads(found.slice(work.receiptParts) as PayloadRun[]);
  return receipts === null || payloads === null ? null : { receipts, payloads };
}

/** Returns the number of parts. */
export function countOf({ parts }: SharedBundle): number {
  return parts.length / 2;
}

/**
 * The text between two receipts; and the end of one payload's salt, with the beginning of the next one's name. The
 * comma separates them.
 */
const BETWEEN_RECEIPTS = encodeUtf8("},{");
const BETWEEN_PAYLOADS = encodeUtf8('"},"sev_');
const COMMA = 0x2c;

/**
 * Returns the starts and ends of the parts of an array or object, brackets left out; none for an empty one. A part ends
 * at a comma that looks as if it were between two records, or at the end of all. If it is not there, the part
 * will not parse. The guess is safe: lists of values or members that are joined by commas are a list, and every part is
 * parsed as one.
 */
function partsOf(bytes: Uint8Array, span: Span, between: Uint8Array, partBytes: number): number[] {
  const parts: number[] = [];
  const all = bytes.subarray(0, span.end - 1);
  for (let start = span.start + 1; start < all.length; ) {
    // The bracket that is searched for is before the comma.
    const found = find(all, between, start + partBytes - 1);
    const end = found === null ? all.length : found + between.indexOf(COMMA);
    parts.push(start, end);
    start = end + 1;
  }
  return parts;
}

/** Returns the array or object whose elements or members are a part. The bytes are valid until the next call. */
export type PartTexts = (index: number) => Uint8Array;

/**
 * Returns parts as whole JSON texts, each in the same memory as the one before: fresh memory costs as much as reading
 * it.
 */
export function textsOfParts({ bytes, parts, receiptParts }: SharedBundle): PartTexts {
  let memory = new Uint8Array();
  return (index) => {
    const part = bytes.subarray(parts[2 * index], parts[2 * index + 1]);
    // Aligned as the part is, because that copies fastest.
    const start = (part.byteOffset + 7) % 8;
    const end = start + part.length + 2;
    if (memory.length < end) memory = new Uint8Array(end);
    const text = memory.subarray(start, end);
    copyBytes(text, part, 1);
    [text[0], text[part.length + 1]] = index < receiptParts ? ARRAY : OBJECT;
    return text;
  };
}

export function checkPart(
  kernel: Kernel,
  work: SharedBundle,
  texts: PartTexts,
  index: number,
): ReceiptRun | PayloadRun | null {
  const opened = kernel.openJson(texts(index));
  if (!opened.ok) return null;
  const { document } = opened;
  // The hash of all receipts covers their bytes as they stand, and the names of payloads ascend.
  const isCanonical = document.isCanonical;
  const areReceipts = index < work.receiptParts;
  const found = !isCanonical ? null : areReceipts ? checkReceipts(document, work) : readPayloads(document);
  document.close();
  return found;
}

const ARRAY = [0x5b, 0x5d] as const;
const OBJECT = [0x7b, 0x7d] as const;
