/**
 * A reader's way through the page: nothing cut at any width, the verdict first, the rest folded, all of it usable by
 * keyboard.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { give, KEY, pageTest, pin, put, putFixture, unfold } from "./page.ts";

const good = putFixture("bundle/good");
const changed = putFixture("bundle/payload-edited");
const receipt = putFixture("receipt/good");

/** A name, a type and a source of the greatest length, and without a place to break. */
const long = put(
  `${"x".repeat(240)}.json`,
  JSON.stringify({
    ...JSON.parse(readFileSync(receipt, "utf8")),
    event_type: "t".repeat(128),
    source_ref: "s".repeat(300),
    seq_no: 9_007_199_254_740_991,
  }),
);

/**
 * Returns every text that is cut: it is wider than the screen or its container. It is text, because it runs in the
 * page.
 */
const CUT = `() => [...document.querySelectorAll("main *, footer *")].flatMap((element) => {
  const { left, right, width } = element.getBoundingClientRect();
  if (width <= 1 || element.closest(".unseen, [hidden]")) return [];
  const isOut = left < -0.5 || right > innerWidth + 0.5;
  const isCut = getComputedStyle(element).overflowX !== "visible" && element.scrollWidth > element.clientWidth + 1;
  return isOut || isCut ? [element.tagName + " " + element.className + ": " + element.textContent.slice(0, 40)] : [];
})`;

for (const width of [320, 360, 480, 640, 768, 1100]) {
  pageTest(`nothing is cut, ${width} pixels wide`, { viewport: { width, height: 700 } }, async (page) => {
    const cut = () => page.evaluate(`(${CUT})()`);
    assert.deepEqual(await cut(), []);
    await page.click("footer summary");
    await pin(page, KEY);
    await give(page, good);
    await page.locator("#events tbody button").first().click();
    await page.locator(".payload pre").waitFor();
    for (const id of ["checks", "words"]) await page.click(`#${id} summary`);
    await unfold(page);
    assert.deepEqual(await cut(), []);
    await give(page, changed, receipt, long, put("march.truth.zip", readFileSync(putFixture("truth-package/good"))));
    assert.deepEqual(await cut(), []);
    await page.click("#files tr[data-file='3'] button");
    await page.locator(".verdict .file", { hasText: /xxx/ }).waitFor();
    assert.deepEqual(await cut(), []);
  });
}

pageTest("an empty page says for whom it is, and nothing of what comes later", {}, async (page) => {
  const seen = async (text: string) => (await page.locator(`:text("${text}"):visible`).count()) > 0;
  assert.ok(await seen("You were sent a receipt or a bundle. Drop it here to see whether it is unchanged."));
  assert.ok(await seen("Checked in this page. Nothing is sent."));
  for (const later of ["Start afresh", "Remember these keys", "sha256-"]) assert.ok(!(await seen(later)), later);
});

pageTest("after a verdict the form is one line behind it, and focus stands on the verdict", {}, async (page) => {
  await pin(page, KEY);
  await give(page, good);
  assert.equal(await page.locator("#ask-line").textContent(), "Check another file · 1 key pinned");
  assert.ok(await page.locator("#drop").isHidden());
  assert.equal(await page.evaluate("document.activeElement.id"), "verdict-sentence");
  assert.ok(
    await page.evaluate(`document.querySelector("#verdict-sentence").compareDocumentPosition(
    document.querySelector("#ask")) === Node.DOCUMENT_POSITION_FOLLOWING`),
  );
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  assert.ok(await page.locator("#drop").isVisible());
  await give(page, changed);
  assert.ok(await page.locator("#drop").isHidden(), "folded again");
  assert.equal(
    await page.evaluate("document.activeElement.id"),
    "files-title",
    "of several files no verdict stands alone",
  );
  await unfold(page);
  await page.click("#clear");
  assert.ok(await page.locator("#drop").isVisible());
  assert.ok(await page.locator("#ask-line").isHidden());
  assert.equal(await page.evaluate("document.activeElement.id"), "file");
});

pageTest("without a key the line asks for one first", {}, async (page) => {
  await give(page, good);
  assert.equal(await page.locator("#ask-line").textContent(), "Pin a key, or check another file");
});

