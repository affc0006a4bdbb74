/**
 * Bundles an entry for its runtime, as a program with the toolkit would, into a folder that is removed when the tests
 * are done.
 */
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { CASES, KERNEL_BYTES } from "./expected.ts";

/** The folder, with the cases and the kernel in it. */
export const FOLDER: string = realpathSync(mkdtempSync(join(tmpdir(), "svc-runtimes-")));
export const CASES_FILE: string = join(FOLDER, "cases.json");
export const KERNEL_COPY: string = join(FOLDER, "kernel.wasm");
writeFileSync(CASES_FILE, JSON.stringify(CASES));
writeFileSync(KERNEL_COPY, KERNEL_BYTES);
after(() => rmSync(FOLDER, { recursive: true }));

/** Bundles a module for processes or a classic script for pages. Resolves to its path. */
export async function bundle(entry: "process" | "thread" | "page"): Promise<string> {
  const isPage = entry === "page";
  const outfile = join(FOLDER, isPage ? "page.js" : `${entry}.mjs`);
  await build({
    entryPoints: [fileURLToPath(new URL(`entry.${entry}.ts`, import.meta.url))],
    outfile,
    bundle: true,
    platform: isPage ? "browser" : "node",
    format: isPage ? "iife" : "esm",
    target: isPage ? "es2022" : "node20",
    charset: "utf8",
    logLevel: "warning",
  });
  return outfile;
}
