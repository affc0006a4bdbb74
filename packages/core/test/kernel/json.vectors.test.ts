/**
 * The golden vectors of protocol section 2: accepted texts and their canonical forms, refused texts and their codes.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { assertMembers, readVectorJson } from "@svc/testkit/vectors";
import { encodeHex, hexToBytes } from "../../src/encoding/hex.ts";
import { kernels } from "./kernels.ts";

const PATH = "proofstream/json.json";

interface Entry {
  readonly name: string;
  readonly input_base64: string;
  readonly ok: boolean;
  readonly code?: string;
  readonly canonical_hex?: string;
}

function readEntries(): Entry[] {
  const entries = readVectorJson(PATH) as Entry[];
  assert.ok(entries.length > 0);
  for (const entry of entries) {
    assertMembers(entry, ["name", "input_base64", "ok", entry.ok ? "canonical_hex" : "code"]);
  }
  return entries;
}

for (const kernel of kernels) {
  test(`${kernel.name}: accepts and refuses the JSON of the golden vectors`, () => {
    for (const { name, input_base64, ok, code, canonical_hex } of readEntries()) {
      const input = new Uint8Array(Buffer.from(input_base64, "base64"));
      const parsed = kernel.parseJson(input);
      assert.equal(parsed.ok, ok, name);
      if (parsed.ok) {
        assert.equal(encodeHex(kernel.canonicalize(parsed.value)), canonical_hex, name);
      } else {
        assert.equal(parsed.code, code, name);
        assert.ok(parsed.offset >= 0 && parsed.offset <= input.length, name);
      }
    }
  });

  test(`${kernel.name}: reads canonical forms of the golden vectors back to themselves`, () => {
    for (const { name, canonical_hex } of readEntries()) {
      if (canonical_hex === undefined) continue;
      const parsed = kernel.parseJson(hexToBytes(canonical_hex));
      assert.ok(parsed.ok, name);
      assert.equal(encodeHex(kernel.canonicalize(parsed.value)), canonical_hex, name);
    }
  });
}
