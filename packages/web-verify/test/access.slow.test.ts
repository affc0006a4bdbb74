/**
 * Nobody is kept out: axe-core finds nothing in any state, light and dark, wide and on a phone; and nothing is wider
 * than the screen.
 */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { give, KEY, pageTest, pin, put, putFixture, saved } from "./page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

const STATES: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  "before a file": async () => undefined,
  "a wrong key": (page) => pin(page, "xyz"),
  untrusted: (page) => give(page, putFixture("bundle/good")),
  verified: async (page) => {
    await pin(page, KEY);
    await give(page, putFixture("portable-receipt/good"));
  },
  "rejected, a payload open": async (page) => {
    await give(page, putFixture("bundle/payload-edited"));
    await page.locator("#events tbody button").first().click();
    await page.locator(".payload pre").waitFor();
  },
  "several files": (page) =>
    give(page, putFixture("receipt/good"), putFixture("truth-package/good"), put("login.html", "<p>Sign in")),
};

const SCREENS = [
  { colorScheme: "light", viewport: { width: 1100, height: 900 } },
  { colorScheme: "dark", viewport: { width: 390, height: 844 } },
] as const;

for (const screen of SCREENS) {
  for (const [name, reach] of Object.entries(STATES)) {
    pageTest(`${name}, ${screen.colorScheme}, ${screen.viewport.width} pixels wide`, screen, async (page) => {
      await reach(page);
      assert.deepEqual(await violations(page), []);
      const [shown, wide] = (await page.evaluate(
        "[document.documentElement.scrollWidth, document.documentElement.clientWidth]",
      )) as [number, number];
      assert.ok(shown <= wide, `${shown} of ${wide}`);
    });
  }

  pageTest(`the saved report, ${screen.colorScheme}`, { ...screen, javaScriptEnabled: true }, async (page) => {
    await give(page, putFixture("bundle/good"));
    const report = await saved(page, "Save the report as a page");
    const other = await page.context().newPage();
    await other.setContent(report);
    assert.deepEqual(await violations(other), []);
  });
}

/** Returns the findings of axe-core, one line each. */
async function violations(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
  const found = await page.evaluate("axe.run(document)");
  return (found as Found).violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id}: ${target.join(" ")}: ${failureSummary.slice(0, 300)}`),
  );
}

interface Found {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly { readonly target: readonly string[]; readonly failureSummary: string }[];
  }[];
}
