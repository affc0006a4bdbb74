/** Evidence of vaults that must not pass, on the page: it shows the verdict and the code. */
import assert from "node:assert/strict";
import { badVaults, tooLongBundle } from "@svc/testkit/evidence/bad-vaults";
import { TIMEOUT_MS } from "@svc/testkit/runtimes";
import { clear, FILE_URL, give, pageTest, pin, put, savedReport, word } from "./page.ts";

const bad = await badVaults();

pageTest("nothing of it passes, from the disk", { url: FILE_URL }, async (page) => {
  for (const [name, { text, trust, kind, verdict, code }] of Object.entries(bad)) {
    // The page finds the kind itself, and a list is of none.
    if (text.startsWith("[")) continue;
    await give(page, put("bad.trust.json", JSON.stringify(trust)), put("bad.json", text));
    assert.match(await word(page), new RegExp(verdict, "i"), name);
    const report = await savedReport(page);
    const problems = report.problems as { code: string }[];
    assert.deepEqual([report.kind, problems.some((one) => one.code === code)], [kind, true], name);
    await clear(page);
  }
});

pageTest("a bundle of envelopes of 256 MiB + 1 is rejected", {}, async (page) => {
  // Its text alone takes a page half a minute on a busy machine.
  page.setDefaultTimeout(TIMEOUT_MS);
  await pin(page, bad["61 names"]?.trust.signers[0]?.public_key_hex ?? "");
  await give(page, put("long.json", await tooLongBundle()));
  assert.match(await word(page), /REJECTED/);
});
