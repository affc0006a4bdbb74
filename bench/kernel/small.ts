/**
 * Small documents that are not canonical, from their bytes to the SHA-256 of their canonical bytes, one after the
 * other.
 */
import { createHash } from "node:crypto";
// The exact package that core depends on, and so the same version of it.
import canonicalize from "../../packages/core/node_modules/canonicalize/lib/canonicalize.js";
import type { Kernel } from "../../packages/core/src/kernel/kernel.ts";
import { referenceKernel } from "../../packages/core/src/kernel/reference/index.ts";
import { measure, type Row, type Target, timed, WrongAnswer } from "../measure.ts";
import { type Bench, fingerprint, hasFingerprint, slow } from "./bench.ts";
import { nativeWork } from "./native.ts";
import { Random } from "./random.ts";
import { spelledText } from "./spellings.ts";

const TEXT_BYTES = 3800;
const NO_PREFIX = new Uint8Array();

/** Measures documents a second. */
export async function small(bench: Bench): Promise<Row[]> {
  return [...(await spelled(bench, 6, "", { at_least: 3 })), ...(await spelled(bench, 2, ", many escapes"))];
}

function spelled(bench: Bench, otherEvery: number, kind: string, target?: Target) {
  const { kernel, native, quick, effort } = bench;
  const random = new Random(7);
  const count = quick ? 400 : 2000;
  const texts = Array.from({ length: count }, (_, number) =>
    Buffer.from(spelledText(random, TEXT_BYTES, { pretty: number % 2 === 0, otherEvery })),
  );
  const meanBytes = texts.reduce((sum, text) => sum + text.length, 0) / count;
  const few = texts.slice(0, 200);
  const digests = (kernel: Kernel, some: readonly Buffer[]) =>
    timed(some.length, () => some.map((text) => digestOf(kernel, text)), isSame(some));
  return measure(
    {
      work: `strict parse + canonical bytes + SHA-256, ${(meanBytes / 1000).toFixed(1)} kB${kind}`,
      unit: "documents/s",
      wasm: digests(kernel, texts),
      reference: slow(bench, digests(referenceKernel, few)),
      native: nativeWork(native, "digests-of-documents", texts, count, fingerprint(texts.map(hostDigest))),
      yardsticks: [
        {
          name: "JSON.parse + canonicalize + createHash",
          contender: timed(count, () => texts.map(hostDigest), isSame(texts)),
          ...(target && { target }),
        },
      ],
    },
    effort,
  );
}

function isSame(texts: readonly Buffer[]) {
  return hasFingerprint("digests", fingerprint(texts.map(hostDigest)));
}

function hostDigest(text: Buffer): Buffer {
  const canonical = canonicalize(JSON.parse(text.toString("utf8"))) ?? "";
  return createHash("sha256").update(canonical).digest();
}

function digestOf(kernel: Kernel, text: Uint8Array): Uint8Array {
  const opened = kernel.openJson(text);
  if (!opened.ok) throw new WrongAnswer(`a document was refused: ${opened.code} at byte ${opened.offset}`);
  const end = opened.document.canonicalBytes().length;
  const digest = opened.document.hashPart(NO_PREFIX, { start: 0, end });
  opened.document.close();
  return digest;
}
