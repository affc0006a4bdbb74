/**
 * Both kernels and a naive transcription of the RFCs on the same generated texts: whole results must be equal.
 * SVC_DIFF_DOCUMENTS is the number of texts; by default 100,000.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { lenientJson, naiveJson } from "@svc/testkit/oracles/naive-json";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { encodeHex } from "../../src/encoding/hex.ts";
import type { Kernel } from "../../src/kernel/kernel.ts";
import { spellings, texts, values } from "./json-texts.ts";
import { kernels } from "./kernels.ts";

const DOCUMENTS = Number(process.env.SVC_DIFF_DOCUMENTS ?? runs(100_000));
const encoder = new TextEncoder();

/** Returns everything that a kernel says of a text. */
function allAbout(kernel: Kernel, bytes: Uint8Array): unknown {
  const parsed = kernel.parseJson(bytes);
  const opened = kernel.openJson(bytes);
  if (!opened.ok || !parsed.ok) {
    assert.deepEqual(opened, parsed, "both ways to read a text give the same error");
    return parsed;
  }
  const canonicalHex = encodeHex(opened.document.canonicalBytes());
  assert.equal(encodeHex(kernel.canonicalize(parsed.value)), canonicalHex);
  assert.equal(opened.document.isCanonical, canonicalHex === encodeHex(bytes));
  // Values are compared by their text too: deepEqual does not see the order of members, on which the order of problems
  // depends.
  return { ok: true, canonicalHex, text: JSON.stringify(parsed.value), value: parsed.value };
}

test(`${DOCUMENTS} texts mean the same to both kernels and to the RFCs`, () => {
  const counts = { accepted: 0, refused: 0 };
  const bytes = fc.oneof(
    { weight: 4, arbitrary: spellings.map((text) => encoder.encode(text)) },
    { weight: 4, arbitrary: texts.map((text) => encoder.encode(text)) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 12 }) },
    // Bytes inserted where they do not belong.
    {
      weight: 1,
      arbitrary: fc.tuple(values, fc.nat(), fc.nat(255)).map(([value, at, byte]) => {
        const text = encoder.encode(JSON.stringify(value));
        text[at % text.length] = byte;
        return text;
      }),
    },
  );
  fc.assert(
    fc.property(bytes, (text) => {
      const naive = naiveJson(text);
      const [first, ...others] = kernels.map((kernel) => allAbout(kernel, text));
      for (const other of others) assert.deepEqual(other, first);
      if (naive.ok) {
        counts.accepted++;
        const { canonicalHex, value } = first as { canonicalHex: string; value: unknown };
        assert.equal(canonicalHex, naive.canonicalHex);
        assert.deepEqual(value, naive.value);
        assert.deepEqual(value, lenientJson(Buffer.from(text).toString()));
        assert.deepEqual(naiveJson(Buffer.from(canonicalHex, "hex")), naive, "canonical bytes read back");
      } else {
        counts.refused++;
        assert.deepEqual(first, naive);
      }
    }),
    { numRuns: DOCUMENTS },
  );
  // A generator that makes only one kind would test little.
  assert.ok(counts.accepted > DOCUMENTS / 4 && counts.refused > DOCUMENTS / 4, JSON.stringify(counts));
});

test("every byte at every place of a long string means the same to both kernels", () => {
  const length = 40;
  const refused = new Set<number>();
  for (let byte = 0; byte < 256; byte++) {
    for (let place = 1; place <= length; place++) {
      // Before and behind bytes that differ from a quote only in the high bit, if they did not belong to characters of
      // two bytes.
      for (const filler of ["a", "\u00a2"]) {
        const text = encoder.encode(`["${filler.repeat(length)}",0.1]`);
        text[1 + place] = byte;
        const [first, ...others] = kernels.map((kernel) => allAbout(kernel, text));
        for (const other of others) assert.deepEqual(other, first, `byte ${byte} at ${place}`);
        if (!(first as { ok: boolean }).ok) refused.add(byte);
      }
    }
  }
  for (const byte of [0, 0x1f, 0x22, 0x5c, 0x80, 0xff]) assert.ok(refused.has(byte));
});
