/**
 * Builds `dist/svc.mjs`: the whole of `svc` in one file that needs nothing but Node 20 or later. Our own code is not
 * minified, so that an auditor can read the code that runs; that of libraries is, and the bill of materials has its
 * versions. Beside it stand its hash, `svc.mjs.sha256`, and its contents, `svc.mjs.cdx.json` (CycloneDX); and the same
 * program in parts, which starts faster: `svc-start.mjs`, `svc-verify.mjs` and `svc-explain.mjs`. Run it directly, or
 * import `buildCli`.
 */
import { createHash } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import { build, type Plugin, transform } from "esbuild";
import { billOfMaterials } from "../../tools/sbom.ts";
import { type BuiltPage, makePage } from "../web-verify/build.ts";
import { EXIT } from "./src/exit.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const isMain = process.argv[1] === fileURLToPath(import.meta.url);

/** The first release of Node that runs it. */
const OLDEST_NODE = 20;

/** The path of the built program. */
export const SVC_FILE = fileURLToPath(new URL("dist/svc.mjs", import.meta.url));

/**
 * It is before all else, so that a Node that cannot run the rest says so in one line. It uses nothing that is
 * younger than Node 14.
 */
const START = `#!/usr/bin/env node
if (Number(process.versions.node.split(".")[0]) < ${OLDEST_NODE}) {
  console.error(\`svc: this needs Node ${OLDEST_NODE} or newer, and \${process.execPath} is Node \${process.versions.node}. Install a newer one and start svc with that.\`);
  process.exit(${EXIT.usage});
}`;

/**
 * Commander asks for Node's modules with `require`, which a module file does not have: they become imports. It can
 * start other programs as subcommands; `svc` has none, so that module is left out and calling it fails.
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
 * An import of `node:process` makes every lazy part of the process, its streams among them; the global of the same name
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

/**
 * Chalk looks into the environment, the operating system and the terminal to find out whether to colour. `--color` and
 * `wantsColor` decide that here, so that module is left out.
 */
const noLookAtTheTerminal: Plugin = {
  name: "no-look-at-the-terminal",
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^#supports-color$/ }, ({ path }) => ({ path, namespace: "uncolored" }));
    onLoad({ filter: /.*/, namespace: "uncolored" }, () => ({
      contents: "export default { stdout: false, stderr: false };",
    }));
  },
};

/**
 * Libraries are published where an auditor can read them; here they are as short as possible. A comment with a licence
 * stays.
 */
const minifiedLibraries: Plugin = {
  name: "minified-libraries",
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]node_modules[\\/].*\.js$/, namespace: "file" }, async ({ path }) => {
      const { code } = await transform(readFileSync(path, "utf8"), { minify: true, legalComments: "inline" });
      return { contents: code };
    });
  },
};

/**
 * Builds the one file, executable, at `outfile`, and beside it its hash in the form of `sha256sum -c` and its bill of
 * materials. `plugins` come first, and `page` is one that was made of the same sources already, for builds that tests
 * need. Rejects as esbuild does.
 */
export async function buildCli(
  outfile = SVC_FILE,
  plugins: readonly Plugin[] = [],
  page?: Pick<BuiltPage, "sha256Hex">,
): Promise<void> {
  const { sha256Hex: pageSha256Hex } = page ?? (await makePage());
  const how = { name: basename(outfile, ".mjs"), pageSha256Hex, plugins };
  const { metafile } = await buildPart("main.ts", outfile, how);
  const sha256Hex = sha256HexOf(outfile);
  writeFileSync(`${outfile}.sha256`, `${sha256Hex}  ${basename(outfile)}\n`);
  const bom = billOfMaterials(root, metafile, { folder: "packages/cli", sha256Hex });
  writeFileSync(`${outfile}.cdx.json`, `${JSON.stringify(bom, null, 2)}\n`);
  const parts = {
    "start.ts": beside(outfile, "start"),
    "verify-part.ts": beside(outfile, "verify"),
    "explain-part.ts": beside(outfile, "explain"),
  };
  for (const [entry, path] of Object.entries(parts)) await buildPart(entry, path, how);
  const lines = Object.values(parts).map((path) => `${sha256HexOf(path)}  ${basename(path)}\n`);
  writeFileSync(`${parts["start.ts"]}.sha256`, lines.join(""));
}

/** Returns the path of a part of the program: `svc-start.mjs` beside `svc.mjs`. */
export function beside(outfile: string, part: "start" | "verify" | "explain"): string {
  return outfile.replace(/\.mjs$/, `-${part}.mjs`);
}

interface HowToBuild {
  readonly name: string;
  readonly pageSha256Hex: string;
  readonly plugins: readonly Plugin[];
}

/**
 * Builds one executable file of everything that an entry needs. `pageSha256Hex`: of the page of the same sources, which
 * `svc verify page` compares.
 */
async function buildPart(entry: string, outfile: string, { name, pageSha256Hex, plugins }: HowToBuild) {
  const built = await build({
    metafile: true,
    absWorkingDir: root,
    entryPoints: [`packages/cli/src/${entry}`],
    outfile,
    bundle: true,
    platform: "node",
    format: "esm",
    target: `node${OLDEST_NODE}`,
    legalComments: "eof",
    logLevel: "warning",
    define: { SVC_PAGE_SHA256: JSON.stringify(pageSha256Hex), SVC_NAME: JSON.stringify(name) },
    plugins: [...plugins, noLookAtTheTerminal, processAsItIs, nodeModulesForCommander, minifiedLibraries],
    banner: { js: START },
  });
  // The place of the builder's libraries is nobody else's business.
  writeFileSync(outfile, readFileSync(outfile, "utf8").replaceAll(/^ *\/\/ node_modules\/\S+\n/gm, ""));
  chmodSync(outfile, 0o755);
  return built;
}

function sha256HexOf(path: string): string {
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}

if (isMain) await buildCli();
