/**
 * The built page in a real Chromium, from a server under its own policy or from the disk; each request and each
 * violation is a fault.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { pathToFileURL } from "node:url";
import { builtPage, copyBuilt } from "@svc/testkit/built";
import { HAS_CHROMIUM, launchBrowser } from "@svc/testkit/chromium";
import { serve } from "@svc/testkit/file-server";
import { runtimeTest } from "@svc/testkit/runtimes";
import { transform } from "esbuild";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import type { BuiltPage } from "../build.ts";

/** The folder for evidence; it is deleted when the tests are done. */
export const FOLDER: string = realpathSync(mkdtempSync(join(tmpdir(), "svc-page-")));
export const PAGE_PATH: string = join(FOLDER, "verify.html");
await copyBuilt("page", FOLDER);
export const PAGE: BuiltPage = await builtPage();

/** The key that seals the good fixtures. */
export const KEY = "7a6945e6d54dba953d775fce178ae5bc73ce1b3893b0af1d322b2b720c43adc7";

const html = readFileSync(PAGE_PATH);
const type = "text/html; charset=utf-8";
const script = "text/javascript; charset=utf-8";
const [, example = ""] =
  /```ts\n([\s\S]*?)```/.exec(readFileSync(new URL("../README.md", import.meta.url), "utf8")) ?? [];
/** The example of the README, unchanged. */
export const EXAMPLE: string = example;

/** The page with its own policy as a header, and with parts of the policy removed: the stricter one counts. */
const { origin, stop } = await serve({
  "/verify.html": { type, body: html, policy: PAGE.policy },
  "/no-wasm.html": { type, body: html, policy: PAGE.policy.replace(" 'wasm-unsafe-eval'", "") },
  "/no-worker.html": { type, body: html, policy: PAGE.policy.replace("worker-src blob:", "worker-src 'none'") },
  "/neither.html": {
    type,
    body: html,
    policy: PAGE.policy.replace(" 'wasm-unsafe-eval'", "").replace("worker-src blob:", "worker-src 'none'"),
  },
  // Somebody else's page, with the module and the README's example.
  "/other.html": {
    type,
    body: `<!doctype html><html data-state="ready"><title>Another page</title>`,
    policy: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'",
  },
  "/svc-verify.mjs": { type: script, body: readFileSync(join(FOLDER, "svc-verify.mjs")) },
  "/example.mjs": { type: script, body: (await transform(EXAMPLE, { loader: "ts" })).code },
});
export const ORIGIN: string = origin;
export const FILE_URL: string = pathToFileURL(PAGE_PATH).href;

const browser: Browser | null = HAS_CHROMIUM ? await launchBrowser(FOLDER) : null;
after(async () => {
  await browser?.close();
  stop();
  rmSync(FOLDER, { recursive: true });
});

/** How a page is opened. */
export interface Opening extends BrowserContextOptions {
  /** The address of the page; by default the server's. */
  readonly url?: string;
  /** The requests that a stricter policy than the page's own should block. */
  readonly blocked?: RegExp;
}

/** A test with its own page, which may request nothing but itself, violate nothing, and throw nothing unexpected. */
export function pageTest(name: string, opening: Opening, run: (page: Page) => Promise<void>): void {
  runtimeTest(name, browser, async (running) => {
    const { url = `${ORIGIN}/verify.html`, blocked, ...options } = opening;
    const context = await running.newContext({ acceptDownloads: true, ...options });
    try {
      const page = await context.newPage();
      const faults: string[] = [];
      const note = (text: string) => {
        if (blocked === undefined || !blocked.test(text)) faults.push(text);
      };
      page.on("pageerror", ({ message }) => note(`thrown: ${message}`));
      page.on("console", (message) => note(`${message.type()}: ${message.text()}`));
      page.on("requestfailed", (request) => note(`failed: ${request.url()}`));
      page.on("request", (request) => {
        const asked = request.url();
        if (asked.split("#")[0] !== url.split("#")[0] && !/^(blob|data):/.test(asked)) note(`asked for ${asked}`);
      });
      await page.goto(url);
      await state(page, "ready");
      await run(page);
      assert.deepEqual(faults, []);
    } finally {
      await context.close();
    }
  });
}

/** Waits until the page is in a state. */
export async function state(page: Page, ...names: readonly string[]): Promise<void> {
  await page.waitForSelector(names.map((name) => `html[data-state=${name}]`).join(), { state: "attached" });
}

/** Gives files to the page, and waits for its result. */
export async function give(page: Page, ...paths: readonly string[]): Promise<void> {
  await page.evaluate(() => {
    document.documentElement.dataset.state = "given";
  });
  await page.setInputFiles("#file", [...paths]);
  await state(page, "done", "failed");
}

/** Opens the fields for files and keys, if a verdict has folded them. */
export async function unfold(page: Page): Promise<void> {
  if ((await page.locator("#ask").getAttribute("open")) === null) await page.click("#ask-line");
}

/** Takes all files away. */
export async function clear(page: Page): Promise<void> {
  await unfold(page);
  await page.click("#clear");
}

/** Pins a key, as a person does. */
export async function pin(page: Page, key: string): Promise<void> {
  await unfold(page);
  await page.fill("#key", key);
  await page.click("#key-form button");
}

/** Resolves to the whole report that is shown, as the page saves it. */
export async function savedReport(page: Page): Promise<Record<string, unknown>> {
  return JSON.parse(await saved(page, "Save it as JSON"));
}

/** Resolves to the file that a button saves. */
export async function saved(page: Page, button: string): Promise<string> {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: button }).click(),
  ]);
  return readFileSync(await download.path(), "utf8");
}

/** Resolves to the verdict that is shown, with its mark. */
export async function word(page: Page): Promise<string> {
  return (await page.locator(".verdict .word").textContent()) ?? "";
}

/** Writes a file of evidence, and returns its path. */
export function put(name: string, content: string | Uint8Array): string {
  const path = join(FOLDER, name);
  writeFileSync(path, content);
  return path;
}

/** Writes a fixture as a file, and returns its path. */
export function putFixture(name: string): string {
  const fixture = JSON.parse(readFileSync(new URL(`../../../fixtures/cases/${name}.json`, import.meta.url), "utf8"));
  const { input, input_base64 = "" } = fixture as { input?: string; input_base64?: string };
  const ending = input === undefined ? "zip" : "json";
  return put(`${name.replaceAll("/", "-")}.${ending}`, input ?? Buffer.from(input_base64, "base64"));
}

declare const document: { readonly documentElement: { readonly dataset: { state: string } } };
