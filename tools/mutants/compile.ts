/**
 * Finds the mutants that the type checker refuses: `pnpm types` is a test as well. Many guards exist only because the
 * compiler demands them, and without one nothing compiles.
 */
import { execFileSync } from "node:child_process";
import { cpSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { Mutant } from "./instrument.ts";

/** The codes of syntax errors. */
const SYNTAX = /^1\d{3}$/;
/** A comment on its own line: if lines are joined, it would end the code behind it. */
const COMMENT = /^\s*\/\/.*$/;

/** The folder of a package, and the compiler: absolute paths. */
export interface Compiled {
  /** The folder with `src`. */
  readonly project: string;
  /** The configuration to extend: a path from a folder two below the project. */
  readonly tsconfig: string;
  readonly tsc: string;
}

/**
 * Returns the mutants of the package's sources that do not compile. It tries one of each function at a time, so that an
 * error can be assigned to it; and each one twice, among others, because the result of one function can break another.
 */
export function refused(
  mutants: readonly Mutant[],
  { project, tsconfig, tsc }: Compiled,
  onRound?: (found: number) => void,
): Set<Mutant> {
  const copy = join(project, "dist/mutants");
  const copyOf = (file: string) => join(copy, relative(project, file));
  rmSync(copy, { recursive: true, force: true });
  cpSync(join(project, "src"), join(copy, "src"), { recursive: true });
  writeFileSync(join(copy, "tsconfig.json"), JSON.stringify({ extends: tsconfig, include: ["src"], exclude: [] }));
  const texts = new Map(mutants.map(({ file }) => [file, readFileSync(file, "utf8")]));
  const units = new Map([...texts].map(([file, text]) => [file, unitsOf(text)]));
  const unitOf = (file: string, line: number) => `${file} ${units.get(file)?.[line - 1]}`;
  try {
    return tried([...tried(mutants, false)], true);
  } finally {
    rmSync(copy, { recursive: true });
  }

  function tried(some: readonly Mutant[], backwards: boolean): Set<Mutant> {
    const ofUnits = [...Map.groupBy(some, ({ file, line }) => unitOf(file, line)).values()];
    const found = new Set<Mutant>();
    for (let round = 0; ofUnits.some((ofUnit) => round < ofUnit.length); round++) {
      const together = ofUnits.flatMap((ofUnit) => ofUnit.at(backwards ? -1 - round : round) ?? []);
      const wrong = unitsWithErrors(together);
      for (const mutant of together) if (wrong.has(unitOf(mutant.file, mutant.line))) found.add(mutant);
      onRound?.(found.size);
    }
    return found;
  }

  function unitsWithErrors(together: readonly Mutant[]): Set<string> {
    const ofFiles = Map.groupBy(together, ({ file }) => file);
    for (const [file, ofFile] of ofFiles) writeFileSync(copyOf(file), mutated(texts.get(file) ?? "", ofFile));
    // Several threads would each compute the same types of the imports.
    const output = outputOf(tsc, ["--noEmit", "--pretty", "false", "--singleThreaded", "-p", "."], copy);
    for (const file of ofFiles.keys()) cpSync(file, copyOf(file));
    const errors = [...output.matchAll(/^(.+?)\((\d+),\d+\): error TS(\d+)/gm)];
    const unitsOf = (some: typeof errors) =>
      new Set(some.map(([, path = "", line = ""]) => unitOf(join(project, path), Number(line))));
    const broken = unitsOf(errors.filter(([, , , code = ""]) => SYNTAX.test(code)));
    if (broken.size === 0) return unitsOf(errors);
    // The compiler reports no types if a file cannot be read.
    const others = together.filter(({ file, line }) => !broken.has(unitOf(file, line)));
    return others.length < together.length ? new Set([...broken, ...unitsWithErrors(others)]) : unitsOf(errors);
  }
}

/** Returns, for each line of a formatted text, the number of its function, method, route or other statement. */
function unitsOf(text: string): number[] {
  let unit = 0;
  let inClass = false;
  return text.split("\n").map((line) => {
    if (/^[^\s})\]/*]/.test(line)) {
      unit++;
      inClass = /\bclass\b/.test(line);
    } else if (/^ {4}route\(/.test(line) || (inClass && /^ {2}[^\s})\]/*]/.test(line))) unit++;
    return unit;
  });
}

/** Returns a text with mutants in it that do not overlap; every other line keeps its number. */
function mutated(text: string, mutants: readonly Mutant[]): string {
  const last = [...mutants].sort((a, b) => b.start - a.start);
  return last.reduce((all, { start, end, replacement }) => {
    const lines = all.slice(start, end).split("\n").length;
    const own = replacement.split("\n");
    const fitting =
      own.length > lines
        ? own.filter((line) => !COMMENT.test(line)).join(" ")
        : replacement + "\n".repeat(lines - own.length);
    return all.slice(0, start) + fitting + all.slice(end);
  }, text);
}

/** Returns the output of a command, whether it fails or not. */
function outputOf(command: string, args: readonly string[], cwd: string): string {
  try {
    return execFileSync(command, args, { cwd, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  } catch (error) {
    return (error as { readonly stdout: string }).stdout;
  }
}
