/** A project in its own folder, whose programs import the SDK by its name, and the compiler's errors about them. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { after } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

/** The repository. */
export const ROOT: string = fileURLToPath(new URL("../../..", import.meta.url));
const TSC = join(dirname(createRequire(join(ROOT, "package.json")).resolve("typescript/package.json")), "bin/tsc");

/** Makes the folder; it is deleted when the tests have run. */
export function programFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-programs-"));
  after(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, "node_modules/@svc"), { recursive: true });
  symlinkSync(join(ROOT, "packages/sdk"), join(folder, "node_modules/@svc/sdk"));
  symlinkSync(join(ROOT, "node_modules/@types"), join(folder, "node_modules/@types"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(
    join(folder, "tsconfig.json"),
    JSON.stringify({ extends: join(ROOT, "tsconfig.json"), include: ["."] }),
  );
  return folder;
}

/** Resolves to the compiler's errors about all programs in the folder; empty without errors. */
export function compilerErrors(folder: string): Promise<string> {
  return promisify(execFile)(process.execPath, [TSC, "-p", folder]).then(
    () => "",
    ({ stdout, stderr }) => `${stdout}${stderr}`,
  );
}
