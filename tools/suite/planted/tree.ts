/** The working tree, in which one fault at a time is planted; it is put back however this process ends. */
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { stripTypeScriptTypes } from "node:module";
import { dirname, join } from "node:path";
import process from "node:process";
import { type Fault, planted } from "./faults.ts";
import { languageOf } from "./masked.ts";

/** Says whether the tree differs from its commit. */
export function isDirty(root: string): boolean {
  return execFileSync("git", ["status", "--porcelain"], { cwd: root, encoding: "utf8" }) !== "";
}

/** The file that is changed now: its path, and its own text. */
let changed: { readonly path: string; readonly text: string } | null = null;

/** Puts back the file that is changed. */
export function restore(): void {
  if (changed !== null) writeFileSync(changed.path, changed.text);
  changed = null;
}
process.on("exit", restore);

/** Puts a fault into its file. Throws if another one is there. */
export function plant(fault: Fault, root: string): void {
  if (changed !== null) throw new Error("there is a fault already");
  const path = join(root, fault.file);
  const text = readFileSync(path, "utf8");
  const other = planted(text, fault);
  changed = { path, text };
  writeFileSync(path, other);
}

/** Says whether a file with the fault can be compiled. Types of TypeScript are not checked. */
export function compiles(fault: Fault, root: string): boolean {
  plant(fault, root);
  const path = join(root, fault.file);
  try {
    const language = languageOf(fault.file);
    if (language === "ts") stripTypeScriptTypes(readFileSync(path, "utf8"));
    if (language === "go") quiet("go", ["build", "-o", "/dev/null", "."], dirname(path));
    if (language === "python")
      quiet("python3", ["-c", "import ast, sys; ast.parse(open(sys.argv[1]).read())", path], root);
    return true;
  } catch {
    return false;
  } finally {
    restore();
  }
}

function quiet(program: string, words: readonly string[], cwd: string): void {
  const env = { ...process.env, GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly -buildvcs=false" };
  execFileSync(program, words, { cwd, env, stdio: "ignore" });
}
