/** Large files: progress, cancelling, and every row in reach; in a worker, and on the page without workers. */
import assert from "node:assert/strict";
import { issueTruthPackage, selectKernel } from "@svc/core";
import { bundleOf, issueStream, SERVICE } from "@svc/testkit/evidence/service";
import { packageInput } from "@svc/testkit/evidence/truth-packages";
import { give, ORIGIN, pageTest, pin, put, state, word } from "./page.ts";

pageTest(
  "a large bundle: progress, cancelled without a verdict, then whole, and every row can be reached",
  {},
  async (page) => {
    const evidence = await issueStream(30_000, { perWindow: 1000, perCheckpoint: 10 });
    const large = put("large.bundle.json", selectKernel().canonicalize((await bundleOf(evidence)) as never));
    await pin(page, SERVICE.publicKeyHex);
    await page.evaluate(() => {
      document.documentElement.dataset.state = "given";
    });
    await page.setInputFiles("#file", large);
    await page.locator("#phase", { hasText: /large\.bundle\.json/ }).waitFor();
    await page.click("#cancel");
    await state(page, "cancelled");
    assert.equal(await page.locator(".verdict").count(), 0);
    await give(page, large);
    assert.match(await word(page), /VERIFIED/);
    await page.click("#events button[value=Last]");
    await page.locator("#events tbody td:first-child", { hasText: /^30,000$/ }).waitFor();
    await page.click("#events button[value=Previous]");
    await page.locator("#events tbody td:first-child", { hasText: /^29,961$/ }).waitFor();
    await page.fill("#events [name=text]", "15,000");
    await page.locator("#events tbody td:first-child", { hasText: /^15,000$/ }).waitFor();
  },
);

/** Returns a package of 4000 events of one stream. */
async function largePackage(): Promise<string> {
  const [bundle, input] = [await bundleOf(await issueStream(4000, { perWindow: 1000 })), await packageInput()];
  const ranges = [{ stream_id: bundle.manifest.stream_id, from_seq_no: 1, to_seq_no: 4000 }];
  const bytes = await issueTruthPackage(selectKernel(), SERVICE, { ...input, ranges, bundles: [bundle] });
  return put("large.package.zip", bytes);
}

for (const [where, opening] of [
  ["in a worker", {}],
  ["on the page", { url: `${ORIGIN}/no-worker.html`, blocked: /[Ww]orker/ }],
] as const) {
  pageTest(
    `a large truth package ${where}: progress, cancelled without a verdict, then whole`,
    opening,
    async (page) => {
      await pin(page, SERVICE.publicKeyHex);
      const file = await largePackage();
      await page.evaluate(CANCEL_AT_FIRST_PROGRESS);
      await page.setInputFiles("#file", file);
      await state(page, "cancelled");
      assert.equal(await page.locator(".verdict").count(), 0);
      await give(page, file);
      assert.match(await word(page), /● VERIFIED/);
      assert.equal(await page.locator("#events [data-part=count]").textContent(), "1 to 20 of 4,000 shown");
    },
  );
}

/** Presses Cancel as soon as the bar shows that a part is done. It is text, because it runs in the page. */
const CANCEL_AT_FIRST_PROGRESS = `(() => {
  const bar = document.querySelector("#bar");
  const observer = new MutationObserver(() => {
    if (bar.value === 0 || bar.value >= bar.max) return;
    observer.disconnect();
    document.querySelector("#cancel").click();
  });
  observer.observe(bar, { attributes: true });
})()`;

declare const document: {
  readonly documentElement: { readonly dataset: { state: string } };
};
