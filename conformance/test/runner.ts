/** The built runner as a process, and sets of cases for it. */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { buildRunner } from "../build.ts";
import type { Result } from "../src/run/result.ts";

export const FOLDER = temporaryFolder();
export const RUNNER = join(FOLDER, "run.mjs");
await buildRunner(RUNNER);

/** The end of a run. */
export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs the runner in the tests' folder with Node, `node`, and resolves when it has ended. */
export function runner(words: readonly string[], node = process.execPath): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = spawn(node, [RUNNER, ...words], { cwd: FOLDER, stdio: ["ignore", "pipe", "pipe"] });
    let [stdout, stderr] = ["", ""];
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      stdout += text;
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      stderr += text;
    });
    child.on("error", reject).on("close", (code) => resolve({ code, stdout, stderr }));
  });
}

/** Runs the runner, and resolves to its end with the result of `--json`. */
export async function result(words: readonly string[], node?: string): Promise<Ended & { readonly result: Result }> {
  const file = join(temporaryFolder(), "result.json");
  const ended = await runner([...words, "--json", file], node);
  return { ...ended, result: JSON.parse(readFileSync(file, "utf8")) };
}

/** The command of the program with one fault. `rest`: further words. */
export function oneFault(fault: string, ...rest: readonly string[]): string {
  const program = fileURLToPath(new URL("programs/one-fault.mjs", import.meta.url));
  return [process.execPath, program, fault, ...rest].map((word) => `'${word}'`).join(" ");
}

/** Writes files of cases, and returns their folder. A value is a text, or the cases of a file. */
export function casesFolder(files: Readonly<Record<string, string | readonly object[]>>): string {
  const folder = temporaryFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const lines = typeof content === "string" ? content : content.map((one) => `${JSON.stringify(one)}\n`).join("");
    writeFileSync(path, lines);
  }
  return folder;
}

/** Returns a case whose right answer the program of `oneFault` gives. */
export function digestCase(tag: string, name = `1/digest/${tag}`) {
  return { name, level: 1, request: { op: "digest", tag, bytes: "e30=" }, answer: { ok: true, digest: tag } };
}
