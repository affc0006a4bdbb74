/** SHA-256 and Ed25519 over the compiled kernel, many at a time. */
import type { KernelInstance } from "@svc/wasm";
import { copyAll } from "../../encoding/bytes.ts";
import type { SignatureItem } from "../kernel.ts";
import { tagLine } from "../tag.ts";

/** How many items go into one call. It is the most signatures that the kernel checks by one equation. */
const MAX_ITEMS = 8192;
/** How many bytes of messages go into one call, a longer message going alone. */
const MAX_BYTES = 2 ** 24;
const NO_PREFIX = new Uint8Array();

/** SHA-256; 32 bytes. */
export function sha256(kernel: KernelInstance, bytes: Uint8Array): Uint8Array {
  return hashAll(kernel, NO_PREFIX, [bytes]);
}

/** H(tag, bytes) of each message, 32 bytes each, in one byte string. Throws TypeError for what is no tag. */
export function taggedHashes(kernel: KernelInstance, tag: string, messages: readonly Uint8Array[]): Uint8Array {
  return hashAll(kernel, tagLine(tag), messages);
}

/** SHA-256 of a prefix and each message; 32 bytes each, in one byte string. */
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

/** Writes the lengths of byte strings at the beginning, 32-bit little-endian, and the strings one after the other at `at`. */
function writeTexts(input: Uint8Array, texts: readonly Uint8Array[], at: number): void {
  const lengths = new DataView(input.buffer, input.byteOffset);
  texts.forEach((text, index) => {
    lengths.setUint32(4 * index, text.length, true);
  });
  copyAll(input, texts, at);
}

/** How far the messages from `start` on go into one call, which takes at least one, and how many bytes they have. */
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
