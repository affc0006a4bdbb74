/**
 * Finds the payloads in the bytes of a bundle in canonical form, as this server writes them, without making values of
 * them: their places are noted, so that one of them can be read alone. It does NOT check anything: core verifies the
 * bundle, and each payload is compared with its hash.
 */
import type { Place } from "../archived/places.ts";

/** A payload in a file. */
export interface PayloadInFile {
  readonly eventId: string;
  readonly salt: string;
  readonly place: Place;
}

const OPEN = 0x7b;
const CLOSE = 0x7d;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
/** No text before it can have these bytes: within a string a quotation mark has a backslash before it. */
const PAYLOADS = '"payloads":{';
const PAYLOAD = '":{"payload":';
const SALT = ',"payload_salt":"';
const END = '"}';

/** Yields the payloads in the order of the file. Throws Error for bytes of another form. */
export function* payloadsInFile(bytes: Buffer): Generator<PayloadInFile> {
  let at = after(bytes, PAYLOADS, 0);
  while (bytes[at] !== CLOSE) {
    if (bytes[at] === COMMA) at += 1;
    const start = after(bytes, PAYLOAD, at);
    const end = endOfObject(bytes, start);
    const salt = after(bytes, SALT, end);
    const next = after(bytes, END, salt);
    yield {
      eventId: bytes.toString("latin1", at + 1, start - PAYLOAD.length),
      salt: bytes.toString("latin1", salt, next - END.length),
      place: { offset: start, length: end - start },
    };
    at = next;
  }
}

function after(bytes: Buffer, text: string, from: number): number {
  const at = bytes.indexOf(text, from, "latin1");
  if (at < 0) throw new Error("an archive file is not of the form in which it is written");
  return at + text.length;
}

/** Returns the place behind an object that begins at a place. */
function endOfObject(bytes: Buffer, start: number): number {
  let depth = 0;
  for (let at = start; at < bytes.length; at++) {
    const byte = bytes[at];
    if (byte === OPEN) depth += 1;
    else if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === CLOSE) {
      depth -= 1;
      if (depth === 0) return at + 1;
    }
  }
  throw new Error("an archive file ends within a payload");
}

/** Returns the place of the quotation mark that ends a string. */
function endOfString(bytes: Buffer, start: number): number {
  for (let at = start + 1; at < bytes.length; at++) {
    if (bytes[at] === BACKSLASH) at += 1;
    else if (bytes[at] === QUOTE) return at;
  }
  throw new Error("an archive file ends within a text");
}
