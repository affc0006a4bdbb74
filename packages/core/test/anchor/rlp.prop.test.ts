/** RLP from hostile bytes: one value has one encoding, and nothing else is read. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { encodeRlp, type Rlp } from "@svc/testkit/evidence/chain";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { hexToBytes } from "../../src/index.ts";
import { decodeRlp, decodeRlpList, type RlpItem } from "../../src/objects/anchor/rlp.ts";

const bytes = fc.uint8Array({ maxLength: 80 });
const { value: rlp } = fc.letrec<{ value: Rlp }>((tie) => ({
  value: fc.oneof({ maxDepth: 4 }, bytes, fc.array(tie("value"), { maxLength: 6 })),
}));
/** Bytes that often begin like an encoding. */
const hostile = fc
  .array(
    fc.oneof(
      fc.constantFrom(0x00, 0x7f, 0x80, 0x81, 0xb7, 0xb8, 0xb9, 0xbf, 0xc0, 0xc1, 0xf7, 0xf8, 0xff),
      fc.nat(255),
    ),
    {
      maxLength: 80,
    },
  )
  .map((values) => Uint8Array.from(values));

function plain(item: RlpItem): Rlp {
  return "bytes" in item ? Uint8Array.from(item.bytes) : item.items.map(plain);
}

test("what is encoded is read back", () => {
  fc.assert(
    fc.property(rlp, (value) => {
      const item = decodeRlp(encodeRlp(value));
      assert.ok(item !== null);
      assert.deepEqual(plain(item), value);
    }),
  );
});

test("whatever is read has no other encoding", () => {
  fc.assert(
    fc.property(fc.oneof(hostile, rlp.map(encodeRlp)), fc.nat(), fc.nat(255), (encoded, at, byte) => {
      const changed = Uint8Array.from(encoded);
      if (changed.length > 0) changed[at % changed.length] = byte;
      for (const one of [encoded, changed]) {
        const item = decodeRlp(one);
        if (item !== null) assert.deepEqual(encodeRlp(plain(item)), one);
      }
    }),
    { numRuns: runs(2000) },
  );
});

const refused: readonly (readonly [string, string])[] = [
  ["", "no byte"],
  ["8100", "a byte that stands for itself"],
  ["817f", "a byte that stands for itself"],
  ["80ff", "a byte behind the item"],
  ["83ffff", "a string cut short"],
  ["b8", "no length"],
  [`b837${"ff".repeat(55)}`, "a short string in the long form"],
  [`b90038${"ff".repeat(56)}`, "a length with a leading zero"],
  ["bfffffffffffffffff", "a length past every memory"],
  ["ffffffffffffffffff", "a list past every memory"],
  ["c280", "a list cut short"],
  ["c18080", "a list that ends inside of nothing"],
  ["c28100", "an item inside that is not canonical"],
  ["c283ffffff", "an item that leaves its list"],
];
test("every other encoding is refused", () => {
  for (const [hex, what] of refused) assert.equal(decodeRlp(hexToBytes(hex)), null, `${hex}: ${what}`);
});

test("lists nest at most sixteen deep", () => {
  const nested = (depth: number): Rlp => (depth === 0 ? [] : [nested(depth - 1)]);
  assert.notEqual(decodeRlp(encodeRlp(nested(15))), null);
  assert.equal(decodeRlp(encodeRlp(nested(16))), null);
  assert.equal(decodeRlp(encodeRlp(nested(500))), null);
});

test("a string is no list", () => {
  assert.equal(decodeRlpList(hexToBytes("80")), null);
  assert.deepEqual(decodeRlpList(hexToBytes("c0")), []);
});
