/**
 * The report that the page saves equals the report of `svc report`, byte for byte, for the same file, keys and time.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import { copyBuilt } from "@svc/testkit/built";
import type { Page } from "playwright-core";
import { FOLDER, give, KEY, type Opening, ORIGIN, pageTest, pin, put, putFixture, saved } from "./page.ts";

const SVC = join(FOLDER, "svc.mjs");
/** Both get the same time, and nothing takes any time. */
const STOP_CLOCKS = `Date.prototype.toISOString = () => "2026-03-31T23:58:11.000Z"; performance.now = () => 0;`;
const CLOCKS = put("clocks.mjs", STOP_CLOCKS);
/** On a page without workers, the page's clock is the engine's. */
const ON_PAGE: Opening = { url: `${ORIGIN}/no-worker.html`, blocked: /[Ww]orker/ };

await copyBuilt("cli", FOLDER);

for (const [what, name, keys, verdict, how] of [
  ["a verified bundle", "bundle/good", [KEY], "VERIFIED"],
  ["a bundle of nobody's", "bundle/good", [], "UNTRUSTED"],
  ["a rejected bundle", "bundle/payload-edited", [KEY], "REJECTED"],
  ["a truth package", "truth-package/good", [KEY], "VERIFIED"],
  ["a bundle without its payloads", "bundle/good", [KEY], "VERIFIED", "without payloads"],
] as const) {
  pageTest(`of ${what} both save the same bytes`, ON_PAGE, async (page) => {
    const file = putFixture(name);
    const payloads = how === undefined;
    const html = await savedByPage(page, file, keys, payloads);
    assert.equal(/"amount":\d/.test(html), payloads);
    assert.ok(html.includes(` ${verdict}: ${basename(file)}</title>`));
    assert.ok(html.includes("31 Mar 2026, 23:58:11 UTC, by the clock of the machine"));
    assert.equal(html, savedBySvc(file, keys, payloads));
  });
}

async function savedByPage(page: Page, file: string, keys: readonly string[], payloads: boolean): Promise<string> {
  await page.evaluate(STOP_CLOCKS);
  for (const key of keys) await pin(page, key);
  await give(page, file);
  await page.getByLabel("The saved page has the payloads").setChecked(payloads);
  return saved(page, "Save the report as a page");
}

function savedBySvc(file: string, keys: readonly string[], payloads: boolean): string {
  const html = `${file}.html`;
  const pins = keys.flatMap((key) => ["--public-key-hex", key]);
  const args = [
    "--import",
    pathToFileURL(CLOCKS).href,
    SVC,
    "report",
    "--file",
    file,
    "--html",
    html,
    "--force",
    ...(payloads ? [] : ["--no-payloads"]),
    ...pins,
  ];
  const { stderr } = spawnSync(process.execPath, args, { encoding: "utf8", env: { HOME: FOLDER } });
  assert.equal(stderr, "");
  return readFileSync(html, "utf8");
}
