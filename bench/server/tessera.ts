/**
 * Tessera as a yardstick: a log without receipts, which answers the index of an entry once it is on disk. The program
 * is ../tessera, compiled on demand.
 */
import { spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { goProgram, missingGo } from "@svc/testkit/go";
import { end, firstLine, type Yardstick } from "./programs.ts";

const SOURCES = fileURLToPath(new URL("../tessera", import.meta.url));

/**
 * Compiles Tessera and starts it with an empty log below a folder, or resolves to a few words that say why it cannot.
 * Throws if it does not compile.
 */
export async function startTessera(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<Yardstick | string> {
  const missing = await missingGo(SOURCES, env);
  if (missing !== null) return missing;
  if (process.stderr.isTTY) console.error("compiling Tessera; the first time takes a minute or two ...");
  const program = await goProgram(SOURCES, "tessera", env);
  const log = join(folder, "tessera");
  mkdirSync(log);
  const child = spawn(program, [log], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(await firstLine(child));
  return { port, pid: child.pid ?? Number.NaN, close: () => end(child) };
}
