/**
 * Every fixture through the page. The whole report equals that of the built `svc`, except for the verifier's name: the
 * same verdict from both, or both say that the file is no evidence. Files under one trust policy are dropped together,
 * as a person would.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { copyBuilt } from "@svc/testkit/built";
import type { Page } from "playwright-core";
import { FOLDER, give, pageTest } from "./page.ts";

interface Fixture {
  readonly trust: { readonly known_checkpoints?: unknown };
  readonly links?: readonly unknown[];
  readonly input?: string;
  readonly input_base64?: string;
}
/** Files that are dropped together. */
interface Batch {
  readonly trust: unknown;
  readonly links: readonly unknown[];
  /** Each under the name of its fixture. */
  readonly files: { readonly name: string; readonly ending: string; readonly content: string | Uint8Array }[];
}
type Report = Record<string, unknown> | null;

const CASES = fileURLToPath(new URL("../../../fixtures/cases/", import.meta.url));
/** As many files as a person might drop at once; a longer list only takes more time. */
const MOST_FILES = 40;
/** As many files as one page handles in a fraction of a test's time limit. */
const FILES_A_PAGE = 120;
const SVC = join(FOLDER, "svc.mjs");
const SAVE_EACH = readFileSync(new URL("save-each.page.js", import.meta.url), "utf8").replace(
  /^(\/\*\*[\s\S]*?\*\/|\/\/.*)\n/gm,
  "",
);

const names = readdirSync(CASES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".json"));
const batches = batchesOf(names);

await copyBuilt("cli", FOLDER);

test("there are fixtures", () => {
  assert.ok(names.length > 500, `${names.length}`);
  assert.equal(batches.flatMap(({ files }) => files).length, names.length);
});

for (const [number, together] of chunksOf(batches).entries()) {
  const count = together.flatMap(({ files }) => files).length;
  pageTest(`part ${number + 1}, ${count} fixtures: the page and svc give the same whole reports`, {}, async (page) => {
    for (const [at, batch] of together.entries()) {
      const { files, trust, links } = putBatch(`part-${number}-${at}`, batch);
      const wanted = reportsOfSvc(files, trust, links) ?? batch.files.map(({ name }) => expectedReport(name));
      const found = await reportsOfPage(page, files, trust, links);
      for (const [index, file] of files.entries()) assert.deepEqual(found[index], wanted[index], file);
    }
  });
}

function putBatch(name: string, { trust, links, files }: Batch) {
  const folder = join(FOLDER, name);
  mkdirSync(folder);
  const write = (file: string, content: string | Uint8Array) => {
    writeFileSync(join(folder, file), content);
    return join(folder, file);
  };
  return {
    trust: write("trust.json", JSON.stringify(trust)),
    links: links.map((link, at) => write(`link-${at}.json`, JSON.stringify(link))),
    files: files.map(({ name: file, ending, content }) =>
      write(file.replaceAll("/", "-").replace(/json$/, ending), content),
    ),
  };
}

/** Returns the batches for one page after the other. */
function chunksOf(all: readonly Batch[]): Batch[][] {
  const chunks: Batch[][] = [];
  let room = 0;
  for (const batch of all) {
    const size = batch.files.length + 2;
    if (size > room) {
      chunks.push([]);
      room = FILES_A_PAGE;
    }
    chunks.at(-1)?.push(batch);
    room -= size;
  }
  return chunks;
}

/** Known checkpoints look at every given link: such a fixture is dropped alone. */
function batchesOf(all: readonly string[]): Batch[] {
  const found = new Map<string, Batch[]>();
  for (const name of all) {
    const {
      trust,
      links = [],
      input,
      input_base64 = "",
    } = JSON.parse(readFileSync(join(CASES, name), "utf8")) as Fixture;
    const isAlone = links.length > 0 || trust.known_checkpoints !== undefined;
    const key = isAlone ? name : JSON.stringify(trust);
    const same = found.get(key) ?? [];
    let batch = same.at(-1);
    if (batch === undefined || batch.files.length >= MOST_FILES) {
      batch = { trust, links, files: [] };
      found.set(key, [...same, batch]);
    }
    const ending = input === undefined ? "zip" : "json";
    const content = input ?? Buffer.from(input_base64, "base64");
    batch.files.push({ name, ending, content });
  }
  return [...found.values()].flat();
}

/**
 * Null for a file that is no evidence; null for all files under a trust policy with a fault, for which `svc` refuses
 * the call.
 */
function reportsOfSvc(files: readonly string[], trust: string, links: readonly string[]): Report[] | null {
  const options = ["--json", "--trust", trust, ...links.flatMap((link) => ["--link", link])];
  const { stdout, stderr } = spawnSync(process.execPath, [SVC, "verify", ...files, ...options], {
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (/is no trust\s+policy/.test(stderr)) return null;
  // A line about two files together is about none of them.
  const lines = stdout.split("\n").filter((line) => line !== "" && !line.startsWith('{"fork_detected"'));
  if (files.length === 1) return [lines.length === 0 ? refused(stderr) : withoutVerifier(JSON.parse(lines[0] ?? ""))];
  assert.equal(lines.length, files.length, stderr);
  return lines.map((line) => {
    const { report, error } = JSON.parse(line) as {
      report?: Record<string, unknown>;
      error?: { message: string };
    };
    return report === undefined ? refused(error?.message ?? "") : withoutVerifier(report);
  });
}

/** Returns the report beside a fixture. */
function expectedReport(name: string): Report {
  return JSON.parse(readFileSync(join(CASES, "..", "reports", name), "utf8"));
}

function refused(why: string): null {
  assert.match(why, / is (text|an?|compressed|empty|UTF|JSON)/);
  return null;
}

async function reportsOfPage(
  page: Page,
  files: readonly string[],
  trust: string,
  links: readonly string[],
): Promise<Report[]> {
  await page.evaluate("document.querySelector('#clear').click()");
  await give(page, trust, ...links, ...files);
  const texts = (await page.evaluate(`(${SAVE_EACH})(${1 + links.length})`)) as (string | null)[];
  assert.equal(texts.length, files.length);
  return texts.map((text) => (text === null ? null : withoutVerifier(JSON.parse(text))));
}

function withoutVerifier({ verifier, ...rest }: Record<string, unknown>): Record<string, unknown> {
  assert.ok(verifier !== undefined);
  return rest;
}
