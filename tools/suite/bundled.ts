/**
 * The modules of a run that are bundled once, for tools/suite/modules.mjs: libraries of hundreds of files, which each
 * test file loads anew, and the threads of the server, which each server starts anew.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { build } from "esbuild";
import { REQUIRE, THREADS } from "../../packages/server/build.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Libraries of many files, by the specifier in our sources; each with a package that depends on it. */
export const LIBRARIES: Readonly<Record<string, string>> = {
  "ajv/dist/2020.js": "host",
  express: "host",
  "micro-eth-signer": "server",
  pg: "host",
  pino: "host",
  "prom-client": "host",
  typebox: "core",
};

/** By specifier, and by the URL of a thread's source: URLs of what a test process loads instead. */
export interface Bundled {
  readonly libraries: Readonly<Record<string, string>>;
  readonly threads: Readonly<Record<string, string>>;
}

/** Bundles the libraries into a folder, which also has the built server. Rejects with esbuild's errors. */
export async function bundleModules(folder: string): Promise<Bundled> {
  const outdir = join(folder, "libraries");
  mkdirSync(outdir);
  const libraries: Record<string, string> = {};
  const entryPoints: Record<string, string> = {};
  for (const [specifier, room] of Object.entries(LIBRARIES)) {
    const name = specifier.replaceAll(/\W/g, "-");
    entryPoints[name] = join(outdir, `${name}.entry.mjs`);
    writeFileSync(entryPoints[name], await reexported(specifier, join(ROOT, "packages", room, "package.json")));
    libraries[specifier] = `${pathToFileURL(join(outdir, `${name}.mjs`))}`;
  }
  await build({
    entryPoints,
    outdir,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    banner: { js: REQUIRE },
    logLevel: "error",
  });
  const url = (path: string) => `${pathToFileURL(path)}`;
  const threads = Object.entries(THREADS).map(([name, source]) => [
    url(join(ROOT, source)),
    url(join(folder, "server", `${name}.mjs`)),
  ]);
  return { libraries, threads: Object.fromEntries(threads) };
}

/** Returns a module with the names that Node finds in a library: a bundle of a CommonJS one has none by itself. */
async function reexported(specifier: string, manifest: string): Promise<string> {
  // It is found as a module of that package finds it.
  const parentURL = `${pathToFileURL(manifest)}`;
  const hooks = registerHooks({ resolve: (asked, context, next) => next(asked, { ...context, parentURL }) });
  const url = import.meta.resolve(specifier);
  hooks.deregister();
  const names = Object.keys(await import(url)).filter((name) => !["default", "module.exports"].includes(name));
  return `import * as all from ${JSON.stringify(fileURLToPath(url))};
export default all.default;
${names.map((name, index) => `const _${index} = all.${name};\nexport { _${index} as ${name} };\n`).join("")}`;
}
