/** A large canonical document: checked strictly and found to be canonical, against JSON.parse, which checks neither. */
import type { Kernel } from "../../packages/core/src/kernel/kernel.ts";
import { referenceKernel } from "../../packages/core/src/kernel/reference/index.ts";
import { expectAnswer, measure, type Row, timed } from "../measure.ts";
import { type Bench, fingerprint, slow } from "./bench.ts";
import { documentOf, randomRecord } from "./evidence.ts";
import { nativeWork } from "./native.ts";
import { Random } from "./random.ts";

const MEGABYTE = 1e6;
const REFERENCE_BYTES = 2 * MEGABYTE;

/**
 * Measures megabytes a second, from bytes to the answer; the kernel's time includes copying the bytes in, and releasing
 * the memory.
 */
export function documents(bench: Bench): Promise<Row[]> {
  const { kernel, native, quick, effort } = bench;
  const wanted = (quick ? 10 : 100) * MEGABYTE;
  const bytes = evidence(wanted);
  const text = bytes.toString("latin1");
  const count = JSON.parse(text).items.length;
  const isParsed = (value: { items: unknown[] }) => expectAnswer("items parsed", value.items.length, count);
  const amount = bytes.length / MEGABYTE;
  return measure(
    {
      work: `strict parse + canonical check, ${wanted / MEGABYTE} MB`,
      unit: "MB/s",
      wasm: opened(kernel, bytes),
      reference: slow(bench, opened(referenceKernel, evidence(REFERENCE_BYTES))),
      native: nativeWork(native, "check", [bytes], amount, fingerprint([Buffer.of(1)])),
      yardsticks: [
        {
          name: "JSON.parse(text)",
          contender: timed(amount, () => JSON.parse(text), isParsed),
          target: { at_least: 1 },
        },
        {
          name: "JSON.parse(decoded bytes)",
          contender: timed(amount, () => JSON.parse(bytes.toString("utf8")), isParsed),
        },
      ],
    },
    effort,
  );
}

function opened(kernel: Kernel, bytes: Uint8Array) {
  const open = () => {
    const result = kernel.openJson(bytes);
    if (result.ok) result.document.close();
    return result;
  };
  return timed(bytes.length / MEGABYTE, open, (result) =>
    expectAnswer("document accepted as canonical", result.ok && result.document.isCanonical, true),
  );
}

/** Returns the first records of the same stream that have so many bytes together. */
function evidence(minBytes: number): Buffer {
  const random = new Random(6);
  return documentOf(
    (function* () {
      for (let bytes = 0, number = 1; bytes < minBytes; number++) {
        const record = randomRecord(random, number);
        bytes += record.length + 1;
        yield record;
      }
    })(),
  );
}
