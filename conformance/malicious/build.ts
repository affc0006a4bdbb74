/** Builds the malicious verifiers into one file for Node, which starts faster than the sources. */
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Resolves to the path of the built program in a folder. Rejects as esbuild does. */
export async function buildLiars(folder: string): Promise<string> {
  const outfile = join(folder, "malicious.mjs");
  await build({
    absWorkingDir: ROOT,
    entryPoints: ["conformance/malicious/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    logLevel: "warning",
  });
  return outfile;
}
