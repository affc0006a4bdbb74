/**
 * The checks of the Go modules under sdks/go: the version that they require of each other, a reason for each
 * requirement, and the kernel that one of them embeds.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { goCopyFaults } from "../packages/wasm/toolchain/go-copy.ts";

/** A requirement of one of our modules, up to its version. */
const OWN = /^(\s*(?:require )?svc\.example\/go\S* v)\S+/gm;
/** The line of a requirement that the module's own sources have. */
const REQUIRED = /^(?:require |\t)(\S+) v\S+$/;

/** Returns each fault of the modules below a repository's root, as a sentence. `isWriting` sets the version first. */
export function goSdkFaults(root: string, version: string, isWriting: boolean): string[] {
  return [...moduleFaults(root, version, isWriting), ...goCopyFaults()];
}

/** Returns the faults of the modules' files alone. */
export function moduleFaults(root: string, version: string, isWriting: boolean): string[] {
  const files = globSync("sdks/go/{,**/}go.mod", { cwd: root });
  if (isWriting) for (const file of files) setVersion(join(root, file), version);
  return files.flatMap((file) => {
    const text = readFileSync(join(root, file), "utf8");
    const others = [...text.matchAll(OWN)].filter(([line]) => !line.endsWith(` v${version}`));
    return [
      ...others.map(([line]) => `${file}: requires ${line.trim()} and not v${version}; run this with --write`),
      ...unexplained(text).map((name) => `${file}: give a reason for the requirement ${name} in the line above it`),
    ];
  });
}

function setVersion(path: string, version: string): void {
  writeFileSync(path, readFileSync(path, "utf8").replace(OWN, `$1${version}`));
}

/** Returns the names of others' modules that are required without a comment above. */
function unexplained(text: string): string[] {
  const lines = text.split("\n");
  return lines.flatMap((line, index) => {
    const [, name = "svc.example/"] = REQUIRED.exec(line) ?? [];
    return name.startsWith("svc.example/") || /^\t?\/\/ /.test(lines[index - 1] ?? "") ? [] : [name];
  });
}
