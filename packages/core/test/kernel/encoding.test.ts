/** Hex and base64: one text for each byte string, every other text refused (protocol sections 1 and 9). */

import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { encodeBase64, parseBase64 } from "../../src/encoding/base64.ts";
import { encodeHex, hexToBytes, parseHex } from "../../src/encoding/hex.ts";

const bytesOf = fc.uint8Array({ maxLength: 100 });

test("hex: as node:buffer writes it, and back", () => {
  fc.assert(
    fc.property(bytesOf, (bytes) => {
      const text = encodeHex(bytes);
      assert.equal(text, Buffer.from(bytes).toString("hex"));
      assert.deepEqual(parseHex(text), bytes);
      assert.deepEqual(hexToBytes(text), bytes);
    }),
  );
});

test("hex: every pair of characters, accepted exactly where it is two lowercase digits", () => {
  for (let high = 0; high < 256; high++) {
    for (let low = 0; low < 256; low++) {
      const pair = String.fromCharCode(high, low);
      const expected = /^[0-9a-f]{2}$/.test(pair) ? Uint8Array.of(Number.parseInt(pair, 16)) : null;
      assert.deepEqual(parseHex(pair), expected, JSON.stringify(pair));
    }
  }
});

test("hex: uppercase, odd lengths, prefixes, white space and other digits are refused", () => {
  for (const text of ["AB", "aB", "a", "abc", "0x00", " 00", "00 ", "00\n", "0\u0661", "\uff11\uff11", "-1", "+1"]) {
    assert.equal(parseHex(text), null, JSON.stringify(text));
    assert.throws(() => hexToBytes(text), TypeError, JSON.stringify(text));
  }
  assert.deepEqual(parseHex(""), new Uint8Array());
});

test("base64: as node:buffer writes it, and back", () => {
  fc.assert(
    fc.property(bytesOf, (bytes) => {
      const text = encodeBase64(bytes);
      assert.equal(text, Buffer.from(bytes).toString("base64"));
      assert.deepEqual(parseBase64(text), bytes);
    }),
  );
});

test("base64: the vectors of RFC 4648 section 10", () => {
  const vectors = {
    "": "",
    f: "Zg==",
    fo: "Zm8=",
    foo: "Zm9v",
    foob: "Zm9vYg==",
    fooba: "Zm9vYmE=",
    foobar: "Zm9vYmFy",
  };
  for (const [plain, text] of Object.entries(vectors)) {
    const bytes = new TextEncoder().encode(plain);
    assert.equal(encodeBase64(bytes), text);
    assert.deepEqual(parseBase64(text), bytes);
  }
});

test("base64: every other spelling is refused", () => {
  const refused = [
    ["no padding", "Zg", "Zm8", "Zg="],
    ["too much padding", "Zm9v=", "Zm9v====", "Z===", "====", "=", "=="],
    ["padding in the middle", "Zg==Zg==", "Zm8=Zm8=", "Z=g=", "=Zg=", "Zg=v"],
    ["trailing bits", "Zh==", "Zv==", "Zm9=", "Zm+=", "Zm9vYh=="],
    ["the url-safe alphabet", "__-_", "ab-_", "-w=="],
    ["white space", "Zm9v\n", "Zm 9", " Zm9", "Zm9v\r\n\r\n", "Zm\t="],
    ["other characters", "Zm9\u0000", "Zm9é", "Zm9\uff11", "Zm9!", "Zm9,", "Zm9\ud800"],
  ];
  for (const [why, ...texts] of refused) {
    for (const text of texts) assert.equal(parseBase64(text), null, `${why}: ${JSON.stringify(text)}`);
  }
});

test("base64: what is accepted is what would be written", () => {
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/==-_ ";
  let accepted = 0;
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 9 }), (text) => {
      const bytes = parseBase64(text);
      if (bytes === null) return;
      accepted++;
      assert.equal(encodeBase64(bytes), text);
    }),
    { numRuns: 20000 },
  );
  assert.ok(accepted > 100, `only ${accepted} texts were accepted`);
});
