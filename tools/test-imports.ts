/**
 * Which way imports around tests point: nobody imports a file of another package's tests, and no package's source imports testkit. Looks at the
 * text of imports; a path that is put together at run time is not seen.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SOURCES = "{packages,tools,bench,demo,docs,fixtures}/**/*.{ts,mjs,js}";
/** Also `new URL("…", import.meta.url)`, by which threads and processes are started. */
const IMPORTED = /\b(?:from|import|URL)\s*\(?\s*"([^"]+)"/g;
const TESTKIT = "packages/testkit";

/** Each forbidden import below a repository's root, as a sentence. */
export function testImportFaults(root: string): string[] {
  const exclude = (name: string) => /(?:^|\/)(?:node_modules|dist)$/.test(name);
  return globSync(SOURCES, { cwd: root, exclude }).flatMap((file) => {
    const faults = new Set<string>();
    for (const [, specifier = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORTED)) {
      const target = targetOf(root, file, specifier);
      const owner = /^(.*?)\/test\//.exec(target)?.[1];
      // A test of this check writes imports that lead nowhere from where it stands.
      if (owner !== undefined && !file.startsWith(`${owner}/`) && existsSync(join(root, target)))
        faults.add(`${file}: imports from the tests of ${owner}; what tests share stands in ${TESTKIT}`);
      if (
        /^packages\/[^/]+\/src\//.test(file) &&
        !file.startsWith(`${TESTKIT}/`) &&
        `${target}/`.startsWith(`${TESTKIT}/`)
      )
        faults.add(`${file}: imports testkit, which ships nowhere`);
    }
    return [...faults];
  });
}

/** What a specifier leads to, as a path from the root; other packages' names stay as they are. */
function targetOf(root: string, file: string, specifier: string): string {
  if (specifier.startsWith(".")) return relative(root, join(root, dirname(file), specifier)).replaceAll("\\", "/");
  return specifier.replace(/^@svc\/testkit\b/, TESTKIT);
}
