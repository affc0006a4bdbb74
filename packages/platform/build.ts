/**
 * Builds the platform: `dist/svc-platform.mjs`, which checks Node's version and starts `platform.mjs`, and beside them
 * the programs of its threads and the verify page that it sends, as the server has them. `svc-platform.cdx.json` says
 * what is in all of them (CycloneDX); the licences are at the end of each file. Run this file directly, or import
 * `buildPlatform`.
 */
import { createHash } from "node:crypto";
import { chmodSync, copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { billOfMaterials } from "../../tools/sbom.ts";
import { bundleServer } from "../server/build.ts";
import { makePage } from "../web-verify/build.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
/** The file name of the built program. */
export const PLATFORM_PROGRAM = "svc-platform.mjs";

/** Builds the program and its threads into a folder. Rejects with esbuild's errors. */
export async function buildPlatform(outdir = fileURLToPath(new URL("dist", import.meta.url))): Promise<void> {
  const source = (name: string) => `packages/platform/src/${name}.ts`;
  const entryPoints = {
    platform: source("main"),
    "recording-thread": source("recording-thread"),
    "reading-thread": source("reading-thread"),
  };
  const metafile = await bundleServer(entryPoints, outdir);
  copyFileSync(fileURLToPath(new URL("src/svc-platform.mjs", import.meta.url)), join(outdir, PLATFORM_PROGRAM));
  chmodSync(join(outdir, PLATFORM_PROGRAM), 0o755);
  writeFileSync(join(outdir, "verify.html"), (await makePage()).html);
  const sha256Hex = createHash("sha256")
    .update(readFileSync(join(outdir, "platform.mjs")))
    .digest("hex");
  const bom = billOfMaterials(root, metafile, { folder: "packages/platform", sha256Hex });
  writeFileSync(join(outdir, "svc-platform.cdx.json"), `${JSON.stringify(bom, null, 2)}\n`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildPlatform();
