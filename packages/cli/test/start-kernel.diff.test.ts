/**
 * The kernel of `svc` has its digests and checksums from Node: they are those of the kernels and of core, in any
 * pieces, and so are the reports on packages.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { deflateRawSync, crc32 as zlibs } from "node:zlib";
import { crc32, type Kernel, pinKeys, type Report, referenceKernel, startWasmKernel, verify } from "@svc/core";
import { buildZip } from "@svc/testkit/evidence/build-zip";
import { SERVICE } from "@svc/testkit/evidence/service";
import { packageInput, packageOf, partsOf, resealed } from "@svc/testkit/evidence/truth-packages";
import { runs } from "@svc/testkit/runs";
import fc from "fast-check";
import { startKernel } from "../src/start-kernel.ts";

const kernel = startKernel("wasm");
const plain = startWasmKernel();
const others: readonly Kernel[] = [plain, referenceKernel];
const RUNS = { numRuns: runs(300) };

/** Bytes around the lengths at which a hash takes another block or another call, and their pieces. */
const pieces = fc.oneof(
  fc.array(fc.uint8Array({ maxLength: 200 }), { maxLength: 8 }),
  fc.array(fc.constantFrom(0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 4096), { maxLength: 6 }).map(piecesOf),
);

function piecesOf(lengths: readonly number[]): Uint8Array[] {
  return lengths.map((length, index) => Uint8Array.from({ length }, (_, at) => (at * 31 + index) & 0xff));
}

function hashed({ hasher }: Pick<Kernel, "hasher">, parts: readonly Uint8Array[]): string {
  const running = hasher();
  for (const part of parts) {
    // The bytes are not kept.
    const memory = Uint8Array.from(part);
    running.update(memory);
    memory.fill(0);
  }
  return Buffer.from(running.digest()).toString("hex");
}

function assertSame(parts: readonly Uint8Array[]): void {
  const whole = Buffer.concat(parts);
  const expected = createHash("sha256").update(whole).digest("hex");
  for (const one of [kernel, ...others]) {
    assert.equal(hashed(one, parts), expected, one.name);
    assert.equal(Buffer.from(one.sha256(whole)).toString("hex"), expected, one.name);
  }
  const sum = kernel.crc32 ?? assert.fail("this Node has a CRC-32");
  assert.equal(
    parts.reduce((before, part) => sum(part, before), 0),
    crc32(whole),
  );
}

test("digests and checksums are the same, in any pieces", () => {
  fc.assert(fc.property(pieces, assertSame), RUNS);
});

test("so are those of more bytes than a kernel takes at once", () => {
  for (const lengths of [[2 ** 20 - 1], [2 ** 20, 1], [2 ** 21 + 17], [5, 2 ** 20, 64, 2 ** 20 + 3]])
    assertSame(piecesOf(lengths));
});

const good = await packageOf(await packageInput());
const parts = partsOf(good);
const trust = pinKeys(kernel, [SERVICE.publicKeyHex]);
const deflated = buildZip(
  parts.map((part) => ({ ...part, packed: new Uint8Array(deflateRawSync(part.content)), method: 8 })),
);
const changed = (content: Uint8Array) => content.with(9, content[9] === 0x61 ? 0x62 : 0x61);

const packages: Readonly<Record<string, readonly [bytes: Uint8Array, codes: readonly string[]]>> = {
  good: [good, []],
  deflated: [deflated, []],
  ...Object.fromEntries(
    ["events.csv", "manifest.json", "proofs.json"].map((name) => [
      `another checksum of ${name}`,
      [
        buildZip(
          parts.map((part) =>
            part.name === name ? { ...part, header: { crc32: (zlibs(part.content) ^ 1) >>> 0 } } : part,
          ),
        ),
        ["archive_malformed"],
      ],
    ]),
  ),
  "another description": [
    buildZip(parts.map((part) => (part.name === "manifest.json" ? { ...part, content: changed(part.content) } : part))),
    ["artifact_hash_mismatch"],
  ],
  "another table": [await resealed(await packageInput(), "events.csv", changed), ["export_mismatch"]],
};

function told(bytes: Uint8Array, by: Kernel): Omit<Report, "verifier"> {
  const { verifier: _, ...report } = verify(bytes, { trust, kernel: by });
  return report;
}

for (const [what, [bytes, codes]] of Object.entries(packages))
  test(`the report on a package is that of every kernel: ${what}`, () => {
    const report = told(bytes, kernel);
    assert.deepEqual(
      report.problems.map(({ code }) => code),
      codes,
    );
    for (const other of others) assert.deepEqual(told(bytes, other), report, other.name);
  });

test("what a kernel brings is what packages are checked by", () => {
  const codesBy = (lie: Partial<Kernel>) => told(good, { ...kernel, ...lie }).problems.map(({ code }) => code);
  assert.ok(codesBy({ crc32: () => 1 }).includes("archive_malformed"));
  const hasher = () => ({ update: () => undefined, digest: () => new Uint8Array(32) });
  assert.ok(codesBy({ hasher }).includes("artifact_hash_mismatch"));
});
