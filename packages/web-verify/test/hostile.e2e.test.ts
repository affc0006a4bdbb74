/** Files, names and links made to deceive: text stays text, nothing looks better than it is, and the page lives on. */
import assert from "node:assert/strict";
import { bundleOf, issueStream, SERVICE } from "../../core/test/service.ts";
import { give, pageTest, pin, put, saved, word } from "./page.ts";

const MARKUP = `"><img src=x onerror="document.title='owned'"><script>document.title='owned'</script>`;
const BIDI = "invoice\u202egnp.exe\u2066\u200b\u0000\ud800";

pageTest("text of a file stays text: markup, bidi, ten megabytes; its name too", {}, async (page) => {
  const evidence = await issueStream(3);
  const bundle = JSON.parse(JSON.stringify(await bundleOf(evidence)));
  const [first, second, third] = bundle.artifacts["receipts.json"];
  first.source_ref = MARKUP;
  first.event_type = MARKUP;
  second.source_ref = BIDI.slice(0, -1);
  third.source_ref = "x".repeat(10_000_000);
  bundle.payloads[first.stream_event_id].payload = {
    html: MARKUP,
    bidi: BIDI.slice(0, -1),
    long: "y".repeat(10_000_000),
  };
  const hostile = put(`${MARKUP.replaceAll("/", "")}.json`, JSON.stringify(bundle));
  await pin(page, SERVICE.publicKeyHex);
  await give(page, hostile);
  assert.match(await word(page), /REJECTED/);
  await page.locator("#events tbody button").first().click();
  await page.locator(".payload pre").waitFor();
  const text = (await page.locator(".payload").textContent()) ?? "";
  // Not the text itself, of which a failure would print all.
  assert.ok(text.includes("of which the first 50,000 are shown") && text.includes("\\u202e"));
  const shown = (await page.locator("main").textContent()) ?? "";
  assert.ok(!/[\u202e\u2066\u200b]/.test(shown));
  assert.ok(shown.includes(`<img src=x onerror="document.title='owned'">`));
  assert.equal(await page.locator("#result img, #result script, #files-place img").count(), 0);
  assert.ok(!(await page.title()).includes("owned") || (await page.title()).startsWith("REJECTED"));
  assert.ok(shown.length < 120_000, `${shown.length}`);
  const html = await saved(page, "Save the report as a page");
  assert.ok(!/<img|<script|[\u202e\u2066]/.test(html));
});
