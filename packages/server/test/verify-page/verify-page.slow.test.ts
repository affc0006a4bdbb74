/**
 * /verify.html: the built page byte for byte, with its own policy as a header, and a verdict in a real browser under
 * both.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { builtPage, pageInPlace } from "@svc/testkit/built";
import { HAS_CHROMIUM, launchBrowser } from "@svc/testkit/chromium";
import { runtimeTest } from "@svc/testkit/runtimes";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";

await pageInPlace();
const { html, policy } = await builtPage();

test("the page is sent as it was built, and its headers say what it says of itself", async (t) => {
  const { client } = await startServer(t);
  const { status, text, headers } = await client.get("/verify.html");
  assert.equal(status, 200);
  assert.equal(text, html);
  assert.equal(headers.get("content-type"), "text/html; charset=utf-8");
  assert.equal(headers.get("content-security-policy"), `${policy}; frame-ancestors 'none'`);
  assert.equal(headers.get("x-content-type-options"), "nosniff");
  assert.equal(headers.get("referrer-policy"), "no-referrer");
  assert.match((await client.get("/docs")).text, /<a href="\/verify\.html">/);
});

runtimeTest(
  "a receipt of the running server is verified by the page that it serves",
  HAS_CHROMIUM ? true : null,
  async () => {
    const folder = mkdtempSync(join(tmpdir(), "svc-served-page-"));
    const cleanups: (() => unknown)[] = [() => rmSync(folder, { recursive: true })];
    try {
      const { client, made } = await startServer({ after: (run: () => unknown) => cleanups.unshift(run) } as never);
      const { body } = await client.append(made.stream_id, loan(1), "one");
      const { body: keys } = await client.get("/v2/keys");
      const file = join(folder, "loan.receipt.json");
      writeFileSync(file, JSON.stringify(body));
      const browser = await launchBrowser(folder);
      cleanups.unshift(() => browser.close());
      const page = await browser.newPage();
      const faults: string[] = [];
      page.on("console", (message) => faults.push(message.text()));
      page.on("pageerror", ({ message }) => faults.push(message));
      await page.goto(`${client.url}/verify.html#key=${keys.keys[0].public_key_hex}`);
      await page.setInputFiles("#file", file);
      await page.waitForSelector("html[data-state=done]", { state: "attached" });
      assert.match((await page.locator(".verdict .word").textContent()) ?? "", /VERIFIED/);
      assert.deepEqual(faults, []);
    } finally {
      for (const run of cleanups) await run();
    }
  },
);

test("the file on the disk is that page too", () => {
  assert.equal(readFileSync(new URL("../../../web-verify/dist/verify.html", import.meta.url), "utf8"), html);
});
