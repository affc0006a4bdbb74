/** Compares the files of a folder with what they should be. */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** Files by their paths from a root, as `spec/codes.json`. */
type Files = ReadonlyMap<string, string>;

/** Where every file is made: of another one nobody knows from what. */
const MADE = ["spec/**/*.json", "sdks/go/**/*_gen.go"];
/** The files there that `pnpm kernel:build` makes. */
const OTHERS = ["sdks/go/wasmkernel/**"];

/** Returns the paths whose files are missing or have another text, and those of files that nothing makes. */
function differences(
  root: string,
  files: Files,
): { readonly stale: readonly string[]; readonly left: readonly string[] } {
  const there = globSync(MADE, { cwd: root, exclude: OTHERS }).map((path) => path.replaceAll("\\", "/"));
  return {
    stale: [...files].filter(([path, text]) => textOf(join(root, path)) !== text).map(([path]) => path),
    left: there.filter((path) => !files.has(path)),
  };
}

/** Returns a sentence for each file that is not as it should be. */
export function faultsOf(root: string, files: Files): string[] {
  const { stale, left } = differences(root, files);
  const command = "run `npx -y pnpm@12 run spec`";
  return [
    ...stale.map((path) => `${path} is not what core and the server give: ${command}.`),
    ...left.map((path) => `${path} is made of nothing: ${command}.`),
  ];
}

/** Writes the files that are not as they should be, and removes those that should not be there. */
export function write(root: string, files: Files): void {
  const { stale, left } = differences(root, files);
  for (const path of stale) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), files.get(path) ?? "");
  }
  for (const path of left) rmSync(join(root, path));
}

function textOf(path: string): string | null {
  return existsSync(path) ? readFileSync(path, "utf8") : null;
}
