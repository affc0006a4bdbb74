/**
 * Builds `dist/svc.mjs`: the whole of `svc` in one file that needs nothing but Node 20 or later. It is not minified, so that an
 * auditor can read what runs. Run it directly, or import `buildCli`.
 */
import { chmodSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build, type Plugin } from "esbuild";

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

/** Builds the one file, executable, at `outfile`. `plugins` come first, for builds that tests need. Throws what esbuild throws. */
export async function buildCli(outfile = SVC_FILE, plugins: readonly Plugin[] = []): Promise<void> {
  await build({
    absWorkingDir: root,
    entryPoints: ["packages/cli/src/main.ts"],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    charset: "utf8",
    legalComments: "eof",
    logLevel: "warning",
    plugins: [...plugins, nodeModulesForCommander],
    banner: { js: "#!/usr/bin/env node" },
  });
  chmodSync(outfile, 0o755);
}

if (isMain) await buildCli();
