/**
 * Three readers of one disclosure who have nothing but two files: `svc` as a process, the page from `file://` in a real
 * Chromium, and the SDK. Each says its verdict and the codes of its problems.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Report, verifyFrom } from "@svc/sdk";
import { HAS_CHROMIUM, launchBrowser } from "../packages/testkit/src/chromium.ts";
import { svcReport } from "./auditor.ts";

/** Reads a file under a trust file. */
export type Reader = (file: string, trustFile: string) => Promise<Report>;

/** The readers by name, and what ends them. */
export interface Readers {
  readonly all: Readonly<Record<string, Reader>>;
  readonly end: () => Promise<void>;
}

/** The exit code of `svc` for each verdict. */
const EXITS: Readonly<Record<Report["verdict"], number>> = { verified: 0, rejected: 1, untrusted: 2 };

/** Starts the readers. `pageFile`: the built page. */
export async function startReaders(pageFile: string): Promise<Readers> {
  const page = HAS_CHROMIUM ? await onPage(pageFile) : null;
  return {
    all: { svc: bySvc, ...(page === null ? {} : { "the page": page.read }), "the SDK": bySdk },
    end: async () => page?.end(),
  };
}

async function bySvc(file: string, trustFile: string): Promise<Report> {
  const { exitCode, report } = await svcReport(["disclosures", "verify", "--file", file, "--trust", trustFile]);
  assert.equal(exitCode, EXITS[report.verdict], "the exit code must say the verdict");
  return report;
}

async function bySdk(file: string, trustFile: string): Promise<Report> {
  return verifyFrom(new Blob([readFileSync(file)]), { trust: JSON.parse(readFileSync(trustFile, "utf8")) });
}

/** Opens the page from the disk, and gives it files as a person does. Any request is a fault. */
async function onPage(pageFile: string) {
  const folder = mkdtempSync(join(tmpdir(), "svc-demo-page-"));
  const browser = await launchBrowser(folder);
  const read: Reader = async (file, trustFile) => {
    const context = await browser.newContext({ acceptDownloads: true });
    try {
      const page = await context.newPage();
      const asked: string[] = [];
      page.on("request", (request) => asked.push(request.url()));
      const address = pathToFileURL(pageFile).href;
      await page.goto(address);
      await page.waitForSelector("html[data-state=ready]", { state: "attached" });
      await page.setInputFiles("#file", [trustFile, file]);
      await page.waitForSelector("html[data-state=done]", { state: "attached" });
      const [download] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("button", { name: "Save it as JSON" }).click(),
      ]);
      const report = JSON.parse(readFileSync(await download.path(), "utf8")) as Report;
      const shown = (await page.locator(".verdict .word").textContent()) ?? "";
      assert.match(shown, new RegExp(report.verdict, "i"), "the page must show the verdict of its report");
      assert.deepEqual(
        asked.filter((url) => url !== address && !/^(?:blob|data):/.test(url)),
        [],
        "the page must ask for nothing",
      );
      return report;
    } finally {
      await context.close();
    }
  };
  const end = async () => {
    await browser.close();
    rmSync(folder, { recursive: true });
  };
  return { read, end };
}
