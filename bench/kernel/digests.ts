/** Tagged digests of many small messages, against crypto.hash on messages that already include their tag line. */
import { hash } from "node:crypto";
import { referenceKernel } from "../../packages/core/src/kernel/reference/index.ts";
import { tagLine } from "../../packages/core/src/kernel/tag.ts";
import { measure, type Row, timed } from "../measure.ts";
import { type Bench, fingerprint, hasFingerprint, slow } from "./bench.ts";
import { nativeWork } from "./native.ts";
import { Random } from "./random.ts";

const MESSAGE_BYTES = 200;
const TAG = "event";
/**
 * A lap goes over the messages so often, so that a contender with many small objects pays for their collection in the
 * same lap.
 */
const PASSES = 4;

/** Measures digests a second. */
export function digests(bench: Bench): Promise<Row[]> {
  const { kernel, native, quick, effort } = bench;
  const random = new Random(4);
  const count = quick ? 16_384 : 65_536;
  const messages = Array.from({ length: count }, () => random.bytes(MESSAGE_BYTES));
  const line = tagLine(TAG);
  const joined = messages.map((message) => Buffer.concat([line, message]));
  const hashEach = (some: readonly Buffer[]) => some.map((message) => hash("sha256", message, "buffer"));
  const passes = (some: readonly Buffer[], hashAll: () => Uint8Array[]) =>
    timed(
      PASSES * some.length,
      () => {
        for (let pass = 1; pass < PASSES; pass++) hashAll();
        return hashAll();
      },
      hasFingerprint("digests", fingerprint(hashEach(some))),
    );
  const few = messages.slice(0, 2048);
  const fewJoined = joined.slice(0, few.length);
  const expected = fingerprint(hashEach(joined));
  return measure(
    {
      work: "tagged digests of 200-byte messages",
      unit: "digests/s",
      wasm: passes(joined, () => [kernel.taggedHashes(TAG, messages)]),
      reference: slow(
        bench,
        passes(fewJoined, () => [referenceKernel.taggedHashes(TAG, few)]),
      ),
      native: nativeWork(native, "hashes", [line, ...messages], count, expected),
      yardsticks: [
        {
          name: "crypto.hash, to bytes",
          contender: passes(joined, () => hashEach(joined)),
          target: { at_least: 1.3 },
        },
      ],
    },
    effort,
  );
}
