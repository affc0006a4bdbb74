/**
 * Data that tests, benches and tools read is in the clone, so that a stranger's clone tests the same. This check
 * finds the names of a folder beside it: as a path in any file, also one whose parts are joined, and as the environment
 * variable that once named another one. It does not see a path that is computed otherwise.
 */
import { execFileSync } from "node:child_process";
import { lstatSync, readFileSync } from "node:fs";
import { join } from "node:path";

const OUTSIDE = /\.\.\/shared\b(?!-)|\bshared(?:\/|["'] ?[,/] ?["'])(?:vectors|bench)\b|\bSVC_VECTORS\b/;
/** This file and its test. */
const OWN = ["tools/outside-data.ts", "tools/suite/test/outside-data.test.ts"];

/** Returns each place below a repository's root that names such data, in files that Git has or would add. */
export function outsideDataFaults(root: string): string[] {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard", "--deduplicate"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  return files
    .filter((file) => file !== "" && !OWN.includes(file) && isFile(join(root, file)))
    .flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8");
      if (!OUTSIDE.test(text)) return [];
      return text.split("\n").flatMap((line, index) => (OUTSIDE.test(line) ? [faultAt(`${file}:${index + 1}`)] : []));
    });
}

function faultAt(place: string): string {
  return (
    `${place}: names data outside of the clone; vectors are in fixtures/vectors, and yardsticks in ` +
    `bench/yardsticks`
  );
}

/** Returns whether the working tree has the file: one that is deleted there may still be in the index. */
function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}
