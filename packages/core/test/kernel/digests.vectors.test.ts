/**
 * The golden vectors of J and D (protocol section 1). Their values are raw literals that JSON.parse would blur, so the
 * kernel's own parser reads the file's bytes.
 */

import assert from "node:assert/strict";
import { test } from "node:test";
import { readVector, vectorEntries } from "@svc/testkit/vectors";
import { encodeHex, hexToBytes } from "../../src/encoding/hex.ts";
import type { Json, JsonObject } from "../../src/kernel/kernel.ts";
import { digest, type Tag, taggedHash, wordOf } from "../../src/protocol.ts";
import { kernels } from "./kernels.ts";

const PATH = "proofstream/digests.json";
const OTHER_WORDS = "provenance/digests.json";

interface Entry {
  readonly name: string;
  readonly tag: string;
  readonly value: Json;
  readonly canonical_hex: string;
  readonly digest: string;
}

/** A digest under another word, of a value or of raw bytes. */
interface WordEntry {
  readonly name: string;
  readonly word: string;
  readonly tag: Tag;
  readonly value: Json;
  readonly canonical: string;
  readonly bytes: string;
  readonly digest: string;
}

for (const kernel of kernels) {
  test(`${kernel.name}: canonical bytes and tagged digests of the golden vectors`, () => {
    const parsed = kernel.parseJson(readVector(PATH));
    assert.ok(parsed.ok);
    const entries = vectorEntries<Entry>(parsed.value, ["name", "tag", "value", "canonical_hex", "digest"]);
    for (const { name, tag, value, canonical_hex, digest } of entries) {
      const canonical = kernel.canonicalize(value);
      assert.equal(encodeHex(canonical), canonical_hex, name);
      assert.equal(encodeHex(kernel.taggedHash(tag, canonical)), digest, name);
    }
  });

  test(`${kernel.name}: digests of values and of bytes under other words`, () => {
    const parsed = kernel.parseJson(readVector(OTHER_WORDS));
    assert.ok(parsed.ok);
    const { json = null, bytes: raw = null, ...more } = parsed.value as JsonObject;
    assert.deepEqual(more, {});
    const ofValues = ["name", "word", "tag", "value", "canonical", "digest"] as const;
    for (const one of vectorEntries<WordEntry>(json, ofValues)) {
      assert.equal(wordOf(one.tag), one.word, one.name);
      assert.equal(new TextDecoder().decode(kernel.canonicalize(one.value)), one.canonical, one.name);
      assert.equal(digest(kernel, one.tag, one.value), one.digest, one.name);
    }
    for (const one of vectorEntries<WordEntry>(raw, ["name", "word", "tag", "bytes", "digest"])) {
      assert.equal(wordOf(one.tag), one.word, one.name);
      assert.equal(encodeHex(taggedHash(kernel, one.tag, hexToBytes(one.bytes))), one.digest, one.name);
    }
  });
}
