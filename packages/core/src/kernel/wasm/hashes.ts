/** SHA-256 and Ed25519 over the compiled kernel, many at a time. */
import type { KernelInstance } from "@svc/wasm";
import { concatBytes, copyAll, copyBytes } from "../../encoding/bytes.ts";
import { hexToBytes } from "../../encoding/hex.ts";
import type { Hasher, SignatureItem } from "../kernel.ts";
import { tagLine } from "../tag.ts";

/** The most items in one call. It is also the most signatures that the kernel checks by one equation. */
const MAX_ITEMS = 8192;
/** The most bytes of messages in one call; a longer message goes alone. */
const MAX_BYTES = 2 ** 24;
const NO_PREFIX = new Uint8Array();

/** The initial state of SHA-256 (FIPS 180-4 section 5.3.3). */
const INITIAL = hexToBytes("6a09e667bb67ae853c6ef372a54ff53a510e527f9b05688c1f83d9ab5be0cd19");
const BLOCK_BYTES = 64;
/** The bytes of a long message that are passed in one call; whole blocks. */
const LONG_BYTES = 2 ** 20;

/** Returns SHA-256 of bytes; 32 bytes. */
export function sha256(kernel: KernelInstance, bytes: Uint8Array): Uint8Array {
  if (bytes.length < LONG_BYTES) return hashAll(kernel, NO_PREFIX, [bytes]);
  const long = hasher(kernel);
  long.update(bytes);
  return long.digest();
}

/** Returns a hasher for bytes that come piece by piece. */
export function hasher(kernel: KernelInstance): Hasher {
  let state = INITIAL;
  /** The bytes that do not fill a block. */
  let rest: Uint8Array = NO_PREFIX;
  let length = 0;
  /** Takes in whole blocks, and returns the rest. */
  const blocks = (bytes: Uint8Array) => {
    const whole = bytes.length - (bytes.length % BLOCK_BYTES);
    // A part at a time: otherwise the bytes would be in memory twice, and fresh memory costs a fifth of the hashing.
    for (let at = 0; at < whole; at += LONG_BYTES)
      state = afterBlocks(kernel, state, bytes.subarray(at, Math.min(at + LONG_BYTES, whole)));
    return bytes.subarray(whole);
  };
  return {
    update(bytes) {
      length += bytes.length;
      // The bytes that fill the rest to a whole block; those behind them need no copy.
      const start = (BLOCK_BYTES - rest.length) % BLOCK_BYTES;
      const first = blocks(concatBytes([rest, bytes.subarray(0, start)]));
      rest = concatBytes([first, blocks(bytes.subarray(start))]);
    },
    digest() {
      blocks(lastBlocks(rest, length));
      return state;
    },
  };
}

function afterBlocks(kernel: KernelInstance, state: Uint8Array, blocks: Uint8Array): Uint8Array {
  kernel.call("sha256_blocks", state.length + blocks.length, (input) => {
    input.set(state);
    copyBytes(input, blocks, state.length);
  });
  const after = new Uint8Array(state.length);
  kernel.readOutput(after);
  return after;
}

/** Returns the rest of a message of so many bytes, padded (FIPS 180-4 section 5.1.1). */
function lastBlocks(rest: Uint8Array, length: number): Uint8Array {
  const padded = new Uint8Array(rest.length + 9 > BLOCK_BYTES ? 2 * BLOCK_BYTES : BLOCK_BYTES);
  padded.set(rest);
  padded[rest.length] = 0x80;
  new DataView(padded.buffer).setBigUint64(padded.length - 8, 8n * BigInt(length));
  return padded;
}

/** Returns H(tag, bytes) of each message, 32 bytes each, in one byte string. Throws TypeError for a bad tag. */
export function taggedHashes(
  kernel: KernelInstance,
  tag: string,
  messages: readonly Uint8Array[],
  word?: string,
): Uint8Array {
  return hashAll(kernel, tagLine(tag, word), messages);
}

/** Returns SHA-256 of a prefix and each message; 32 bytes each, in one byte string. */
export function hashAll(kernel: KernelInstance, prefix: Uint8Array, messages: readonly Uint8Array[]): Uint8Array {
  const hashes = new Uint8Array(32 * messages.length);
  for (let start = 0; start < messages.length; ) {
    const { end, bytes } = portion(messages, start);
    const count = end - start;
    const write = (input: Uint8Array) => {
      input.set(prefix, 4 * count);
      writeTexts(input, messages.slice(start, end), 4 * count + prefix.length);
    };
    kernel.call("hashes", 4 * count + prefix.length + bytes, write, prefix.length, count);
    kernel.readOutput(hashes.subarray(32 * start, 32 * end));
    start = end;
  }
  kernel.release();
  return hashes;
}

/** Checks signatures by protocol section 3. Keys and signatures of another length do not verify. */
export function verifyEd25519(kernel: KernelInstance, items: readonly SignatureItem[]): boolean[] {
  const verdicts: boolean[] = new Array(items.length).fill(false);
  const places: number[] = [];
  const messages: Uint8Array[] = [];
  for (let index = 0; index < items.length; index++) {
    const item = items[index];
    if (item?.publicKey.length !== 32 || item.signature.length !== 64) continue;
    places.push(index);
    messages.push(item.message);
  }
  for (let start = 0; start < messages.length; ) {
    const { end, bytes } = portion(messages, start);
    const count = end - start;
    const write = (input: Uint8Array) => {
      for (let row = 0; row < count; row++) {
        const { publicKey, signature } = items[places[start + row] as number] as SignatureItem;
        input.set(publicKey, 4 * count + 32 * row);
        input.set(signature, 36 * count + 64 * row);
      }
      writeTexts(input, messages.slice(start, end), 100 * count);
    };
    kernel.call("ed25519_verify", 100 * count + bytes, write, count);
    const valid = new Uint8Array(count);
    kernel.readOutput(valid);
    for (let row = 0; row < count; row++) verdicts[places[start + row] as number] = valid[row] === 1;
    start = end;
  }
  kernel.release();
  return verdicts;
}

/**
 * Writes the lengths of byte strings at the beginning, 32-bit little-endian, and the strings from `at` on, one behind
 * the other.
 */
function writeTexts(input: Uint8Array, texts: readonly Uint8Array[], at: number): void {
  const lengths = new DataView(input.buffer, input.byteOffset);
  texts.forEach((text, index) => {
    lengths.setUint32(4 * index, text.length, true);
  });
  copyAll(input, texts, at);
}

/** Returns the end of the messages that fit into one call, from `start` on and at least one, and their bytes. */
function portion(messages: readonly Uint8Array[], start: number): { end: number; bytes: number } {
  let end = start;
  let bytes = 0;
  while (end < messages.length && end - start < MAX_ITEMS) {
    const more = bytes + (messages[end] as Uint8Array).length;
    if (more > MAX_BYTES && end > start) break;
    bytes = more;
    end++;
  }
  return { end, bytes };
}
