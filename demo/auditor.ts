/**
 * The real `svc`, as a child process that an auditor would start: a file and perhaps a key in, an exit code and a
 * report out.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { Report } from "@svc/sdk";

const SVC = fileURLToPath(new URL("../packages/cli/dist/svc.mjs", import.meta.url));

/** The result of one run of `svc`. */
export interface Audit {
  readonly exitCode: number | null;
  readonly output: string;
}

/** Runs `svc` with these arguments to its end. */
export async function svc(args: readonly string[]): Promise<Audit> {
  const child = spawn(process.execPath, [SVC, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
  });
  const [exitCode] = (await once(child, "close")) as [number | null];
  return { exitCode, output };
}

/** Runs `svc … --json`. */
export async function svcReport(args: readonly string[]): Promise<{ exitCode: number | null; report: Report }> {
  const { exitCode, output } = await svc([...args, "--json"]);
  return { exitCode, report: JSON.parse(output) as Report };
}
