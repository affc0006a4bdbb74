/**
 * Builds the server: `dist/svc-server.mjs`, which looks at Node's version and starts `server.mjs`, and beside them the programs of its threads and the
 * verify page that it sends. They need Node 24 and nothing else; `pkcs11js` stays outside, since it is compiled for a machine, and only keys on a
 * token need it. Run it directly, or import `buildServer`.
 */
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { makePage } from "../web-verify/build.ts";

/** Where the built program is. */
export const SERVER_FOLDER = fileURLToPath(new URL("dist", import.meta.url));
export const SERVER_PROGRAM = "svc-server.mjs";

/** Libraries that are no modules ask for Node's with `require`, which a module file has not by itself. */
const REQUIRE = `import { createRequire as requireOfModule } from "node:module";
const require = requireOfModule(import.meta.url);`;

/** Builds the program and its threads into a folder. Throws what esbuild throws. */
export async function buildServer(outdir = SERVER_FOLDER): Promise<void> {
  await bundleServer({ server: "packages/server/src/main.ts" }, outdir);
  copyFileSync(fileURLToPath(new URL("src/svc-server.mjs", import.meta.url)), join(outdir, SERVER_PROGRAM));
  writeFileSync(join(outdir, "verify.html"), (await makePage()).html);
  chmodSync(join(outdir, SERVER_PROGRAM), 0o755);
}

/** Bundles what runs the server, by file name without its end, and beside it the threads, which are looked for there. Throws what esbuild throws. */
export async function bundleServer(entryPoints: Readonly<Record<string, string>>, outdir: string): Promise<void> {
  await build({
    absWorkingDir: fileURLToPath(new URL("../..", import.meta.url)),
    entryPoints: {
      ...entryPoints,
      thread: "packages/server/src/verify/thread.ts",
      "signing-thread": "packages/server/src/keys/signing-thread.ts",
      "reading-thread": "packages/server/src/reading/thread.ts",
    },
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
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await buildServer();
  console.error("built packages/server/dist/svc-server.mjs");
}
