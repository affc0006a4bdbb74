/**
 * The golden bundle and truth package of a stream without envelopes, from before there were any: their bytes, their
 * hashes and their reports stay as they are, whatever is added beside them.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { packageInput, packageOf } from "@svc/testkit/evidence/truth-packages";
import {
  type Bundle,
  crossCheck,
  type Json,
  type JsonObject,
  pinKeys,
  referenceKernel,
  writeBundle,
} from "../src/index.ts";

const kernel = referenceKernel;
const folder = new URL("../../../fixtures/legacy/", import.meta.url);
const read = (name: string) => new Uint8Array(readFileSync(new URL(name, folder)));
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const BUNDLE = read("bundle.json");
const PACKAGE = read("truth-package.zip");
const issued = await bundleOf(await issueStream(10, { perWindow: 3, perCheckpoint: 2 }));

test("their hashes are those of their first day", () => {
  assert.equal(sha256(BUNDLE), "596d56a7847358ee8033f5e03eeb08b1da2b43937e0f57f62fc41ad78408eb0b");
  assert.equal(sha256(PACKAGE), "8c82a9fbc1d051315d93b316f5fe38e0169969aca20307c62d2b920e95fa4bdf");
  const { manifest } = JSON.parse(new TextDecoder().decode(BUNDLE)) as Bundle;
  const hash = sha256(kernel.canonicalize(manifest));
  assert.equal(hash, "d7bfcaf52c914865b5d52eca163a0e5e621c28be438ac9fcc07fa7cc8c365842");
});

test("they are issued today with the same bytes", async () => {
  assert.deepEqual(kernel.canonicalize(issued as unknown as JsonObject), BUNDLE);
  assert.deepEqual(await packageOf(await packageInput()), PACKAGE);
});

test("a bundle is written today with the same bytes", async () => {
  const { manifest, artifacts, payloads = {} } = issued;
  const { "receipts.json": records, "windows.json": windows, "checkpoints.json": checkpoints } = artifacts;
  async function* once<Batch>(portion: Batch) {
    yield portion;
  }
  const pieces: Uint8Array[] = [];
  const source = {
    ...manifest,
    windows,
    checkpoints,
    witnesses: artifacts["witnesses.json"],
    prior: { window_count: 0, frontier: [] },
    key_hints: issued.key_hints,
    key_endorsements: issued.key_endorsements,
    records: once(records),
    payloads: once(payloads),
  };
  for await (const piece of writeBundle(kernel, SERVICE, source)) pieces.push(piece);
  assert.deepEqual(new Uint8Array(Buffer.concat(pieces)), BUNDLE);
});

for (const [name, bytes] of [
  ["bundle", BUNDLE],
  ["truth-package", PACKAGE],
] as const) {
  test(`the report about the ${name} is the stored one, by both kernels`, () => {
    const { report, cross_check } = crossCheck(bytes, { trust: pinKeys(kernel, [SERVICE.publicKeyHex]) });
    assert.equal(cross_check.first_difference, null);
    const { verifier: _, ...said } = report;
    assert.deepEqual(said, JSON.parse(new TextDecoder().decode(read(`${name}.report.json`))) as Json);
  });
}
