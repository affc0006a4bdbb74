/**
 * The program of a signing thread: it answers each list of messages with their signatures, 64 bytes each, one after
 * another.
 */
import { type KeyObject, sign } from "node:crypto";
import { parentPort } from "node:worker_threads";
import type { ToBeSigned } from "./signing-threads.ts";

let key: KeyObject | null = null;

parentPort?.on("message", ({ key: next, lengths, bytes }: ToBeSigned) => {
  key = next ?? key;
  if (key === null) throw new Error("there is no key to sign with");
  const signatures = new Uint8Array(64 * lengths.length);
  let at = 0;
  for (const [index, length] of lengths.entries()) {
    signatures.set(sign(null, bytes.subarray(at, at + length), key), 64 * index);
    at += length;
  }
  parentPort?.postMessage(signatures, [signatures.buffer]);
});
