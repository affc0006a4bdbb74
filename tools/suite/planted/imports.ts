/** How far each test file is from a source by imports: a better guess than folders at who notices a fault first. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

const IMPORT = /(?:\bfrom |\bimport |\bimport\(|new URL\()"([^"]+\.ts|@svc\/[^"]+)"/g;

/** These import the builds of all products, of which a test uses one. */
const BUILDERS = /^packages\/testkit\/src\/built?[\w-]*\.ts$/;

/** By path: the files that import it. All paths are from the root of the repository. */
export type Importers = ReadonlyMap<string, readonly string[]>;

/** Reads the imports of all tracked files in TypeScript. */
export function readImporters(root: string): Importers {
  const files = execFileSync("git", ["ls-files", "-z", "*.ts"], { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 });
  const importers = new Map<string, string[]>();
  for (const file of files.split("\0").filter((path) => path !== ""))
    for (const [, specifier = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORT)) {
      const imported = resolved(specifier, file, root);
      if (imported === null) continue;
      const known = importers.get(imported) ?? [];
      importers.set(imported, [...known, file]);
    }
  return importers;
}

function resolved(specifier: string, file: string, root: string): string | null {
  if (specifier.startsWith(".")) return normalize(join(dirname(file), specifier));
  const [, name = "", rest = ""] = /^@svc\/([^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === "") return null;
  const { exports = {} } = manifestOf(name, root);
  const target = exports[`.${rest}`] ?? exports["./*"]?.replace("*", rest.slice(1));
  return target === undefined ? null : normalize(join("packages", name, target));
}

const manifests = new Map<string, { readonly exports?: Readonly<Record<string, string>> }>();

function manifestOf(name: string, root: string) {
  const found = manifests.get(name) ?? readManifest(join(root, "packages", name, "package.json"));
  manifests.set(name, found);
  return found;
}

function readManifest(path: string): { readonly exports?: Readonly<Record<string, string>> } {
  try {
    const { exports } = JSON.parse(readFileSync(path, "utf8"));
    const targets = Object.entries(exports ?? {}).filter(([, target]) => typeof target === "string");
    return { exports: Object.fromEntries(targets) as Record<string, string> };
  } catch {
    return {};
  }
}

/** Returns the number of imports between a source and each file that it reaches. */
export function importDepths(source: string, importers: Importers): ReadonlyMap<string, number> {
  const depths = new Map([[source, 0]]);
  const queue = [source];
  for (let file = queue.shift(); file !== undefined; file = queue.shift())
    for (const importer of importers.get(file) ?? [])
      if (!depths.has(importer) && !BUILDERS.test(importer)) {
        depths.set(importer, (depths.get(file) ?? 0) + 1);
        queue.push(importer);
      }
  return depths;
}
