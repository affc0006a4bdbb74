/** SHA-256 and Ed25519 over the compiled kernel, many at a time. */
import type { KernelInstance } from "@svc/wasm";
import type { SignatureItem } from "../kernel.ts";
import { tagLine } from "../tag.ts";

/** How many items go into one call. It is the most that the kernel checks by one equation. */
const MAX_ITEMS = 8192;
/** How many bytes of messages go into one call, a longer message going alone. */
const MAX_BYTES = 2 ** 24;
const NO_PREFIX = new Uint8Array();

/** SHA-256; 32 bytes. */
export function sha256(kernel: KernelInstance, bytes: Uint8Array): Uint8Array {
  return hashAll(kernel, NO_PREFIX, [bytes])[0] ?? NO_PREFIX;
}

/** H(tag, bytes); 32 bytes. Throws TypeError for what is no tag. */
export function taggedHash(kernel: KernelInstance, tag: string, bytes: Uint8Array): Uint8Array {
  return hashAll(kernel, tagLine(tag), [bytes])[0] ?? NO_PREFIX;
}

/** SHA-256 of a prefix and each message; 32 bytes each. */
export function hashAll(kernel: KernelInstance, prefix: Uint8Array, messages: readonly Uint8Array[]): Uint8Array[] {
  const hashes: Uint8Array[] = [];
  for (const { items, bytes } of portions(messages, (message) => message.length)) {
    const length = prefix.length + 4 * items.length + bytes;
    const write = (input: Uint8Array) => {
      input.set(prefix);
      writeTexts(input, prefix.length, items);
    };
    kernel.call("hashes", length, write, prefix.length, items.length);
    const output = kernel.output();
    for (let at = 0; at < output.length; at += 32) hashes.push(output.subarray(at, at + 32));
  }
  kernel.release();
  return hashes;
}

/** Checks signatures by protocol section 3. Keys and signatures of another length do not verify. */
export function verifyEd25519(kernel: KernelInstance, items: readonly SignatureItem[]): boolean[] {
  const verdicts = items.map(() => false);
  const whole = [...items.keys()].filter((index) => {
    const item = items[index];
    return item?.publicKey.length === 32 && item.signature.length === 64;
  });
  for (const { items: indexes, bytes } of portions(whole, (index) => items[index]?.message.length ?? 0)) {
    const portion = indexes.flatMap((index) => items[index] ?? []);
    const write = (input: Uint8Array) => {
      portion.forEach(({ publicKey, signature }, place) => {
        input.set(publicKey, 32 * place);
        input.set(signature, 32 * portion.length + 64 * place);
      });
      writeTexts(
        input,
        96 * portion.length,
        portion.map(({ message }) => message),
      );
    };
    kernel.call("ed25519_verify", 100 * portion.length + bytes, write, portion.length);
    const output = kernel.output();
    indexes.forEach((index, place) => {
      verdicts[index] = output[place] === 1;
    });
  }
  kernel.release();
  return verdicts;
}

/** Writes the lengths of byte strings, 32-bit little-endian, and then the strings. */
function writeTexts(input: Uint8Array, start: number, texts: readonly Uint8Array[]): void {
  const lengths = new DataView(input.buffer, input.byteOffset + start);
  let at = start + 4 * texts.length;
  texts.forEach((text, index) => {
    lengths.setUint32(4 * index, text.length, true);
    input.set(text, at);
    at += text.length;
  });
}

/** Splits items so that a call carries neither too many nor too many bytes. */
function* portions<T>(all: readonly T[], length: (item: T) => number): Generator<{ items: T[]; bytes: number }> {
  let items: T[] = [];
  let bytes = 0;
  for (const item of all) {
    const more = length(item);
    if (items.length > 0 && (items.length === MAX_ITEMS || bytes + more > MAX_BYTES)) {
      yield { items, bytes };
      items = [];
      bytes = 0;
    }
    items.push(item);
    bytes += more;
  }
  if (items.length > 0) yield { items, bytes };
}
