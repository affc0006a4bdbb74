/** Ed25519: one signature at a time, batches, and a batch with a bad signature in it, against crypto.verify. */
import { verify } from "node:crypto";
import type { Kernel, SignatureItem } from "../../packages/core/src/kernel/kernel.ts";
import { referenceKernel } from "../../packages/core/src/kernel/reference/index.ts";
import { type Contender, expectAnswer, measure, type Row, type Target, timed } from "../measure.ts";
import { type Bench, fingerprint, slow } from "./bench.ts";
import { type BenchKey, makeKey } from "./keys.ts";
import { nativeWork } from "./native.ts";
import { Random } from "./random.ts";

const MESSAGE_BYTES = 200;
const LARGE_BATCH = 4096;

interface Item extends SignatureItem {
  readonly key: BenchKey;
}

/** Measures everything about signatures. */
export async function signatures(bench: Bench): Promise<Row[]> {
  const one = makeItems(new Random(1), 1, LARGE_BATCH);
  const eight = makeItems(new Random(2), 8, 1024);
  return [
    ...(await alone(bench, one.slice(0, bench.quick ? 256 : 1024))),
    ...(await batches(bench, eight, 64, 8, { at_least: 3 })),
    ...(await batches(bench, one.slice(0, 1024), 1024, 1, { at_least: 5.5 })),
    ...(await batches(bench, one, LARGE_BATCH, 1, { at_least: 6.5 })),
    ...(await oneBad(bench, one)),
  ];
}

function alone(bench: Bench, items: readonly Item[]): Promise<Row[]> {
  const each = (kernel: Kernel, some: readonly Item[]) =>
    timed(some.length, () => some.map((item) => kernel.verifyEd25519([item])[0] === true), allValid);
  return measure(
    {
      work: "Ed25519 verify, one at a time",
      unit: "verifies/s",
      wasm: each(bench.kernel, items),
      reference: slow(bench, each(referenceKernel, items.slice(0, 32))),
      native: nativeWork(bench.native, "verify-each", triples(items), items.length, validity(items.length)),
      yardsticks: [{ name: "node:crypto", contender: nodeCrypto(bench, items), target: { at_least: 0.95 } }],
    },
    bench.effort,
  );
}

function batches(bench: Bench, items: readonly Item[], size: number, keys: number, target: Target): Promise<Row[]> {
  const split = (some: readonly Item[]) =>
    Array.from({ length: Math.ceil(some.length / size) }, (_, index) => some.slice(index * size, (index + 1) * size));
  const batched = (kernel: Kernel, some: readonly Item[]) => {
    const batches = split(some);
    return timed(some.length, () => batches.flatMap((batch) => kernel.verifyEd25519(batch)), allValid);
  };
  return measure(
    {
      work: `Ed25519 batch of ${size.toLocaleString("en-US")}, ${keys === 1 ? "one key" : `${keys} keys`}`,
      unit: "verifies/s",
      wasm: batched(bench.kernel, items),
      reference: slow(bench, batched(referenceKernel, items.slice(0, 128))),
      native: nativeWork(bench.native, "verify", triples(items), items.length, validity(items.length), size),
      yardsticks: [{ name: "node:crypto", contender: nodeCrypto(bench, items), target }],
    },
    bench.effort,
  );
}

/** The bad signature has another index in each lap, and must be found exactly there. */
function oneBad(bench: Bench, good: readonly Item[]): Promise<Row[]> {
  const random = new Random(3);
  let items: Item[] = [];
  let bad = 0;
  const timedBad = timed(
    1,
    () => bench.kernel.verifyEd25519(items),
    (verdicts) => {
      expectAnswer("bad signatures found", verdicts.filter((valid) => !valid).length, 1);
      expectAnswer("index of the bad signature", verdicts.indexOf(false), bad);
    },
  );
  const wasm: Contender = {
    amount: 1,
    lap() {
      bad = random.below(good.length);
      items = good.map((item, index) => (index === bad ? { ...item, message: spoiled(item.message) } : item));
      return timedBad.lap();
    },
  };
  const index = good.length - 1001;
  const verdicts = Buffer.alloc(good.length, 1);
  verdicts[index] = 0;
  return measure(
    {
      work: `Ed25519 batch of ${good.length.toLocaleString("en-US")}, one of them bad`,
      unit: "ms",
      wasm,
      native: nativeWork(bench.native, "verify", triples(good), 1, fingerprint([verdicts]), good.length, index),
      yardsticks: [
        {
          name: "all of them good",
          contender: timed(1, () => bench.kernel.verifyEd25519(good), allValid),
          target: { at_most: 2 },
        },
      ],
    },
    bench.effort,
  );
}

/** One after the other, for any size of batch: with `quick`, a part of the batch gives the same rate. */
function nodeCrypto({ quick }: Bench, all: readonly Item[]): Contender {
  const items = all.slice(0, quick ? 512 : all.length);
  const valid = ({ message, key, signature }: Item) => verify(null, message, key.publicKeyObject, signature);
  return timed(items.length, () => items.map(valid), allValid);
}

function makeItems(random: Random, keyCount: number, count: number): Item[] {
  const keys = Array.from({ length: keyCount }, () => makeKey(random));
  return Array.from({ length: count }, (_, index) => {
    const key = keys[index % keyCount] ?? makeKey(random);
    const message = random.bytes(MESSAGE_BYTES);
    return { key, publicKey: key.publicKey, message, signature: key.sign(message) };
  });
}

/**
 * Returns another message, so that the signature has good encodings but does not hold; native/src/main.rs does the
 * same.
 */
function spoiled(message: Uint8Array): Uint8Array {
  const other = Uint8Array.from(message);
  other[0] = (other[0] ?? 0) ^ 1;
  return other;
}

function triples(items: readonly Item[]): Uint8Array[] {
  return items.flatMap(({ publicKey, signature, message }) => [publicKey, signature, message]);
}

function validity(count: number): string {
  return fingerprint([Buffer.alloc(count, 1)]);
}

function allValid(verdicts: readonly boolean[]): void {
  expectAnswer("all signatures are valid", verdicts.every(Boolean), true);
}
