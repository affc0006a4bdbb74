/** The roles of dropped files: broken evidence is never taken for a trust policy, nor a trust policy for evidence. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { referenceKernel } from "@svc/core/reference-kernel";
import { prepareFiles } from "../src/engine/prepare.ts";

const THREAD = { progress: () => undefined, pause: () => Promise.resolve() };
const GOOD = JSON.parse(readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"));

/** Returns the role of a file with this JSON, alone. */
async function roleOf(value: object) {
  const files = [{ name: "file.json", blob: new Blob([JSON.stringify(value)]) }];
  const {
    files: [one],
    trust,
  } = await prepareFiles(referenceKernel, files, { pinned: [], fromLink: [] }, null, THREAD);
  assert.ok(one !== undefined);
  return { role: one.role === "none" ? one.outcome.role : one.role, trust };
}

test("evidence within other JSON that was given signers is still evidence, and pins nobody", async () => {
  const receipt = JSON.parse(GOOD.input);
  for (const around of [{ of: receipt }, { known_checkpoints: [receipt] }, { event_hash: receipt.event_hash }])
    assert.deepEqual(await roleOf({ ...around, signers: [] }), { role: "evidence", trust: undefined });
});

test("a trust policy is one, also with a fault and with checkpoints that are known", async () => {
  for (const more of [{}, { quorum: 1 }, { known_checkpoints: [{ checkpoint_root: "0".repeat(64) }] }])
    assert.equal((await roleOf({ signers: [], ...more })).role, "trust");
});
