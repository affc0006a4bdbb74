/** The root of a large RFC 6962 tree, against crypto.hash over one flat buffer that holds one level of it at a time. */
import { hash } from "node:crypto";
import type { Kernel } from "../../packages/core/src/kernel/kernel.ts";
import { referenceKernel } from "../../packages/core/src/kernel/reference/index.ts";
import { measure, type Row, timed } from "../measure.ts";
import { type Bench, fingerprint, hasFingerprint, slow } from "./bench.ts";
import { nativeWork } from "./native.ts";
import { Random } from "./random.ts";

/** Measures leaves a second. The leaf hashes are given: a kernel has no call for many leaf hashes at once. */
export function trees(bench: Bench): Promise<Row[]> {
  const { kernel, native, quick, effort } = bench;
  const count = quick ? 100_000 : 1_000_000;
  const flat = new Random(5).bytes(32 * count);
  const leafHashes = Array.from({ length: count }, (_, index) => flat.subarray(32 * index, 32 * index + 32));
  const root = (kernel: Kernel, some: number) => {
    const own = leafHashes.slice(0, some);
    return timed(
      some,
      () => [kernel.rootFromLeafHashes(own)],
      hasFingerprint("root", fingerprint([flatRoot(flat.subarray(0, 32 * some))])),
    );
  };
  const expected = fingerprint([flatRoot(flat)]);
  return measure(
    {
      work: `Merkle root of ${count.toLocaleString("en-US")} leaf hashes`,
      unit: "leaves/s",
      wasm: root(kernel, count),
      reference: slow(bench, root(referenceKernel, count / 20)),
      native: nativeWork(native, "root", [flat], count, expected),
      yardsticks: [
        {
          name: "crypto.hash",
          contender: timed(count, () => [flatRoot(flat)], hasFingerprint("root", expected)),
          target: { at_least: 2 },
        },
      ],
    },
    effort,
  );
}

/** Works level by level, each written over a copy of the one below; a last node without sibling goes up unchanged. */
function flatRoot(leafHashes: Buffer): Buffer {
  const level = Buffer.from(leafHashes);
  const node = Buffer.alloc(65, 1);
  for (let count = level.length / 32; count > 1; count = Math.ceil(count / 2)) {
    for (let index = 0; index < count >> 1; index++) {
      level.copy(node, 1, 64 * index, 64 * index + 64);
      hash("sha256", node, "buffer").copy(level, 32 * index);
    }
    if (count % 2 === 1) level.copy(level, 32 * (count >> 1), 32 * (count - 1), 32 * count);
  }
  return level.subarray(0, 32);
}
