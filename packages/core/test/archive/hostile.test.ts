/** Archives made to deceive or to harm: both kernels refuse each with the code of its lie, and unpack none before. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { buildZip, deflateStored } from "@svc/testkit/evidence/build-zip";
import { hostileArchives } from "@svc/testkit/evidence/hostile-archives";
import { SERVICE } from "@svc/testkit/evidence/service";
import { packageOf, partsOf, smallInput } from "@svc/testkit/evidence/truth-packages";
import {
  CODES,
  crossCheck,
  MAX_EXPANDED_BYTES,
  openArchive,
  pinKeys,
  referenceKernel,
  unpack,
  verify,
} from "../../src/index.ts";
import { kernels } from "../kernel/kernels.ts";

const good = await packageOf(await smallInput());
const parts = partsOf(good);
const trust = pinKeys(referenceKernel, [SERVICE.publicKeyHex]);

test("what the builder makes of the entries is the good package, stored and deflated", () => {
  assert.deepEqual(buildZip(parts), good);
  const deflated = parts.map((part) => ({ ...part, packed: deflateStored(part.content), method: 8 }));
  for (const bytes of [good, buildZip(deflated)]) assert.equal(verify(bytes, { trust }).verdict, "verified");
});

for (const { name, code, bytes } of hostileArchives(parts)) {
  test(`refused: ${name}`, () => {
    const { report, cross_check } = crossCheck(bytes, { trust, kind: "truth-package" });
    assert.ok(cross_check.agree);
    assert.equal(report.verdict, "rejected");
    const [problem] = report.problems;
    assert.ok(problem !== undefined && Object.hasOwn(CODES, code));
    assert.ok(
      report.problems.some((one) => one.code === code),
      `wants ${code}, got ${report.problems.map((one) => `${one.code}: ${one.message}`)}`,
    );
    assert.equal(report.checks.find(({ id }) => id === "archive")?.status, "fail");
    if (code === "archive_malformed")
      assert.ok(!report.problems.some((one) => one.code === "archive_path_forbidden"), "two verdicts on one name");
    assert.equal(verify(bytes, { trust }).verdict, "rejected", "with the kind found from the bytes");
  });
}

test("no archive that is cut off is verified, wherever it ends", () => {
  for (let length = 0; length < good.length; length++) {
    const opened = openArchive(good.subarray(0, length));
    assert.equal(opened.ok, false, `${length} bytes`);
  }
});

test("more than four gibibytes together are too many, however well they are packed", () => {
  const content = new Uint8Array(22_000_000);
  const half = { content, method: 8, header: { crc32: 0, sizeBytes: MAX_EXPANDED_BYTES / 2 } };
  const names = ["a", "b"];
  const within = openArchive(buildZip(names.map((name) => ({ name, ...half }))));
  assert.ok(within.ok, "exactly as many are not");
  const over = openArchive(
    buildZip([...names.map((name) => ({ name, ...half })), { name: "c", content: Uint8Array.of(0) }]),
  );
  assert.deepEqual(over.ok ? [] : over.faults.map(({ code, path }) => [code, path]), [["archive_too_large", null]]);
});

test("an entry that gives more than it declares is stopped there: no more is ever handed out", () => {
  const content = new Uint8Array(200_000);
  const [large] = [
    buildZip([{ name: "x", content, packed: stored(content), method: 8, header: { sizeBytes: 70_000 } }]),
  ];
  const opened = openArchive(large);
  assert.ok(opened.ok);
  for (const kernel of kernels) {
    let bytes = 0;
    const fault = unpack(kernel, opened.entries[0] ?? assert.fail(), (piece) => {
      bytes += piece.length;
      assert.ok(piece.length <= 100_000);
    });
    assert.match(fault?.message ?? "", /not the deflate stream of 70000 bytes/);
    assert.ok(bytes <= 70_000, `${kernel.name}: ${bytes}`);
  }
});

/** Returns stored blocks, as many as are needed. */
function stored(content: Uint8Array): Uint8Array {
  const blocks: Uint8Array[] = [];
  for (let at = 0; at < content.length; at += 65_535) {
    const block = deflateStored(content.subarray(at, at + 65_535));
    blocks.push(block.with(0, at + 65_535 < content.length ? 0 : 1));
  }
  return new Uint8Array(Buffer.concat(blocks));
}

test("the sentence says what is wrong, and at which byte where there is one", () => {
  const said = new Map(
    hostileArchives(parts).map(({ name, bytes }) => {
      const opened = openArchive(bytes);
      return [name, opened.ok ? "" : `${opened.faults[0]?.message}`];
    }),
  );
  for (const [name, sentence] of [
    ["ZIP64 by its count", /is in the form ZIP64\.$/],
    ["ZIP64 by its directory", /is in the form ZIP64\.$/],
    ["ZIP64 by the directory's length", /is in the form ZIP64\.$/],
    ["a byte behind", /something follows it/],
    ["a comment that is not there", /has a comment, or is cut off inside of one/],
    ["the second disk", /part of an archive of several/],
    ["a directory that is cut off", /^Entry 1 has no header in the directory at byte 0\.$/],
    ["a byte between entries", /^Entry 2 should begin at byte \d+, and by the directory begins at \d+\.$/],
    [
      "another local name",
      /^The header of entry 1 at byte 0 and that in the directory at byte \d+ do not say the same\.$/,
    ],
    ["an extra field", /^Entry 1 has extra fields or a comment, at byte \d+: another program packed it\.$/],
    ["a comment of an entry", /^Entry 5 has extra fields or a comment, at byte \d+: another program packed it\.$/],
    ["an entry on another disk", /^Entry 5 is on another disk, by byte \d+\.$/],
    ["a byte in the directory", /^The directory has data behind its entries, at byte \d+\.$/],
    [
      "a byte behind the directory",
      /^Its directory should end at byte \d+, and by the end record it ends at byte \d+\.$/,
    ],
    ["a byte before the directory", /^There is data between the entries and the directory, at byte \d+\.$/],
    ["encrypted", /^The entry at byte 0 is encrypted\.$/],
    ["with the flag of a size behind it", /states its size behind its content/],
    ["packed by method 12", /^The entry at byte 0 is packed by method 12; only 0 and 8 may be used\.$/],
    ["an expansion that is too large", /expands from \d+ bytes to 1000000, over 200:1\.$/],
    ['the path "../x"', /^The entry at byte \d+ has a path that does not name a file by itself\.$/],
  ] as const)
    assert.match(said.get(name) ?? "", sentence, name);
});
