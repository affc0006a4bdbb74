/**
 * The checks that no linter makes: one version everywhere, exact dependency versions with a reason each, imports that
 * point one way, links that lead somewhere, and data that is in the clone. `--write` copies the root package.json's
 * version to every place.
 */
import { copyFileSync, existsSync, globSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { circlesOf } from "./circles.ts";
import { commentFaults } from "./comments.ts";
import { goSdkFaults } from "./go-sdk.ts";
import { lineWidthFaults } from "./line-widths.ts";
import { outsideDataFaults } from "./outside-data.ts";
import { plainWordFaults } from "./plain-words.ts";
import { scriptToolFaults } from "./script-tools.ts";
import { testFiles } from "./suite/plan.ts";
import { testImportFaults } from "./test-imports.ts";

interface PackageJson {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** The workspace packages that each package may import. Nothing imports the platform, and it alone the server. */
const ALLOWED: Readonly<Record<string, readonly string[]>> = {
  wasm: [],
  core: ["wasm"],
  api: ["core"],
  sdk: ["core", "api"],
  report: ["core"],
  cli: ["sdk", "core", "report", "api"],
  "web-verify": ["core", "report"],
  host: ["core", "api"],
  server: ["host", "api", "core", "web-verify"],
  witness: ["host", "core"],
  platform: ["host", "api", "core", "report", "server"],
};
/** It builds the products, and only tests and tools import it. */
const TESTKIT = "testkit";
/** Packages from which another may import types but no code: a bundle must not grow by them. */
const TYPES_ONLY: Readonly<Record<string, readonly string[]>> = { sdk: ["api"] };
/** The exception to the rule above: the service for users' own tests is the real one, or a test would prove nothing. */
const MAY_IMPORT_SERVER = "packages/sdk/src/entries/testing.ts";
/** Entries of a package that are all that another may import of it: the command needs the table of errors, no route. */
const ONLY_ENTRIES: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  cli: { api: ["@svc/api/errors"] },
  platform: { server: ["@svc/server/program", "@svc/server/services"] },
};
/** Packages that run in a browser too, and so import no Node module. */
const WITHOUT_NODE = ["api", "core", "report", "sdk", "wasm"];
/** The part of such a package that is a separate entry, for Node. */
const NODE_ENTRY = /^packages\/sdk\/src\/node\//;

/** So many circles there are that types alone close. The number may fall, and does not rise. */
const CIRCLES_OF_TYPES = 10;

/** An import or export of more than types, or a dynamic import, with its package. */
const IMPORTED_CODE = /(?:^(?:import|export)\b(?! type\b)[^;"]*?|\bimport\(\s*)"@svc\/([\w-]+)/gm;

const ROOT = fileURLToPath(new URL("..", import.meta.url));
const { version } = readPackage(ROOT);
const faults: string[] = [];
const rooms = readdirSync(join(ROOT, "packages"));

const others = [
  "demo",
  "tools/compiler",
  "tools/go",
  "tools/programs",
  "tools/sdk-reference",
  "tools/test-tools",
  "tools/token",
];

for (const folder of [...rooms.map((room) => `packages/${room}`), ...others].map((path) => join(ROOT, path))) {
  const path = join(folder, "package.json");
  if (process.argv.includes("--write")) replaceIn(path, /"version": "[^"]*"/, `"version": "${version}"`);
  checkPackage(folder);
}
const versionFile = join(ROOT, "packages/core/src/version.ts");
if (process.argv.includes("--write")) replaceIn(versionFile, /VERSION = "[^"]*"/, `VERSION = "${version}"`);
if (!readFileSync(versionFile, "utf8").includes(`VERSION = "${version}"`))
  faults.push(`packages/core/src/version.ts: not version ${version}; run this with --write`);
for (const manifest of ["packages/wasm/Cargo.toml", "packages/wasm/fuzz/Cargo.toml", "bench/native/Cargo.toml"]) {
  const path = join(ROOT, manifest);
  if (process.argv.includes("--write")) replaceIn(path, /^version = "[^"]*"/m, `version = "${version}"`);
  if (!readFileSync(path, "utf8").includes(`\nversion = "${version}"`))
    faults.push(`${manifest}: not version ${version}; run this with --write, then \`pnpm kernel:build\``);
}
checkPython();
for (const room of rooms) if (room !== TESTKIT) checkImports(room);
checkCircles();

for (const file of listPages(ROOT)) checkLinks(file);
checkTests();
faults.push(...goSdkFaults(ROOT, version, process.argv.includes("--write")));
faults.push(
  ...testImportFaults(ROOT),
  ...commentFaults(ROOT),
  ...outsideDataFaults(ROOT),
  ...plainWordFaults(ROOT),
  ...lineWidthFaults(ROOT),
  ...(await scriptToolFaults(ROOT)),
);

for (const fault of faults) console.error(fault);
console.log(faults.length === 0 ? "repository checks: no faults" : `repository checks: ${faults.length} faults`);
if (faults.length > 0) process.exit(1);

function checkPackage(folder: string): void {
  const name = relative(ROOT, folder);
  const own = readPackage(folder);
  if (own.version !== version) faults.push(`${name}: version ${own.version} is not ${version}; run this with --write`);
  for (const [dependency, wanted] of Object.entries({
    ...own.dependencies,
    ...own.devDependencies,
    ...own.optionalDependencies,
  })) {
    if (wanted !== "workspace:*" && !/^(npm:[@\w./-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(wanted))
      faults.push(`${name}: ${dependency} must be pinned to an exact version, not ${wanted}`);
  }
  const readme = readFileSync(join(folder, "README.md"), "utf8");
  for (const dependency of Object.keys({ ...own.dependencies, ...own.optionalDependencies })) {
    if (!readme.includes(`\`${dependency}\``))
      faults.push(`${name}/README.md: give a reason for the dependency ${dependency}`);
  }
}

/** Checks that the Python SDK and its plugin have this version, and the very kernel of packages/wasm. */
function checkPython(): void {
  const own = join(ROOT, "sdks/python");
  const kernel = join(ROOT, "packages/wasm/kernel.wasm");
  const { sha256 } = JSON.parse(readFileSync(join(ROOT, "packages/wasm/kernel.lock.json"), "utf8")) as {
    sha256: string;
  };
  const stated: readonly (readonly [string, RegExp, string])[] = [
    ["pyproject.toml", /^version = "[^"]*"/m, `version = "${version}"`],
    ["src/svc/_version.py", /^VERSION = "[^"]*"/m, `VERSION = "${version}"`],
    ["../pytest-svc/pyproject.toml", /^version = "[^"]*"/m, `version = "${version}"`],
    ["src/svc/_version.py", /^KERNEL_SHA256 = "[^"]*"/m, `KERNEL_SHA256 = "${sha256}"`],
  ];
  for (const [file, pattern, wanted] of stated) {
    const path = join(own, file);
    if (process.argv.includes("--write")) replaceIn(path, pattern, wanted);
    if (!readFileSync(path, "utf8").includes(`${wanted}\n`))
      faults.push(`sdks/python/${file}: not ${wanted}; run this with --write`);
  }
  const copy = join(own, "src/svc/_generated/kernel.wasm");
  if (process.argv.includes("--write")) copyFileSync(kernel, copy);
  if (!readFileSync(copy).equals(readFileSync(kernel)))
    faults.push("sdks/python/src/svc/_generated/kernel.wasm: not packages/wasm/kernel.wasm; run this with --write");
}

function checkImports(room: string): void {
  const source = join(ROOT, "packages", room, "src");
  for (const file of listSources(source)) {
    for (const [, workspace = ""] of readFileSync(file, "utf8").matchAll(IMPORTED_CODE))
      if (TYPES_ONLY[room]?.includes(workspace))
        faults.push(`${relative(ROOT, file)}: may import types of @svc/${workspace}, as \`import type\`, and no code`);
    for (const [, specifier = ""] of readFileSync(file, "utf8").matchAll(/\bfrom "([^"]+)"/g)) {
      const at = relative(ROOT, file);
      const workspace = /^@svc\/([\w-]+)/.exec(specifier)?.[1];
      const mayImport = workspace === "server" && at === MAY_IMPORT_SERVER;
      if (workspace !== undefined && !ALLOWED[room]?.includes(workspace) && !mayImport)
        faults.push(`${at}: may not import ${specifier}`);
      const entries = workspace === undefined ? undefined : ONLY_ENTRIES[room]?.[workspace];
      if (entries?.includes(specifier) === false)
        faults.push(`${at}: may import of @svc/${workspace} only ${entries.join(", ")}`);
      if (
        specifier.startsWith(".") &&
        !join(file, "..", specifier).startsWith(source) &&
        !specifier.endsWith("package.json")
      )
        faults.push(`${at}: reaches out of its package to ${specifier}`);
      const isForNode = NODE_ENTRY.test(at);
      if (WITHOUT_NODE.includes(room) && !isForNode && (specifier.startsWith("node:") || /\bnode\//.test(specifier)))
        faults.push(`${at}: runs in browsers, and imports ${specifier}`);
    }
  }
}

/** Checks that no folder is in a circle of imports, and that circles of types become no more. Prints these. */
function checkCircles(): void {
  const sources = [...rooms.map((room) => `packages/${room}/src`), "conformance", "bench", "tools", "demo", "fixtures"];
  const found = (imports: Parameters<typeof circlesOf>[1]) =>
    sources.flatMap((source) =>
      circlesOf(join(ROOT, source), imports).map(({ folder, rooms }) => `${join(source, folder)}: ${rooms.join(", ")}`),
    );
  for (const circle of found("values")) faults.push(`${circle} import each other: a circle of folders`);
  const ofTypes = found("types too");
  for (const circle of ofTypes) console.log(`a circle of types: ${circle}`);
  if (ofTypes.length !== CIRCLES_OF_TYPES)
    faults.push(
      `tools/check-repo.ts: ${ofTypes.length} circles of types, not ${CIRCLES_OF_TYPES}; untie a new one; write ` +
        `down a lower number`,
    );
}

/** Checks that a part of the tests runs every test file. */
function checkTests(): void {
  const run = new Set(testFiles(ROOT));
  const exclude = (name: string) => /(?:^|\/)(?:node_modules|dist)$/.test(name);
  for (const file of globSync("{packages,tools,bench,conformance,demo,docs,fixtures,sdks}/**/*.test.{ts,mjs,js}", {
    cwd: ROOT,
    exclude,
  }))
    if (!run.has(file)) faults.push(`${file}: no part of the tests runs it; see tools/suite/plan.ts`);
}

/** Checks that every relative link of a page leads to something. */
function checkLinks(file: string): void {
  for (const [, link = ""] of readFileSync(file, "utf8").matchAll(/\]\((?!https?:|#)([^)#]+)/g)) {
    if (!existsSync(join(file, "..", link)))
      faults.push(`${relative(ROOT, file)}: links to ${link}, which is not there`);
  }
}

function listPages(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory())
      return /^(node_modules|dist|demo-out|svc-data|\.git)$/.test(entry.name) ? [] : listPages(path);
    return entry.name.endsWith(".md") ? [path] : [];
  });
}

function listSources(folder: string): string[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: "utf8" })
      .filter((file) => /\.(ts|js|mjs)$/.test(file))
      .map((file) => join(folder, file));
  } catch {
    // A package that is not written yet has no source folder.
    return [];
  }
}

function readPackage(folder: string): PackageJson {
  return JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as PackageJson;
}

function replaceIn(path: string, pattern: RegExp, text: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(pattern, text));
}
