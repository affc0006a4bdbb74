/**
 * `pnpm conformance:results`: holds each of our implementations that this machine has to the case set by the runner
 * of the kit, and writes docs/conformance-results.md. `--only TEXT` takes those with this text in their names, and
 * `--out FILE` writes elsewhere. Exits with 0 where no case failed, 1 where one did, 64 for a wrong call.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildRunner } from "../build.ts";
import { writeCases } from "../case-set/case-set.ts";
import { type Implementation, implementations } from "./implementations.ts";
import { type Ran, renderResults } from "./render.ts";
import type { Result } from "./result.ts";

const PAGE = fileURLToPath(new URL("../../docs/conformance-results.md", import.meta.url));
const USAGE = "usage: pnpm conformance:results [--only TEXT] [--out FILE]";

process.exitCode = await main();

async function main(): Promise<number> {
  const call = readCall();
  if (call === null) return 64;
  const folder = mkdtempSync(join(tmpdir(), "svc-results-"));
  try {
    const kit = { runner: join(folder, "run.mjs"), cases: join(folder, "cases") };
    await buildRunner(kit.runner);
    writeCases(kit.cases);
    const all = (await implementations(folder)).filter(({ name }) => name.includes(call.only));
    const here = all.filter(({ missing }) => missing === null);
    const ran: Ran[] = [];
    for (const one of here) {
      console.error(one.name);
      const { name, repeat } = one;
      ran.push({ name, repeat, result: await resultOf(one, kit, join(folder, "result.json")) });
    }
    const notRun = all.flatMap(({ name, missing }) => (missing === null ? [] : [{ name, why: missing }]));
    writeFileSync(call.out, renderResults(ran, notRun));
    return ran.every(({ result }) => result.failures.length === 0) ? 0 : 1;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function readCall() {
  const text = { type: "string" } as const;
  try {
    const { values } = parseArgs({ options: { only: text, out: text } });
    const { only = "", out = PAGE } = values;
    return { only, out };
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
  }
  console.error(USAGE);
  return null;
}

/** Resolves to the runner's result about an implementation. Rejects if the runner wrote none. */
async function resultOf(one: Implementation, { runner, cases }: { runner: string; cases: string }, file: string) {
  const { command, env, stop } = await one.start();
  try {
    rmSync(file, { force: true });
    const words = [runner, "--command", command, "--cases", cases, "--json", file];
    const child = spawn(process.execPath, words, { stdio: ["ignore", 2, 2], env: { ...process.env, ...env } });
    const [code] = await once(child, "exit");
    if (code !== 0 && code !== 1) throw new Error(`${one.name}: the runner ended with exit code ${code}`);
    return JSON.parse(readFileSync(file, "utf8")) as Result;
  } finally {
    await stop?.();
  }
}
