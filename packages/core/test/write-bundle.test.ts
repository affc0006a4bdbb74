/**
 * A bundle that is written piece by piece has the same bytes as one that is made whole, with its records in portions of
 * any size.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { anchorOf } from "@svc/testkit/evidence/anchors";
import { retold, told } from "@svc/testkit/evidence/forks";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { type Bundle, type BundleSource, findFork, referenceKernel, selectKernel, writeBundle } from "../src/index.ts";

const kernel = referenceKernel;

async function* portions<Item>(items: readonly Item[], size: number): AsyncGenerator<Item[]> {
  yield [];
  for (let from = 0; from < items.length; from += size) yield items.slice(from, from + size);
}

async function* payloadPortions(bundle: Bundle, size: number) {
  const entries = Object.entries(bundle.payloads ?? {});
  for await (const portion of portions(entries, size)) yield Object.fromEntries(portion);
}

function sourceOf(bundle: Bundle, size: number): BundleSource {
  const { manifest, artifacts, key_hints, key_endorsements } = bundle;
  return {
    ...manifest,
    records: portions(artifacts["receipts.json"], size),
    payloads: payloadPortions(bundle, size),
    windows: artifacts["windows.json"],
    checkpoints: artifacts["checkpoints.json"],
    witnesses: artifacts["witnesses.json"],
    anchors: artifacts["anchors.json"],
    ...(artifacts["forks.json"] === undefined ? {} : { forks: artifacts["forks.json"] }),
    prior: {
      window_count: manifest.prior_windows.window_count,
      frontier: manifest.prior_windows.frontier.map((hash) => new Uint8Array(Buffer.from(hash, "hex"))),
    },
    key_hints,
    key_endorsements,
  };
}

async function written(source: BundleSource, using = kernel): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of writeBundle(using, SERVICE, source)) pieces.push(piece);
  return Buffer.concat(pieces).toString("utf8");
}

test("the bytes are those of issueBundle, for portions of any size and with both kernels", async () => {
  const evidence = await issueStream(13, { perWindow: 3, perCheckpoint: 2 });
  const plain = await bundleOf(evidence, 2);
  const bundles = [
    plain,
    await bundleOf(evidence, 1, SERVICE, [await anchorOf(evidence.checkpoints)]),
    { ...plain, payloads: {} },
  ];
  for (const bundle of bundles) {
    const whole = Buffer.from(kernel.canonicalize(bundle)).toString("utf8");
    for (const size of [1, 2, 5, 1000])
      for (const using of [kernel, selectKernel("wasm")])
        assert.equal(await written(sourceOf(bundle, size), using), whole);
  }
});

test("evidence of forks is in the same place", async () => {
  const [left, right] = [told.records[5], retold.records[5]];
  assert.ok(left !== undefined && right !== undefined);
  const evidence = await issueStream(4);
  const fork = findFork(left, right, {
    fork_id: `frk_${"0".repeat(26)}`,
    detected_at: "2026-03-01T00:00:00.000Z",
  });
  assert.ok(fork !== null);
  const bundle = await bundleOf(evidence, 1, SERVICE, [], [fork]);
  const whole = Buffer.from(kernel.canonicalize(bundle)).toString("utf8");
  assert.equal(await written(sourceOf(bundle, 3)), whole);
});

test("records that are not those of the range are refused", async () => {
  const source = sourceOf(await bundleOf(await issueStream(4)), 2);
  await assert.rejects(written({ ...source, to_seq_no: 5 }), RangeError);
  await assert.rejects(written({ ...source, from_seq_no: 5, to_seq_no: 4 }), RangeError);
});
