/**
 * `pnpm bench page`: the verify page in a real Chromium, from the disk: its size, its first verdict, and a large bundle
 * against `svc`.
 */
import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { gzipSync } from "node:zlib";
import { built } from "@svc/testkit/built";
import { launchBrowser } from "@svc/testkit/chromium";
import { processOf } from "../cli/programs.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { interleave, median, type Row, rowOf, type Target, type Unit } from "../measure.ts";
import { benchKeyHex, writtenReceipts } from "../verify/bundle.ts";
import { writeBundleApart } from "../verify/programs.ts";
import { openPage, type Visit } from "./visit.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<PageBench> = { size, first, bundle };

/** The common inputs of all groups. */
export interface PageBench {
  readonly quick: boolean;
  readonly rounds: number;
  /** The folder for evidence; it is deleted afterwards. */
  readonly folder: string;
  /** Opens the page afresh, under the key of the evidence. */
  readonly visit: () => Promise<Visit>;
}

const MAX_BYTES = 500_000;
const MAX_GZIP_BYTES = 210_000;
const MAX_FIRST_MS = 300;
const MAX_TASK_MS = 50;
const MIB = 2 ** 20;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchPage({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder(async (folder, lifetime) => {
    const browser = await launchBrowser(folder);
    lifetime.after(() => browser.close());
    const url = `${pathToFileURL(await pageFile()).href}#key=${benchKeyHex()}`;
    return measureGroups(GROUPS, groups, { quick, rounds, folder, visit: () => openPage(browser, url) });
  });
  return { rounds, rows };
}

async function pageFile(): Promise<string> {
  return join(await built("page"), "verify.html");
}

async function size(): Promise<Row[]> {
  const bytes = readFileSync(await pageFile());
  return [
    limited("verify.html", "bytes", bytes.length, MAX_BYTES),
    limited("verify.html, gzip -9", "bytes", gzipSync(bytes, { level: 9 }).length, MAX_GZIP_BYTES),
  ];
}

/**
 * From the page's load to the verdict on a receipt that is dropped at once; each time in a page that has computed
 * nothing before.
 */
async function first({ folder, quick, visit }: PageBench): Promise<Row[]> {
  const file = join(folder, "one.receipt.json");
  for (const bytes of writtenReceipts(1)) writeFileSync(file, bytes);
  const times: number[] = [];
  for (let round = 0; round < (quick ? 1 : 11); round++) {
    const page = await visit();
    times.push((await page.give(file)).sinceLoadMs);
    await page.close();
  }
  return [
    limited("first verdict after load, one receipt", "ms", median(times), MAX_FIRST_MS, quick ? null : { at_most: 1 }),
  ];
}

/** A large bundle: against `svc` on one thread, with the longest task of the page's own thread, and its memory. */
async function bundle({ folder, quick, rounds, visit }: PageBench): Promise<Row[]> {
  const count = quick ? 8000 : 100_000;
  const file = join(folder, "large.bundle.json");
  await writeBundleApart(file, count, "canonical");
  const svc = join(await built("cli"), "svc.mjs");
  const tasks: number[] = [];
  const memory: number[] = [];
  const inPage = {
    amount: 1,
    async lap() {
      const page = await visit();
      const { ms, longestTaskMs, memoryBytes } = await page.give(file);
      tasks.push(longestTaskMs);
      memory.push(memoryBytes);
      await page.close();
      return ms;
    },
  };
  const args = [svc, "verify", file, "--jobs", "1", "--public-key-hex", benchKeyHex()];
  const [page, alone] = await interleave([inPage, processOf(args, 1, /^VERIFIED /)], { rounds, warmUpMs: 0 }, "ms");
  const what = `a bundle of ${count.toLocaleString("en-US")} receipts`;
  const target = (at_most: number): Target | null => (quick ? null : { at_most });
  return [
    row(what, "ms", page ?? Number.NaN, alone ?? Number.NaN, "svc, one thread", target(2)),
    limited(`${what}, longest task of the page's thread`, "ms", median(tasks), MAX_TASK_MS, target(1)),
    row(`${what}, memory`, "MiB", median(memory) / MIB, statSync(file).size / MIB, "the file", target(4)),
  ];
}

function limited(work: string, unit: Unit, value: number, limit: number, target: Target | null = { at_most: 1 }): Row {
  return row(work, unit, value, limit, "limit", target);
}

function row(work: string, unit: Unit, wasm: number, yardstick: number, name: string, target: Target | null): Row {
  return rowOf({ work, unit, wasm, reference: null, yardstick, yardstick_name: name, native: null, target });
}
