/** The freedom of an archive, the places of its limits, and the content that is unpacked and written there. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateRawSync } from "node:zlib";
import { buildZip, deflateStored, type Part, utf8 } from "@svc/testkit/evidence/build-zip";
import {
  contentOf,
  MAX_EXPANSION_RATIO,
  type NewEntry,
  openArchive,
  storedEntry,
  writeArchive,
} from "../../src/index.ts";
import { archiveOf } from "../../src/tamper/package/files.ts";
import { kernels } from "../kernel/kernels.ts";

const A: Part = { name: "a", content: utf8("abc") };
const B: Part = { name: "b", content: utf8("so it goes, so it goes, so it goes") };
const DEFLATED: Part = { ...B, packed: new Uint8Array(deflateRawSync(B.content)), method: 8 };

/**
 * Returns the sentences in which an archive is refused, each with the path that it is about; none if it is accepted.
 */
function faultsOf(...parts: readonly Part[]): (readonly [path: string | null, message: string])[] {
  const opened = openArchive(buildZip(parts));
  return opened.ok ? [] : opened.faults.map(({ path, message }) => [path, message]);
}

test(
  "what changes no content is allowed: dates, who packed it, modes of files, older " +
    "versions, how hard it was packed",
  () => {
    const file = (attributes: number, madeBy = 0x0314): Part => ({ ...A, central: { attributes, madeBy } });
    for (const parts of [
      [],
      [A, B],
      [B, A],
      [A, DEFLATED],
      [{ ...A, header: { time: 0xffff, date: 0xffff } }],
      [{ ...A, header: { versionNeeded: 0 } }],
      [{ ...A, header: { versionNeeded: 20, flags: 0x0800 } }],
      [{ ...DEFLATED, header: { flags: 0x0006 } }],
      [{ ...DEFLATED, header: { flags: 0x0806 } }],
      [{ ...A, central: { internal: 1, madeBy: 0xffff } }],
      [file(0x81a40000)],
      [file(0x81ff0027)],
      [file(0x00000020, 0)],
      [{ name: "empty", content: new Uint8Array() }],
    ])
      assert.deepEqual(faultsOf(...parts), [], JSON.stringify(parts));
  },
);

test("what an entry says is refused by itself, in its words", () => {
  const said = (part: Part) => faultsOf(part).map(([, message]) => message.replace("The entry at byte 0 ", ""));
  for (let bit = 0; bit < 16; bit++) {
    const flag = 1 << bit;
    const allowed = flag === 0x0800;
    assert.equal(said({ ...A, header: { flags: flag } }).length, allowed ? 0 : 1, `flag ${bit}`);
    const ofDeflated = allowed || flag === 0x0002 || flag === 0x0004;
    assert.equal(said({ ...DEFLATED, header: { flags: flag } }).length, ofDeflated ? 0 : 1, `flag ${bit}, deflated`);
  }
  for (const flags of [0x0001, 0x0040, 0x2000]) assert.deepEqual(said({ ...A, header: { flags } }), ["is encrypted."]);
  assert.deepEqual(said({ ...A, header: { flags: 0x0010 } }), ["has flags that mean nothing here (16)."]);
  assert.deepEqual(said({ ...A, header: { versionNeeded: 21 } }), [
    "needs version 21 of the format, and 20 is the highest here.",
  ]);
  assert.deepEqual(said({ ...A, method: 12 }), ["is packed by method 12; only 0 and 8 may be used."]);
  assert.deepEqual(said({ ...A, header: { sizeBytes: 4 } }), ["is not packed, and states two sizes."]);
  for (let type = 0; type < 16; type++)
    assert.deepEqual(
      said({ ...A, central: { attributes: (type << 28) | 0x01a40000 } }),
      type === 0 || type === 8 ? [] : ["is no ordinary file."],
      `type ${type}`,
    );
  for (const attributes of [0x08, 0x10, 0x18])
    assert.deepEqual(said({ ...A, central: { attributes } }), ["is no ordinary file."]);
  assert.deepEqual(said({ ...A, name: "a/" }), ["is a folder."]);
});

test("the faults of every entry are said with its path, each code once", () => {
  const both = { flags: 0x0009, versionNeeded: 21 };
  const faults = faultsOf({ ...A, name: "../a", header: both }, { ...B, method: 12 });
  assert.deepEqual(
    faults.map(([path, message]) => [path, message.replace(/^The entry at byte \d+ /, "")]),
    [
      ["../a", "is encrypted."],
      ["../a", "has a path that does not name a file by itself."],
      ["b", "is packed by method 12; only 0 and 8 may be used."],
    ],
  );
  const twice = faultsOf(A, { ...A, name: "A" }, B, { ...A, name: "a" });
  assert.deepEqual(
    twice.map(([path]) => path),
    ["A", "a"],
  );
  assert.match(
    twice[0]?.[1] ?? "",
    /^The entry at byte 34 has a name that some systems take for that of another entry/,
  );
  // Nothing else is then said of names: that of the first entry is forbidden.
  for (const name of [Uint8Array.of(0xff), "\u00e9", "a\n"])
    assert.deepEqual(faultsOf({ ...A, name: "../a" }, { ...A, name }), [
      [null, "The entry at byte 37 has a name that is not printable ASCII."],
    ]);
});

