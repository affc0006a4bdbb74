/** A bundle that starts in the middle of a checkpoint: the windows listed before it must be those in the frontier. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { bundleOf, frontierOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { type Bundle, type HashHex, issueBundle, type Json, pinKeys, referenceKernel, verify } from "../src/index.ts";
import { checkpointBody } from "../src/objects/checkpoint.ts";
import { makeSeal } from "../src/seal.ts";

const kernel = referenceKernel;

function codes(bundle: Bundle): string[] {
  const bytes = kernel.canonicalize(JSON.parse(JSON.stringify(bundle)) as Json);
  return verify(bytes, { trust: pinKeys(kernel, [SERVICE.publicKeyHex]) }).problems.map(({ code }) => code);
}

for (const firstWindow of [2, 3, 4, 6]) {
  test(`windows listed before window ${firstWindow} are held against the frontier`, async () => {
    const evidence = await issueStream(14, { perWindow: 2, perCheckpoint: 7 });
    assert.deepEqual(codes(await bundleOf(evidence, firstWindow)), []);
    const [checkpoint] = evidence.checkpoints;
    assert.ok(checkpoint !== undefined);
    const changed = structuredClone(checkpoint);
    Object.assign(changed.window_roots[firstWindow - 2] ?? {}, { window_hash: "ab".repeat(32) as HashHex });
    Object.assign(changed, { seal: await makeSeal(kernel, "checkpoint", checkpointBody(changed), SERVICE) });
    const { manifest, artifacts, key_hints } = await bundleOf(evidence, firstWindow);
    const resealed = await issueBundle(kernel, SERVICE, {
      ...manifest,
      records: artifacts["receipts.json"],
      windows: artifacts["windows.json"],
      checkpoints: [changed],
      witnesses: { ...artifacts["witnesses.json"], statements: [] },
      prior: { window_count: firstWindow - 1, frontier: frontierOf(evidence.windows.slice(0, firstWindow - 1)) },
      key_hints,
      key_endorsements: [],
    });
    assert.ok(codes(resealed).includes("checkpoint_root_mismatch"), `${codes(resealed)}`);
  });
}
