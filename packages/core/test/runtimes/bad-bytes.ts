/** Bytes that are no kernel, made from those of one, by their fault. It runs in every runtime. */
import { concatBytes } from "../../src/encoding/bytes.ts";

const EMPTY_MODULE = Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0);
/** `(module (import "a" "b" (func)))` */
const IMPORTING_MODULE = Uint8Array.of(...EMPTY_MODULE, ...[1, 4, 1, 0x60, 0, 0], ...[2, 7, 1, 1, 0x61, 1, 0x62, 0, 0]);
/** `(module (memory (export "memory") 1))` */
const MEMORY_MODULE = Uint8Array.of(
  ...EMPTY_MODULE,
  ...[5, 3, 1, 0, 1],
  ...[7, 10, 1, 6, ...new TextEncoder().encode("memory"), 2, 0],
);

/** Returns the bad bytes, made from those of a kernel. */
export function badBytes(kernel: Uint8Array): Readonly<Record<string, Uint8Array>> {
  return {
    "no bytes": new Uint8Array(),
    "a text": new TextEncoder().encode("<!doctype html><title>404</title>"),
    "a kernel cut in the middle": kernel.subarray(0, kernel.length >> 1),
    "a kernel without its last byte": kernel.subarray(0, -1),
    "a kernel with a byte behind it": concatBytes([kernel, Uint8Array.of(0)]),
    "a kernel of another version of WebAssembly": concatBytes([
      kernel.subarray(0, 4),
      Uint8Array.of(2),
      kernel.subarray(5),
    ]),
    "a module that exports nothing": EMPTY_MODULE,
    "a module that exports a memory only": MEMORY_MODULE,
    "a module that imports": IMPORTING_MODULE,
    "a kernel without one of its functions": renamed(kernel, "hashes", "hashez"),
  };
}

/** Returns a kernel in which an export has another name. */
function renamed(kernel: Uint8Array, from: string, to: string): Uint8Array {
  const [wanted, other] = [from, to].map((text) => [text.length, ...new TextEncoder().encode(text)]) as [
    number[],
    number[],
  ];
  const copy = kernel.slice();
  for (let at = 0; at + wanted.length <= copy.length; at++) {
    if (wanted.every((byte, index) => copy[at + index] === byte)) {
      copy.set(other, at);
      return copy;
    }
  }
  throw new Error(`no export ${from}`);
}