test("what reaches past its place by one byte is refused there", () => {
  const good = buildZip([A]);
  const directory = 34;
  const patched = (...changes: readonly (readonly [at: number, value: number])[]) => {
    const bytes = good.slice();
    for (const [at, value] of changes) bytes[at] = value;
    const opened = openArchive(bytes);
    return opened.ok ? "" : `${opened.faults[0]?.message}`;
  };
  const [name, packed, size] = [22, 14, 18];
  assert.equal(patched(), "");
  const past = "Entry 1, whose header is at byte 34, reaches past its place.";
  // The name takes a byte of the content, and in the directory one of the end record.
  assert.equal(
    patched(
      [4 + name, 2],
      [4 + packed, 2],
      [4 + size, 2],
      [directory + 6 + name, 2],
      [directory + 6 + packed, 2],
      [directory + 6 + size, 2],
    ),
    past,
  );
  // The content takes a byte of the directory.
  assert.equal(patched([4 + packed, 4], [4 + size, 4], [directory + 6 + packed, 4], [directory + 6 + size, 4]), past);
});

test("an entry may expand to 200 times its bytes, and to no more", () => {
  const expanding = (sizeBytes: number): Part => ({ ...A, method: 8, header: { sizeBytes } });
  assert.deepEqual(faultsOf(expanding(3 * MAX_EXPANSION_RATIO)), []);
  const [fault] = faultsOf(B, expanding(3 * MAX_EXPANSION_RATIO + 1));
  assert.deepEqual(fault, ["a", "The entry at byte 65 expands from 3 bytes to 601, over 200:1."]);
});

test("a content is given whole, however large it is and however it is packed", () => {
  const content = Uint8Array.from({ length: 400_000 }, (_, at) => (at * at) >> 9);
  const packed = new Uint8Array(deflateRawSync(content));
  const opened = openArchive(
    buildZip([
      { name: "a", content },
      { name: "b", content, packed, method: 8 },
    ]),
  );
  assert.ok(opened.ok);
  for (const kernel of kernels)
    for (const entry of opened.entries)
      assert.deepEqual(contentOf(kernel, entry), { ok: true, bytes: content }, kernel.name);
});

test("the records of stored and of packed entries are those that the format describes", () => {
  const parts = [A, B, { name: "empty", content: new Uint8Array() }];
  const files = parts.map(({ name, content }) => ({ path: name as string, content }));
  assert.deepEqual(archiveOf(files).bytes, buildZip(parts));
  const packed = parts.map((part) => ({ ...part, packed: deflateStored(part.content), method: 8 }));
  assert.deepEqual(archiveOf(files, true).bytes, buildZip(packed));
  const large = { path: "x", content: Uint8Array.from({ length: 200_000 }, (_, at) => at >> 3) };
  const opened = openArchive(archiveOf([large], true).bytes);
  assert.ok(opened.ok);
  for (const kernel of kernels)
    assert.deepEqual(
      opened.entries.map((entry) => contentOf(kernel, entry)),
      [{ ok: true, bytes: large.content }],
    );
});

test("an archive is written up to the limits of the format, which are counted with all that is still to come", async () => {
  const most = 0xfffffffe;
  /** Returns the bytes that come before the first content is asked for. */
  const begun = async (...entries: readonly NewEntry[]) => {
    const pieces: Uint8Array[] = [];
    for await (const piece of writeArchive(entries)) {
      pieces.push(piece);
      if (pieces.length === 2 * entries.length - 1) break;
    }
    return pieces.length;
  };
  const stated = (path: string, sizeBytes: number): NewEntry => ({ path, sizeBytes, crc32: 0, content: [] });
  const tooMuch = /^RangeError: a ZIP archive without ZIP64 does not hold as much$/;
  const around = 30 + 46 + 2;
  assert.equal(await begun(stated("a", most - around)), 1);
  await assert.rejects(begun(stated("a", most - around + 1)), tooMuch);
  const first = storedEntry("a", utf8("abc"));
  assert.equal(await begun(first, stated("bc", most - around - 3 - 30 - 46 - 4)), 3);
  await assert.rejects(begun(first, stated("bc", most - around - 3 - 30 - 46 - 4 + 1)), tooMuch);
});

test("an archive has at most 65,534 entries", async () => {
  function* entries(): Generator<NewEntry> {
    for (let at = 0; at < 65_536; at++)
      yield { path: String(at).padStart(5, "0"), sizeBytes: 0, crc32: 0, content: [] };
  }
  let begun = 0;
  await assert.rejects(async () => {
    for await (const _header of writeArchive(entries())) begun++;
  }, /^RangeError: a ZIP archive without ZIP64 does not hold as much$/);
  assert.equal(begun, 65_534);
});

test("paths ascend from the first on, and a content has the size and the checksum that were stated, each by itself", async () => {
  const written = async (...entries: readonly NewEntry[]) => {
    for await (const _ of writeArchive(entries));
  };
  await written(storedEntry("!", utf8("a")), storedEntry("0", utf8("a")), storedEntry("A", utf8("a")));
  await assert.rejects(written({ ...storedEntry("a", utf8("abc")), sizeBytes: 4 }), /is not the one that was stated$/);
  await assert.rejects(written({ ...storedEntry("a", utf8("abc")), crc32: 1 }), /is not the one that was stated$/);
});
