/**
 * The golden vectors of J and D (protocol section 1). Their values are raw literals that JSON.parse would blur, so the
 * kernel's own parser reads the file's bytes.
 */

import assert from "node:assert/strict";
import { readVector, vectorEntries, vectorTest } from "@svc/testkit/vectors";
import { encodeHex } from "../../src/encoding/hex.ts";
import type { Json } from "../../src/kernel/kernel.ts";
import { kernels } from "./kernels.ts";

const PATH = "proofstream/digests.json";

interface Entry {
  readonly name: string;
  readonly tag: string;
  readonly value: Json;
  readonly canonical_hex: string;
  readonly digest: string;
}

for (const kernel of kernels) {
  vectorTest(PATH, `${kernel.name}: canonical bytes and tagged digests of the golden vectors`, () => {
    const parsed = kernel.parseJson(readVector(PATH));
    assert.ok(parsed.ok);
    const entries = vectorEntries<Entry>(parsed.value, ["name", "tag", "value", "canonical_hex", "digest"]);
    for (const { name, tag, value, canonical_hex, digest } of entries) {
      const canonical = kernel.canonicalize(value);
      assert.equal(encodeHex(canonical), canonical_hex, name);
      assert.equal(encodeHex(kernel.taggedHash(tag, canonical)), digest, name);
    }
  });
}