pageTest("of a rejected file the reason is above the picture, and the ladder is there", {}, async (page) => {
  await give(page, changed);
  const top = async (id: string) => (await page.locator(id).boundingBox())?.y ?? assert.fail(id);
  const tops = [await top(".verdict"), await top("#problems"), await top("#ladder"), await top("#chain")];
  assert.deepEqual(
    tops.toSorted((a, b) => a - b),
    tops,
  );
});

pageTest("one receipt shows its payload, and no lone tick", {}, async (page) => {
  await pin(page, KEY);
  await give(page, receipt);
  await page.locator(".payload pre", { hasText: /^\{"amount":/ }).waitFor();
  const text = (await page.locator("#events").textContent()) ?? "";
  assert.match(text, /2026-03-01T09:30:00\+01:00, according to the file/);
  assert.match(text, /1 Mar 2026, 00:00:01 UTC/);
  assert.equal(await page.locator("#chain, .filters:visible").count(), 0);
});

pageTest("an event opens and closes in its place; a payload that is left out says so", {}, async (page) => {
  const bare = JSON.parse(readFileSync(receipt, "utf8"));
  delete bare.payload;
  delete bare.payload_salt;
  await give(page, good);
  const first = page.locator("#events tbody button").first();
  await first.click();
  await page.locator("#events tr:nth-child(2).open pre").waitFor();
  await first.click();
  assert.equal(await page.locator("#events .open").count(), 0);
  assert.equal(await first.getAttribute("aria-expanded"), "false");
  await unfold(page);
  await page.click("#clear");
  await give(page, put("bare.json", JSON.stringify(bare)));
  await page.locator(".payload", { hasText: "The file does not hold the payload." }).waitFor();
});

pageTest("files stand with the worst first, and a short name on one line", {}, async (page) => {
  await pin(page, KEY);
  const names = ["march.bundle.json", "receipt-2026-03.json", "tampered.json", "login.html"] as const;
  const [march, second, tampered, login] = names;
  await give(
    page,
    put(march, readFileSync(good)),
    put(second, readFileSync(receipt)),
    put(tampered, readFileSync(changed)),
    put(login, "<!doctype html><p>Sign in</p>"),
  );
  assert.deepEqual(await page.locator("#files tbody td:first-child").allTextContents(), [
    tampered,
    login,
    march,
    second,
  ]);
  assert.match((await page.locator("#files tbody tr").first().textContent()) ?? "", /A payload is not the one/);
  const lines = await page.evaluate(`[...document.querySelectorAll("#files tbody td:first-child")].map((cell) => {
    const range = document.createRange();
    range.selectNodeContents(cell.querySelector("button")?.firstChild ?? cell.firstChild);
    return range.getClientRects().length;
  })`);
  assert.deepEqual(lines, [1, 1, 1, 1]);
});

pageTest("where no file has a verdict the form stays, and can start afresh", {}, async (page) => {
  await give(page, put("login.html", "<!doctype html><p>Sign in</p>"));
  assert.ok(await page.locator("#drop").isVisible());
  assert.ok(await page.locator("#lead").isHidden());
  await page.click("#clear");
  assert.equal(await page.locator("#files").count(), 0);
  assert.ok(await page.locator("#lead").isVisible());
});

pageTest("many files are listed as far as a reader looks, and all on demand", {}, async (page) => {
  await give(page, ...Array.from({ length: 30 }, (_, at) => put(`${at}.json`, `{"n":${at}}`)));
  assert.equal(await page.locator("#files tbody tr:visible").count(), 20);
  await page.getByRole("button", { name: "Show all 30 files" }).click();
  assert.equal(await page.locator("#files tbody tr:visible").count(), 30);
});

pageTest("each check is closed, and is on paper where it was opened", {}, async (page) => {
  await give(page, good);
  const table = page.locator("#checks table");
  assert.ok(await table.isHidden());
  await page.emulateMedia({ media: "print" });
  assert.ok(await page.locator("#checks summary").isHidden(), "nothing of what is closed");
  assert.ok(await page.locator("#ask").isHidden());
  await page.emulateMedia({ media: "screen" });
  await page.click("#checks summary");
  await page.emulateMedia({ media: "print" });
  assert.ok(await table.isVisible());
});
