/**
 * A bundle's text without its receipts and payloads, which are most of it. This file guesses their places from the
 * bytes, and its callers rely on no guess: they parse the frame strictly, find an empty array and an empty object at
 * these places, and parse the parts that were cut out in the same way.
 */
import { concatBytes } from "../../encoding/bytes.ts";
import { encodeUtf8 } from "../../encoding/utf8.ts";
import type { Span } from "../../kernel/document.ts";

/** Fewer bytes of receipts are read whole, at hardly any cost. */
const MIN_BYTES = 32_768;
/** The next receipt is searched for in so many bytes. */
const NEAR_BYTES = 32_768;

const NAME_OF_RECEIPTS = encodeUtf8('"receipts.json":[');
const BEGINNING_OF_RECEIPT = encodeUtf8('},{"event_hash":"');
const BEHIND_RECEIPTS = encodeUtf8('],"windows.json":');
const BRACKETS = encodeUtf8("[]{}");

/** A text, and the parts that were cut out of it. */
export interface Frame {
  /** The text with an empty array in place of the receipts, and an empty object in place of the payloads. */
  readonly bytes: Uint8Array;
  /**
   * The place of the array of receipts in the whole text, brackets included. The empty one begins at the same place.
   */
  readonly receipts: Span;
  /** The place of the object of payloads in the whole text, braces included; null if none was cut out. */
  readonly payloads: Span | null;
  /** The offset at which the empty object of payloads begins. */
  readonly payloadsStart: number | null;
}

/**
 * Cuts receipts and payloads out of a canonical text; null if it is no bundle, or has too few receipts to be worth it.
 */
export function frameOf(canonical: Uint8Array): Frame | null {
  const receipts = receiptsIn(canonical);
  if (receipts === null || receipts.end - receipts.start < MIN_BYTES) return null;
  const [before, between] = [canonical.subarray(0, receipts.start + 1), receipts.end - 1];
  const start = find(canonical, encodeUtf8('"payloads":{'), receipts.end);
  // Only the seal follows the payloads, and the content of a payload comes before its end.
  const last = start === null ? null : findLast(canonical, encodeUtf8('},"seal":{'));
  if (start === null || last === null || last < start) {
    const bytes = concatBytes([before, canonical.subarray(between)]);
    return { bytes, receipts, payloads: null, payloadsStart: null };
  }
  const payloads = { start: start + '"payloads":'.length, end: last + 1 };
  const rest = [canonical.subarray(between, payloads.start + 1), canonical.subarray(last)];
  const payloadsStart = payloads.start - (receipts.end - receipts.start - 2);
  return { bytes: concatBytes([before, ...rest]), receipts, payloads, payloadsStart };
}

/** Returns the place of the array of receipts, brackets included. */
function receiptsIn(canonical: Uint8Array): Span | null {
  const before = find(canonical, NAME_OF_RECEIPTS, 0);
  if (before === null) return null;
  const start = before + NAME_OF_RECEIPTS.length - 1;
  const near = lastReceiptNear(canonical, start);
  // Text in a payload may have looked like receipts.
  const last = find(canonical, BEHIND_RECEIPTS, near) ?? find(canonical, BEHIND_RECEIPTS, start);
  return last === null ? null : { start, end: last + 1 };
}

/**
 * Returns a place not far before the end of the receipts, which begin at `start`. It searches by halves for the end of
 * receipts, since to read them all takes a tenth of the time of hashing them.
 */
function lastReceiptNear(canonical: Uint8Array, start: number): number {
  let [near, far] = [start, canonical.length];
  while (far - near > NEAR_BYTES) {
    const middle = (near + far) >>> 1;
    if (find(canonical.subarray(0, middle + NEAR_BYTES), BEGINNING_OF_RECEIPT, middle) === null) far = middle;
    else near = middle;
  }
  return near;
}

/**
 * Returns the first place of an ASCII text with a bracket, from `from` on. The bracket is rare, and runtimes search for
 * one byte fast.
 */
export function find(bytes: Uint8Array, text: Uint8Array, from: number): number | null {
  const index = text.findIndex((byte) => BRACKETS.includes(byte));
  const bracket = text[index] ?? 0;
  for (let at = bytes.indexOf(bracket, from); at >= 0; at = bytes.indexOf(bracket, at + 1))
    if (standsAt(bytes, text, at - index)) return at - index;
  return null;
}

/** Returns the last place of an ASCII text that begins with a bracket. */
function findLast(bytes: Uint8Array, text: Uint8Array): number | null {
  const [bracket = 0] = text;
  for (let at = bytes.lastIndexOf(bracket); at > 0; at = bytes.lastIndexOf(bracket, at - 1))
    if (standsAt(bytes, text, at)) return at;
  return null;
}

function standsAt(bytes: Uint8Array, text: Uint8Array, at: number): boolean {
  return text.every((expected, offset) => bytes[at + offset] === expected);
}
