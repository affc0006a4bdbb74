/** RFC 8785 test data of its authors, through the strict parser: input, canonical output, and its bytes in hex. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { listVectors, readVector } from "@svc/testkit/vectors";
import { encodeHex } from "../../src/encoding/hex.ts";
import { kernels } from "./kernels.ts";

for (const kernel of kernels) {
  test(`${kernel.name}: canonical JSON of the RFC 8785 test data`, () => {
    for (const input of listVectors("jcs/input", ".json")) {
      const parsed = kernel.parseJson(readVector(input));
      assert.ok(parsed.ok, input);
      const canonical = kernel.canonicalize(parsed.value);
      const outputPath = input.replace("/input/", "/output/");
      assert.equal(encodeHex(canonical), encodeHex(readVector(outputPath)), outputPath);
      const hexPath = input.replace("/input/", "/outhex/").replace(/\.json$/, ".txt");
      assert.equal(encodeHex(canonical), new TextDecoder().decode(readVector(hexPath)).replace(/\s/g, ""), hexPath);
    }
  });

  test(`${kernel.name}: the outputs of the RFC 8785 test data are their own canonical form`, () => {
    for (const output of listVectors("jcs/output", ".json")) {
      const bytes = readVector(output);
      const parsed = kernel.parseJson(bytes);
      assert.ok(parsed.ok, output);
      assert.equal(encodeHex(kernel.canonicalize(parsed.value)), encodeHex(bytes), output);
    }
  });
}
