/**
 * Builds `dist/svc.mjs`: the whole of `svc` in one file that needs nothing but Node 20 or later. Our own code is not minified, so that an auditor
 * can read what runs; that of libraries is, and its versions stand in the bill of materials. Beside it stand its hash, `svc.mjs.sha256`, and
 * what is in it, `svc.mjs.cdx.json` (CycloneDX). Run it directly, or import `buildCli`.
 */
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import { makePage } from "../web-verify/build.ts";
import { billOfMaterials } from "./sbom.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isMain = process.argv[1] === fileURLToPath(import.meta.url);

/** Where the built program is. */
export const SVC_FILE = fileURLToPath(new URL("dist/svc.mjs", import.meta.url));

/**
 * Commander asks for Node's modules with `require`, which a module file does not have: they become imports. It can start other
 * programs as subcommands; `svc` has none, so that module is left out and calling it fails.
 */
const nodeModulesForCommander: Plugin = {
  name: "node-modules-for-commander",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === "require-call" ? { path, namespace: "required" } : { path, external: true },
    );
    onResolve({ filter: /^imported:/ }, ({ path }) => ({
      path: path.slice("imported:".length),
      namespace: "imported",
    }));
    onLoad({ filter: /.*/, namespace: "required" }, ({ path }) =>
      path === "node:child_process"
        ? { contents: 'exports.spawn = () => { throw new Error("svc starts no other program"); };' }
        : { contents: `module.exports = require("imported:${path}").default;` },
    );
    onLoad({ filter: /.*/, namespace: "imported" }, ({ path }) => ({ contents: `export { default } from "${path}";` }));
  },
};

/**
 * To import `node:process` makes every part of the process that is made when it is asked for, its streams among them: the global of the same name
 * does not.
 */
const processAsItIs: Plugin = {
  name: "process-as-it-is",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^node:process$/ }, ({ kind }) =>
      kind === "import-statement" ? { path: "process", namespace: "global" } : undefined,
    );
    onLoad({ filter: /.*/, namespace: "global" }, () => ({ contents: "export default globalThis.process;" }));
  },
};

/** Libraries are published where an auditor can read them; here they are as short as can be. A comment with a licence stays. */
const minifiedLibraries: Plugin = {
  name: "minified-libraries",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/, namespace: "file" }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { minify: true, legalComments: "inline" });
      return { contents: code };
    });
  },
};

/** Builds the one file, executable, at `outfile`, and beside it its hash as `sha256sum -c` reads it and its bill of materials. `plugins` come first, for builds that tests need. Throws what esbuild throws. */
export async function buildCli(outfile = SVC_FILE, plugins: readonly Plugin[] = []): Promise<void> {
  const page = await makePage();
  const { metafile } = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: ["packages/cli/src/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    legalComments: "eof",
    logLevel: "warning",
    // What `svc verify page` compares with: the page of the same sources.
    define: { SVC_PAGE_SHA256: JSON.stringify(page.sha256Hex) },
    plugins: [...plugins, processAsItIs, nodeModulesForCommander, minifiedLibraries],
    banner: { js: "#!/usr/bin/env node" },
  });
  // Where the package manager of whoever built it keeps libraries is nobody's business.
  writeFileSync(outfile, readFileSync(outfile, "utf8").replaceAll(/^ *\/\/ node_modules\/\S+\n/gm, ""));
  chmodSync(outfile, 0o755);
  const sha256Hex = createHash("sha256").update(readFileSync(outfile)).digest("hex");
  writeFileSync(`${outfile}.sha256`, `${sha256Hex}  ${basename(outfile)}\n`);
  const bom = billOfMaterials(root, metafile, sha256Hex);
  writeFileSync(`${outfile}.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`);
}

if (isMain) await buildCli();
