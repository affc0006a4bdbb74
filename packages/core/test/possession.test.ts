/** The answer to a package's challenge, by its definition: over all bytes, in any pieces, by both kernels. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { KERNEL_NAMES } from "@svc/testkit/kernels";
import { encodeHex, selectKernel } from "../src/index.ts";
import { possessionHasher } from "../src/objects/truth-package/possession.ts";

const CHALLENGE = "0123456789abcdef".repeat(4);
const bytes = Uint8Array.from({ length: 1000 }, (_, index) => index % 251);

for (const name of KERNEL_NAMES)
  test(`${name}: SHA-256 over the characters of the challenge and then the package`, () => {
    const expected = createHash("sha256").update(CHALLENGE, "ascii").update(bytes).digest("hex");
    for (const cuts of [[], [1], [63, 64, 65], [500]]) {
      const hasher = possessionHasher(selectKernel(name), CHALLENGE);
      let from = 0;
      for (const to of [...cuts, bytes.length]) {
        hasher.update(bytes.subarray(from, to));
        from = to;
      }
      assert.equal(encodeHex(hasher.digest()), expected, `cut at ${cuts}`);
    }
  });
