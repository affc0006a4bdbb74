/**
 * The receipts of a large bundle, checked part by part, by one thread or by several: each takes one part after the other until none is
 * left. Nothing here starts a thread; that is the caller's.
 */
import type { Span } from "../../kernel/document.ts";
import type { Kernel } from "../../kernel/kernel.ts";
import { checkReceipts, joinRuns, type ReceiptContext, type ReceiptRun } from "./receipts.ts";

/** About how many bytes of receipts are taken at a time: a full batch of signatures. */
const PART_BYTES = 6 * 2 ** 20;

/** The work. Plain data; where bytes and counter lie in shared memory it can be sent to other threads. */
export interface SharedReceipts extends ReceiptContext {
  /** Canonical JSON. */
  readonly bytes: Uint8Array;
  /** For each part of the array of receipts its start and its end. */
  readonly parts: Uint32Array;
  /** One number, the next part that nobody has taken. */
  readonly next: Int32Array;
}

/** A part and what was found there, null where not everything holds. */
export type TakenPart = readonly [part: number, run: ReceiptRun | null];

/** Divides the array of receipts that stands at a span of canonical bytes, for one thread. */
export function divideReceipts(bytes: Uint8Array, span: Span, context: ReceiptContext): SharedReceipts {
  const parts: number[] = [];
  // Without the brackets of the array.
  let start = span.start + 1;
  while (start < span.end - 1) {
    const end = endOfPart(bytes, start + PART_BYTES, span.end - 1);
    parts.push(start, end);
    start = end + 1;
  }
  return { ...context, bytes, parts: Uint32Array.from(parts), next: new Int32Array(1) };
}

/** The same work for several threads. */
export function share(work: SharedReceipts): SharedReceipts {
  const { bytes } = work;
  const next = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  if (isShared(bytes)) return { ...work, next };
  const shared = new Uint8Array(new SharedArrayBuffer(bytes.length));
  shared.set(bytes);
  return { ...work, bytes: shared, next };
}

/** Takes parts until there are none, and checks their receipts. What helpers do in their threads, each with a kernel of its own. */
export function takeReceipts(kernel: Kernel, work: SharedReceipts): TakenPart[] {
  const taken: TakenPart[] = [];
  for (let part = Atomics.add(work.next, 0, 1); part < countOf(work); part = Atomics.add(work.next, 0, 1)) {
    const run = checkPart(kernel, work, part);
    taken.push([part, run]);
    if (run === null) stopTaking(work);
  }
  return taken;
}

/** Leaves no part for others. */
export function stopTaking(work: SharedReceipts): void {
  Atomics.store(work.next, 0, countOf(work));
}

/** All parts as one run; null where not everything holds. Checks the parts that nobody has handed in. */
export function joinParts(kernel: Kernel, work: SharedReceipts, taken: readonly TakenPart[]): ReceiptRun | null {
  const found = new Map(taken);
  const runs: ReceiptRun[] = [];
  for (let part = 0; part < countOf(work); part++) {
    const run = found.get(part) ?? (found.has(part) ? null : checkPart(kernel, work, part));
    if (run === null) return null;
    runs.push(run);
  }
  return joinRuns(runs);
}

/** Whether bytes lie in memory that threads can share. */
export function isShared(bytes: Uint8Array): boolean {
  return typeof SharedArrayBuffer === "function" && bytes.buffer instanceof SharedArrayBuffer;
}

function countOf({ parts }: SharedReceipts): number {
  return parts.length / 2;
}

/**
 * Where a part ends: at a comma that looks as if it stood between two records, or at the end. Where it does not, the part will not parse,
 * and nothing is taken for granted: lists of values that are joined by commas are a list, and every part is parsed as one.
 */
function endOfPart(bytes: Uint8Array, from: number, end: number): number {
  for (let at = from; at < end; at++)
    if (bytes[at] === COMMA && bytes[at - 1] === CLOSE_OBJECT && bytes[at + 1] === OPEN_OBJECT) return at;
  return end;
}

function checkPart(kernel: Kernel, { bytes, parts, ...context }: SharedReceipts, index: number): ReceiptRun | null {
  const part = bytes.subarray(parts[2 * index], parts[2 * index + 1]);
  const text = new Uint8Array(part.length + 2);
  text[0] = OPEN_ARRAY;
  text.set(part, 1);
  text[part.length + 1] = CLOSE_ARRAY;
  const opened = kernel.openJson(text);
  if (!opened.ok) return null;
  const { document } = opened;
  // The hash of all receipts is that of their bytes as they stand.
  const run = document.isCanonical ? checkReceipts(document, context) : null;
  document.close();
  return run;
}

const COMMA = 0x2c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
