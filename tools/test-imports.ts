/**
 * The direction of imports around tests: nobody imports a file of another package's tests, and no package's source
 * imports testkit. It reads the text of imports; it does not see a path that is computed at run time.
 */
import { existsSync, globSync, readFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";

const SOURCES = "{packages,tools,bench,conformance,demo,docs,fixtures}/**/*.{ts,mjs,js}";
/** This includes `new URL("…", import.meta.url)`, by which threads and processes are started. */
const IMPORTED = /\b(?:from|import|URL)\s*\(?\s*"([^"]+)"/g;
const TESTKIT = "packages/testkit";

/** Returns each forbidden import below a repository's root, as a sentence. */
export function testImportFaults(root: string): string[] {
  const exclude = (name: string) => /(?:^|\/)(?:node_modules|dist)$/.test(name);
  return globSync(SOURCES, { cwd: root, exclude }).flatMap((file) => {
    const faults = new Set<string>();
    for (const [, specifier = ""] of readFileSync(join(root, file), "utf8").matchAll(IMPORTED)) {
      const target = targetOf(root, file, specifier);
      const owner = /^(.*?)\/test\//.exec(target)?.[1];
      // A test of this check contains imports whose targets do not exist from its own place.
      if (owner !== undefined && !file.startsWith(`${owner}/`) && existsSync(join(root, target)))
        faults.add(`${file}: imports from the tests of ${owner}; what tests share is in ${TESTKIT}`);
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

/** Returns the target of a specifier, as a path from the root; other packages' names stay unchanged. */
function targetOf(root: string, file: string, specifier: string): string {
  if (specifier.startsWith(".")) return relative(root, join(root, dirname(file), specifier)).replaceAll("\\", "/");
  return specifier.replace(/^@svc\/testkit\b/, TESTKIT);
}
