/** The wrong calls of the page's adapter, before a browser starts. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";

test("a call without a Chromium that is there is a wrong one", () => {
  const adapter = fileURLToPath(new URL("../page.mjs", import.meta.url));
  for (const words of [[], ["--chromium", "/nowhere/chromium", "--page", adapter]]) {
    const { status, stderr } = spawnSync(process.execPath, [adapter, ...words], { encoding: "utf8" });
    assert.equal(status, 64);
    assert.match(stderr, /^usage: node page\.mjs /m);
  }
});
