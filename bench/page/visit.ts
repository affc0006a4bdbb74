/**
 * One visit of the page: the cost of a file from drop to verdict, in time, in tasks of the page's own thread, and in
 * memory.
 */
import { readFileSync } from "node:fs";
import type { Browser, CDPSession } from "playwright-core";
import { expectAnswer } from "../measure.ts";

/** The cost of a file. */
export interface Taken {
  /** From the drop to the verdict on the page. */
  readonly ms: number;
  /** From the page's load to the verdict. */
  readonly sinceLoadMs: number;
  /** The longest task of the page's own thread; 0 if none took 50 ms, because browsers report no shorter ones. */
  readonly longestTaskMs: number;
  /** The peak memory of the page's process, minus its memory before. */
  readonly memoryBytes: number;
}

export interface Visit {
  /** Gives the page a file that must verify. Throws WrongAnswer. */
  give(file: string): Promise<Taken>;
  close(): Promise<void>;
}

/** Notes when the page says that it is done, and each long task. It is text, because it runs in the page. */
const OBSERVE = `
  window.bench = { done: 0, longest: 0 };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) window.bench.longest = Math.max(window.bench.longest, duration);
  }).observe({ type: "longtask" });
  addEventListener("DOMContentLoaded", () => {
    new MutationObserver(() => {
      if (document.documentElement.dataset.state === "done") window.bench.done = performance.now();
    }).observe(document.documentElement, { attributes: true });
    addEventListener("change", () => { window.bench.given = performance.now(); window.bench.longest = 0; }, true);
  });`;

/** Opens the page in its own process. */
export async function openPage(browser: Browser, url: string): Promise<Visit> {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.addInitScript(OBSERVE);
  await page.goto(url);
  const session = await browser.newBrowserCDPSession();
  return {
    async give(file) {
      const before = await rendererBytes(session, "VmRSS");
      await page.setInputFiles("#file", file);
      await page.waitForSelector("html[data-state=done],html[data-state=failed]", {
        state: "attached",
        timeout: 600_000,
      });
      // The key came with the page's address, so the page's mark is half filled.
      expectAnswer(file, (await page.locator(".verdict .word").textContent())?.trim() ?? "", "◐ VERIFIED");
      const taken = (await page.evaluate(
        "({ ...window.bench, load: performance.getEntriesByType('navigation')[0].loadEventEnd })",
      )) as { done: number; given: number; longest: number; load: number };
      return {
        ms: taken.done - taken.given,
        sinceLoadMs: taken.done - taken.load,
        longestTaskMs: taken.longest,
        memoryBytes: (await rendererBytes(session, "VmHWM")) - before,
      };
    },
    async close() {
      await session.detach();
      await context.close();
    },
  };
}

/** Resolves to the size of the largest browser process that draws pages, in bytes: the open page's. */
async function rendererBytes(session: CDPSession, field: "VmRSS" | "VmHWM"): Promise<number> {
  const { processInfo } = await session.send("SystemInfo.getProcessInfo");
  const sizes = processInfo
    .filter(({ type }) => type === "renderer")
    .map(({ id }) => {
      const [, kib = "0"] =
        new RegExp(`^${field}:\\s+(\\d+) kB$`, "m").exec(readFileSync(`/proc/${id}/status`, "utf8")) ?? [];
      return Number(kib) * 1024;
    });
  return Math.max(...sizes);
}
