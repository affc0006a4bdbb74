/**
 * Puts all mutants of some modules into their text at once (mutant schemata): each is behind a switch, so that one
 * loaded program is every mutant in turn. The switches and counters are the functions of switches.ts.
 */
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { Instrumenter } from "@stryker-mutator/instrumenter";
import { transformSync } from "esbuild";
import { leftOut } from "./left-out.ts";
import { sqlChanges, withSqlSwitches } from "./sql.ts";

/** One small change of the code. Lines and columns count from 1. */
export interface Mutant {
  readonly id: string;
  /** Its name, the same from run to run, even if other lines of its file have changed. */
  readonly key: string;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** The kind of change, by the instrumenter's name for it. */
  readonly mutator: string;
  readonly original: string;
  readonly replacement: string;
  /** The original's place in the file's text, as offsets; `end` is the first offset behind it. */
  readonly start: number;
  readonly end: number;
}

/** Modules with their mutants in them. */
export interface Instrumented {
  /** JavaScript by the URL of its module. */
  readonly modules: Readonly<Record<string, string>>;
  readonly mutants: readonly Mutant[];
}

/** The kind of a change of SQL, which no compiler checks. */
export const SQL = "Sql";

const silent = () => undefined;
const LOGGER = {
  isTraceEnabled: () => false,
  isDebugEnabled: () => false,
  isInfoEnabled: () => false,
  isWarnEnabled: () => false,
  isErrorEnabled: () => false,
  isFatalEnabled: () => false,
  trace: silent,
  debug: silent,
  info: silent,
  warn: silent,
  error: silent,
  fatal: silent,
};

/** Instruments TypeScript files, given by absolute path. left-out.ts names the parts that are not mutated. */
export async function instrument(files: readonly string[]): Promise<Instrumented> {
  const texts = new Map(files.map((file) => [file, readFileSync(file, "utf8")]));
  const result = await new Instrumenter(LOGGER).instrument(
    [...texts].map(([name, content]) => ({ name, content, mutate: true })),
    { plugins: null, excludedMutations: [], ignorers: [leftOut], noHeader: true },
  );
  const compilerOptions = { verbatimModuleSyntax: true, target: "es2023" };
  const changes = [...texts].map(([file, text], index) => {
    const ofFile = sqlChanges(text).map((change, place) => ({ ...change, id: `sql-${index}-${place}` }));
    return [file, ofFile] as const;
  });
  const sqlIds = new Map(changes.map(([file, ofFile]) => [file, ofFile.map(({ id }) => id)]));
  const modules = result.files.map(({ name, content }) => {
    const switched = withSqlSwitches(content, texts.get(name) ?? "", sqlIds.get(name) ?? []);
    const { code } = transformSync(switched, { loader: "ts", tsconfigRaw: { compilerOptions } });
    return [pathToFileURL(name).href, code] as const;
  });
  const sameSoFar = new Map<string, number>();
  const mutantOf = (file: string, change: Pick<Mutant, "id" | "mutator" | "start" | "end" | "replacement">): Mutant => {
    const { start, end, replacement } = change;
    const text = texts.get(file) ?? "";
    const original = text.slice(start, end);
    const name = `${file}: ${lineAt(text, start)}: ${original} => ${replacement}`;
    const same = sameSoFar.get(name) ?? 0;
    sameSoFar.set(name, same + 1);
    const before = text.slice(0, start).split("\n");
    const [line, column] = [before.length, (before.at(-1) ?? "").length + 1];
    return { ...change, key: `${name} ${same}`, file, line, column, original };
  };
  const mutants = result.mutants
    .filter(({ status }) => status === undefined)
    .map(({ id, fileName, location, mutatorName: mutator, replacement }) => {
      const text = texts.get(fileName) ?? "";
      const [start, end] = [offsetOf(text, location.start), offsetOf(text, location.end)];
      return mutantOf(fileName, { id, mutator, replacement, start, end });
    });
  const ofSql = changes.flatMap(([file, ofFile]) =>
    ofFile.map((change) => mutantOf(file, { ...change, mutator: SQL })),
  );
  return { modules: Object.fromEntries(modules), mutants: [...mutants, ...ofSql] };
}

function offsetOf(text: string, { line, column }: { readonly line: number; readonly column: number }): number {
  const before = text.split("\n").slice(0, line);
  return before.reduce((sum, one) => sum + one.length + 1, 0) + column;
}

/** Returns the line around an offset, without its indentation. */
function lineAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return (text.slice(start).split("\n", 1)[0] ?? "").trim();
}
