/**
 * Builds the package that strangers install, into `dist`: modules for every runtime, their types, and its own manifest.
 * Core and its kernels are bundled, so the package has no dependency. Run it directly, or import `buildSdk`; `npm pack
 * ./packages/sdk/dist` makes the archive.
 */
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundleServer } from "../server/build.ts";
import { writeDeclarations } from "./declarations/write.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

/** The folder of the built package. */
export const SDK_FOLDER = fileURLToPath(new URL("dist", import.meta.url));

/**
 * The sources of the entries, by their names in the package: modules that run everywhere, and the spools of some
 * runtimes.
 */
export const ENTRIES = {
  index: "packages/sdk/src/index.ts",
  browser: "packages/sdk/src/entries/browser.ts",
  client: "packages/sdk/src/entries/client.ts",
  verify: "packages/sdk/src/entries/verify.ts",
  "indexed-db-spool": "packages/sdk/src/browser/index.ts",
  "file-spool": "packages/sdk/src/node/index.ts",
} as const;
const TESTING = "packages/sdk/src/entries/testing.ts";

/** Builds all files into a folder, and empties it first. Throws the errors of esbuild and the compiler. */
export async function buildSdk(outdir = SDK_FOLDER): Promise<void> {
  rmSync(outdir, { recursive: true, force: true });
  mkdirSync(outdir, { recursive: true });
  await bundleEntries(outdir);
  await bundleServer({ index: TESTING }, join(outdir, "testing"));
  const sources = Object.entries({ ...ENTRIES, testing: TESTING }).map(([entry, path]) => [entry, join(root, path)]);
  writeDeclarations(Object.fromEntries(sources), join(outdir, "types"));
  writeFileSync(join(outdir, "package.json"), `${JSON.stringify(manifest(), null, 2)}\n`);
  copyFileSync(join(root, "packages/sdk/README.md"), join(outdir, "README.md"));
  copyFileSync(join(root, "LICENSE"), join(outdir, "LICENSE"));
}

/**
 * Bundles the modules that run everywhere, in chunks that are loaded when they are needed. `minify`: builds as a page's
 * own build would.
 */
export async function bundleEntries(
  outdir: string,
  { minify = false, entries = ENTRIES as Readonly<Record<string, string>> } = {},
) {
  return build({
    absWorkingDir: root,
    entryPoints: { ...entries },
    outdir,
    chunkNames: "parts/[name]-[hash]",
    bundle: true,
    splitting: true,
    metafile: true,
    minify,
    format: "esm",
    platform: "browser",
    // Only the spool in files needs Node; modules that run everywhere import none of it.
    external: ["node:*"],
    target: "es2022",
    charset: "utf8",
    legalComments: minify ? "none" : "eof",
    logLevel: "warning",
  });
}

function manifest(): object {
  const { name, version, description, license, type, sideEffects } = readManifest("sdk");
  const everywhere = (entry: keyof typeof ENTRIES) => ({ types: `./types/${entry}.d.ts`, default: `./${entry}.js` });
  return {
    name,
    version,
    description,
    license,
    type,
    sideEffects,
    engines: { node: ">=20" },
    exports: {
      // Workers of servers may hold keys, pages may not; bundlers for workers ask for both conditions.
      ".": { workerd: everywhere("index"), browser: everywhere("browser"), ...everywhere("index") },
      "./browser": everywhere("indexed-db-spool"),
      "./client": everywhere("client"),
      "./node": everywhere("file-spool"),
      "./verify": everywhere("verify"),
      "./testing": { types: "./types/testing.d.ts", default: "./testing/index.mjs" },
      "./package.json": "./package.json",
    },
  };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly description: string;
  readonly license: string;
  readonly type: string;
  readonly sideEffects: boolean;
}

function readManifest(room: string): Manifest {
  return JSON.parse(readFileSync(join(root, "packages", room, "package.json"), "utf8"));
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildSdk();
