/**
 * The kernel in a real browser: pages from a server and from a file, and their workers, under strict content security
 * policies.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { HAS_CHROMIUM, launchBrowser } from "@svc/testkit/chromium";
import { type Served, serve } from "@svc/testkit/file-server";
import { runtimeTest } from "@svc/testkit/runtimes";
import type { Page } from "playwright-core";
import { bundle, FOLDER, KERNEL_COPY } from "./bundle.ts";
import type { PageRuns } from "./entry.page.ts";
import { assertCompiled, assertHandedOver, assertUnavailable, CASES, KERNEL_BYTES } from "./expected.ts";

declare const kernelRuns: PageRuns;

const script = readFileSync(await bundle("page"), "utf8");
/** Everything that is not named is forbidden: inline scripts, eval, other origins. */
const STRICT = "default-src 'none'; script-src 'self'; worker-src 'self'; connect-src 'self'";
const WITH_WASM = STRICT.replace("script-src 'self'", "script-src 'self' 'wasm-unsafe-eval'");

const CASES_TEXT = JSON.stringify(CASES);

const { origin, stop } = await serve({
  "/allowed/": page(WITH_WASM),
  "/allowed/page.js": { type: "text/javascript", body: script, policy: WITH_WASM },
  "/forbidden/": page(STRICT),
  "/forbidden/page.js": { type: "text/javascript", body: script, policy: STRICT },
  "/kernel.wasm": { type: "application/wasm", body: KERNEL_BYTES },
});
after(stop);
const browser = HAS_CHROMIUM ? await launchBrowser(FOLDER) : null;
after(() => browser?.close());

browserTest("a page from a server, under a policy with 'wasm-unsafe-eval'", async (tab) => {
  await tab.goto(`${origin}/allowed/`);
  const runs = await tab.evaluate((cases) => kernelRuns.inPage(cases, "/kernel.wasm"), CASES_TEXT);
  assert.match(runs.runtime, /Chrome\/\d+/);
  assertCompiled(runs);
});

browserTest("a worker of that page, with the module and the bytes of the page", async (tab) => {
  await tab.goto(`${origin}/allowed/`);
  const { handedOver, runs } = await tab.evaluate((cases) => kernelRuns.inWorker(cases), CASES_TEXT);
  assertHandedOver(handedOver);
  assertCompiled(runs);
});

browserTest(
  "a page that is one file, from the disk, with the kernel from a file input; and its worker",
  async (tab) => {
    const file = join(FOLDER, "page.html");
    writeFileSync(
      file,
      `<!doctype html><meta charset="utf-8"><link rel="icon" href="data:,"><input ` +
        `type="file"><script>${script}</script>`,
    );
    await tab.goto(pathToFileURL(file).href);
    await tab.setInputFiles("input", KERNEL_COPY);
    assertCompiled(await tab.evaluate((cases) => kernelRuns.inPage(cases, null), CASES_TEXT));
    const { handedOver, runs } = await tab.evaluate((cases) => kernelRuns.inWorker(cases), CASES_TEXT);
    assertHandedOver(handedOver);
    assertCompiled(runs);
  },
);

browserTest(
  "a policy without 'wasm-unsafe-eval': the reference verifies, and the error names what is missing",
  async (tab) => {
    await tab.goto(`${origin}/forbidden/`);
    const runs = await tab.evaluate((cases) => kernelRuns.inPage(cases, "/kernel.wasm"), CASES_TEXT);
    assertUnavailable(
      runs,
      /^The compiled kernel cannot run here: .*A page needs 'wasm-unsafe-eval' in the script-src of its/,
    );
  },
);

/** Runs a test in a separate page. It fails for an error or a failed request that the test does not catch. */
function browserTest(name: string, run: (tab: Page) => Promise<void>): void {
  runtimeTest(name, browser, async (running) => {
    const tab = await running.newPage();
    const faults: string[] = [];
    tab.on("pageerror", ({ message }) => faults.push(message));
    tab.on("requestfailed", (request) => faults.push(request.url()));
    try {
      await run(tab);
      assert.deepEqual(faults, []);
    } finally {
      await tab.close();
    }
  });
}

function page(policy: string): Served {
  const body = '<!doctype html><meta charset="utf-8"><script src="page.js"></script>';
  return { type: "text/html; charset=utf-8", body, policy };
}
