/**
 * Programs in Go, compiled on demand; Go's own cache keeps them. `go` is looked for on the PATH: scripts have tools/go
 * there, once `node tools/install-tools.mjs go` has installed it.
 */
import { execFile } from "node:child_process";
import process from "node:process";
import { promisify } from "node:util";

const DOWNLOAD_MS = 120_000;

function go(sources: string, words: readonly string[], env: NodeJS.ProcessEnv, timeout = 0) {
  const own = { ...env, GOFLAGS: "-buildvcs=false", GOWORK: "off" };
  return promisify(execFile)("go", words, { cwd: sources, env: own, timeout });
}

/**
 * Fetches what a Go module needs, and resolves to a few words that say why it cannot be compiled here; null if it can.
 * `sources`: the module's folder.
 */
export async function missingGo(sources: string, env: NodeJS.ProcessEnv = process.env): Promise<string | null> {
  try {
    await go(sources, ["mod", "download"], env, DOWNLOAD_MS);
    return null;
  } catch (error) {
    const { code, killed, stderr } = error as { code?: unknown; killed?: boolean; stderr?: string };
    if (code === "ENOENT") return "no Go";
    console.error(`go mod download: ${killed === true ? "it did not end within two minutes" : stderr}`);
    return "`go mod download` fails";
  }
}

/**
 * Resolves to the path of a program, which a module's `go.mod` lists as a tool. Rejects if it does not compile; the
 * first time takes a minute or two.
 */
export async function goProgram(sources: string, name: string, env: NodeJS.ProcessEnv = process.env): Promise<string> {
  const { stdout } = await go(sources, ["tool", "-n", name], env);
  return stdout.trim();
}
