/** Builds `dist/run.mjs`: the runner in one file that needs nothing but Node 20 or later. */
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const root = fileURLToPath(new URL("..", import.meta.url));

/** The path of the built runner. */
export const RUNNER_FILE = fileURLToPath(new URL("dist/run.mjs", import.meta.url));

/** Builds the runner at `outfile`, executable by plain Node. Rejects as esbuild does. */
export async function buildRunner(outfile = RUNNER_FILE): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["conformance/src/run.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    legalComments: "eof",
    logLevel: "warning",
    banner: { js: "#!/usr/bin/env node" },
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildRunner();
