/** The functions for scripts: on the page, and as a typed module. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { FILE_URL, KEY, PAGE_PATH, pageTest } from "./page.ts";

pageTest("scripts have the same verifier, and no way in without bytes", {}, async (page) => {
  const { input } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/bundle/good.json", import.meta.url), "utf8"),
  );
  const receipt = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"),
  ).input;
  const answers = await page.evaluate(
    async ([bundle = "", one = "", key = ""]) => {
      const { verify, verifyReceipt, verifyInclusion, verifyCheckpointRoot, verifyCompleteness } = svcVerify;
      const under = { publicKeysHex: [key] };
      const checkpoint = JSON.stringify(JSON.parse(bundle).artifacts["checkpoints.json"][0]);
      return [
        Object.keys(svcVerify).sort().join(),
        (await verify(bundle, under)).verdict,
        (await verify(bundle)).verdict,
        (await verifyReceipt(one, under)).verdict,
        (await verifyReceipt(bundle, under)).verdict,
        (await verifyInclusion(one, under)).verdict,
        (await verifyCheckpointRoot(checkpoint, under)).verdict,
        (await verifyCompleteness(bundle, { from: 1, to: 10 }, under)).verdict,
        (await verifyCompleteness(bundle, { to: 11 }, under)).problems[0]?.code,
        await verify(bundle, { publicKeysHex: ["zz"] }).catch(({ name }) => name),
      ];
    },
    [input, receipt, KEY],
  );
  assert.deepEqual(answers, [
    "verify,verifyCheckpointRoot,verifyCompleteness,verifyInclusion,verifyReceipt",
    "verified",
    "untrusted",
    "verified",
    "rejected",
    "rejected",
    "verified",
    "verified",
    "range_incomplete",
    "TypeError",
  ]);
});

test("the same as a module, built for scripts, and no word of credentials in either", async () => {
  const module = await import(new URL("svc-verify.mjs", new URL(FILE_URL)).href);
  const { input } = JSON.parse(
    readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"),
  );
  const report = await module.verifyReceipt(input, { publicKeysHex: [KEY] });
  assert.deepEqual([report.verdict, report.kind], ["verified", "receipt"]);
  for (const file of [PAGE_PATH, PAGE_PATH.replace("verify.html", "svc-verify.mjs")])
    assert.doesNotMatch(
      readFileSync(file, "utf8"),
      /authorization|bearer|credentials|\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/i,
    );
});

declare const svcVerify: typeof import("../src/api.ts");
