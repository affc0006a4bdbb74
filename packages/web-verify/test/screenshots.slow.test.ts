/**
 * A picture of each verdict, wide and on a phone, as docs/verify-page.md shows them. `UPDATE_SCREENSHOTS=1` takes new
 * ones, for people to check; otherwise each must be there, be small, and show the page at the width at which it was
 * taken.
 */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";
import type { Page } from "playwright-core";
import { give, KEY, pageTest, pin, putFixture } from "./page.ts";

const FOLDER = new URL("../../../docs/verify-page/", import.meta.url);
const MAX_BYTES = 150_000;
const QUALITY = 60;

const SHOTS: Readonly<Record<string, (page: Page) => Promise<void>>> = {
  verified: async (page) => {
    await pin(page, KEY);
    await give(page, putFixture("bundle/good"));
  },
  untrusted: (page) => give(page, putFixture("portable-receipt/good")),
  rejected: async (page) => {
    await pin(page, KEY);
    await give(page, putFixture("bundle/payload-edited"));
  },
};
const SCREENS = {
  desktop: { viewport: { width: 900, height: 1500 }, colorScheme: "light" },
  phone: { viewport: { width: 390, height: 1500 }, colorScheme: "dark" },
} as const;

for (const [verdict, reach] of Object.entries(SHOTS)) {
  for (const [screen, options] of Object.entries(SCREENS)) {
    pageTest(`${verdict}, ${screen}`, options, async (page) => {
      await reach(page);
      const file = new URL(`${verdict}-${screen}.jpg`, FOLDER);
      const image = await page.screenshot({ type: "jpeg", quality: QUALITY });
      if (process.env.UPDATE_SCREENSHOTS === "1") writeFileSync(file, image);
      const committed = readFileSync(file);
      assert.equal(widthOf(committed), widthOf(image));
      assert.ok(committed.length < MAX_BYTES, `${committed.length} bytes`);
      assert.ok((await page.locator(".verdict .word").textContent())?.includes(verdict.toUpperCase()));
    });
  }
}

/** Returns the width in the frame header of a JPEG. */
function widthOf(jpeg: Buffer): number {
  for (let at = 2; at + 9 < jpeg.length; at += 2 + jpeg.readUInt16BE(at + 2)) {
    assert.equal(jpeg[at], 0xff, "a JPEG marker");
    if (jpeg[at + 1] === 0xc0 || jpeg[at + 1] === 0xc2) return jpeg.readUInt16BE(at + 7);
  }
  return assert.fail("a JPEG with a frame");
}
