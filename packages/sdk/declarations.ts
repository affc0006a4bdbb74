/**
 * The types of the package, for whoever has not its sources: what the compiler declares of the entries, and of all that their declarations name.
 * Paths between them lead to where they are in the package.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const SPECIFIER = /(?<=\bfrom "|\bimport\("|\bimport ")[^"]+(?=")/g;

/** Writes the declarations of entries, given as files below `packages`, into a folder, with their paths from `packages` on. */
export function writeDeclarations(entries: readonly string[], into: string): void {
  const emitted = mkdtempSync(join(tmpdir(), "svc-declarations-"));
  try {
    const tsc = join(dirname(createRequire(import.meta.url).resolve("typescript/package.json")), "bin/tsc");
    const config = fileURLToPath(new URL("tsconfig.build.json", import.meta.url));
    execFileSync(process.execPath, [tsc, "-p", config, "--outDir", emitted], { stdio: "inherit" });
    const waiting = entries.map(declarationOf);
    const written = new Set<string>();
    for (let file = waiting.pop(); file !== undefined; file = waiting.pop()) {
      if (written.has(file)) continue;
      written.add(file);
      const text = readFileSync(join(emitted, file), "utf8").replace(SPECIFIER, (specifier) => {
        const target = targetOf(specifier, file as string);
        if (target === null) return specifier;
        waiting.push(target);
        const path = relative(dirname(file as string), target).replace(/\.d\.ts$/, ".js");
        return path.startsWith(".") ? path : `./${path}`;
      });
      mkdirSync(dirname(join(into, file)), { recursive: true });
      writeFileSync(join(into, file), text);
    }
  } finally {
    rmSync(emitted, { recursive: true });
  }
}

/** The declaration that a specifier in another one means, from `packages` on; null where that is another package's. */
function targetOf(specifier: string, from: string): string | null {
  if (specifier.startsWith(".")) return declarationOf(join(dirname(from), specifier));
  const [, name, path = ""] = /^@svc\/(\w+)(\/.*)?$/.exec(specifier) ?? [];
  if (name === undefined) return null;
  const { exports } = JSON.parse(readFileSync(join(root, "packages", name, "package.json"), "utf8"));
  return declarationOf(join(name, exports[`.${path}`]));
}

function declarationOf(source: string): string {
  return source.replace(/\.ts$/, ".d.ts");
}
