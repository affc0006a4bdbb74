/**
 * Builds the server: `dist/svc-server.mjs`, which checks Node's version and starts `server.mjs`, and beside them the
 * programs of its threads and the verify page that it sends. They need Node 24 and nothing else; `pkcs11js` stays
 * outside, since it is compiled for a machine, and only keys on a token need it. Run this file directly, or import
 * `buildServer`.
 */
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Metafile } from "esbuild";
import { makePage } from "../web-verify/build.ts";

/** The folder of the built program. */
export const SERVER_FOLDER = fileURLToPath(new URL("dist", import.meta.url));
/** The file name of the built program. */
export const SERVER_PROGRAM = "svc-server.mjs";

/** The sources of the threads, by their names beside the built program. */
export const THREADS = {
  thread: "packages/server/src/verify/thread.ts",
  "checkpoint-thread": "packages/host/src/store/checkpoint-thread.ts",
  "archive-thread": "packages/server/src/archive/thread.ts",
  "export-thread": "packages/server/src/exports/thread.ts",
  "signing-thread": "packages/server/src/signing/signing-thread.ts",
  "reading-thread": "packages/server/src/thin-server/reading-thread.ts",
  "recording-thread": "packages/server/src/thin-server/recording-thread.ts",
} as const;

/** Libraries that are no ES modules load Node's with `require`, which an ES module lacks. */
export const REQUIRE = `import { createRequire as requireOfModule } from "node:module";
const require = requireOfModule(import.meta.url);`;

/** Builds the program and its threads into a folder. Rejects with esbuild's errors. */
export async function buildServer(outdir = SERVER_FOLDER): Promise<void> {
  await bundleServer({ server: "packages/server/src/main.ts" }, outdir);
  copyFileSync(fileURLToPath(new URL("src/svc-server.mjs", import.meta.url)), join(outdir, SERVER_PROGRAM));
  writeFileSync(join(outdir, "verify.html"), (await makePage()).html);
  chmodSync(join(outdir, SERVER_PROGRAM), 0o755);
}

/**
 * Bundles the programs of the server, and beside them the threads, which the server looks for there. `entryPoints`:
 * sources by file name, without its extension; one of the name of a thread is in its place. Resolves to what is in the
 * files. Rejects with esbuild's errors.
 */
export async function bundleServer(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<Metafile> {
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    entryPoints: { ...THREADS, ...entryPoints },
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node24",
    external: ["pkcs11js"],
    banner: { js: REQUIRE },
    legalComments: "eof",
    logLevel: "warning",
  });
  return metafile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildServer();
  console.error("built packages/server/dist/svc-server.mjs");
}
