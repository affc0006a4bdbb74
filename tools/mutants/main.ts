/**
 * Changes core's verifying code in every small way, and tells which changes no test notices: `pnpm mutants [--files glob] [--tests glob]
 * [--budget ms] [--slow] [--again] [--no-types] [--list-survivors]`. docs/mutants.md says how to read what it prints.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { refused } from "./compile.ts";
import { instrument, type Mutant } from "./instrument.ts";
import { lives, table } from "./table.ts";
import { type Tried, tryMutants } from "./trial.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SOURCES = [
  "packages/core/src/{verify,verifier,verify-all,read-in-bulk,kinds,redact,find-fork,cross-check,seal}.ts",
  "packages/core/src/report/{examination,expectations,bounds,difference,meaning,shape}.ts",
  "packages/core/src/{archive,objects,trust,note,encoding}/**/*.ts",
];
/** Not those that start processes, and of those of the kernels, which are not mutated, only the one about core's own encodings. */
const TESTS = ["packages/core/test/{*,anchor/*,archive/*,kernel/encoding}.test.ts"];
/** Tests that take longer, and files that take long to load, are left for `--slow`: they run the same code as others, many times. */
const MAX_TEST_MS = 3000;
const SLOW_TEST_MS = 100_000;
/** Against a test's own time this is long, since other work may share the machine. */
const SILENCE_MS = 15_000;
const SLOW_FILES = ["packages/core/test/{tamper,tamper-package,helpers,bulk-parts,never-throws}.test.ts"];

const { values } = parseArgs({
  allowNegative: true,
  options: {
    files: { type: "string", multiple: true, default: SOURCES },
    tests: { type: "string", multiple: true, default: TESTS },
    budget: { type: "string" },
    types: { type: "boolean", default: true },
    slow: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    "list-survivors": { type: "boolean", default: false },
  },
});
const inScope = new Set(globSync(SOURCES, { cwd: ROOT }));
const sources = globSync(values.files, { cwd: ROOT }).filter((file) => inScope.has(file));
const slow = new Set(globSync(SLOW_FILES, { cwd: ROOT }));
const tests = globSync(values.tests, { cwd: ROOT }).filter((file) => values.slow || !slow.has(file));
const lastRun = join(ROOT, "tools/mutants/dist/last-run.json");
const before = existsSync(lastRun) ? (JSON.parse(readFileSync(lastRun, "utf8")) as Tried[]) : [];
const files = new Set(sources.map((file) => join(ROOT, file)));
const instrumented = await instrument([...files]);
const now = new Map(instrumented.mutants.map((mutant) => [mutant.key, mutant]));
const results = new Map<string, Tried>();
for (const one of before) {
  const { key, file } = one.mutant;
  const mutant = now.get(key);
  if (!files.has(file)) results.set(key, one);
  else if (values.again && mutant !== undefined) results.set(key, { ...one, mutant });
}
const wanted = instrumented.mutants.filter(({ key }) => {
  const known = results.get(key);
  return known === undefined || lives(known);
});
const core = { project: join(ROOT, "packages/core"), tsc: join(ROOT, "node_modules/.bin/tsc") };
// What a run has tried once does compile.
const untried = wanted.filter(({ key }) => !results.has(key));
const uncompiled = values.types
  ? refused(untried, core, (found) => console.log(`# ${found} do not compile`))
  : new Set<Mutant>();
for (const mutant of uncompiled) note({ mutant, fate: "refused", killer: null });
keep();

const maxTestMs = values.slow ? SLOW_TEST_MS : MAX_TEST_MS;
const compiled = new Set(wanted.filter((mutant) => !uncompiled.has(mutant)));
await tryMutants(instrumented, {
  sources: [...files],
  tests: tests.map((file) => join(ROOT, file)),
  first: [join(ROOT, "tools/mutants/quick-kernels.ts")],
  ...(values.budget === undefined ? {} : { budgetMs: Number(values.budget) }),
  maxTestMs,
  silenceMs: values.slow ? SILENCE_MS + SLOW_TEST_MS : SILENCE_MS,
  before,
  wanted: (mutant) => compiled.has(mutant),
  onMeasured: (name, ms, done, all) => {
    if (ms > maxTestMs) console.log(`# left out, ${Math.round(ms)} ms: ${relative(ROOT, name)}`);
    if (done % 100 === 0) console.log(`# ${done} of ${all} tests measured, ${Math.round(performance.now() / 1000)} s`);
  },
  onTried: (tried, done, all) => {
    note(tried);
    if (done % 100 !== 0) return;
    console.log(`# ${done} of ${all}, ${Math.round(performance.now() / 1000)} s`);
    keep();
  },
});
keep();
const chosen = instrumented.mutants.flatMap(({ key }) => results.get(key) ?? []);
for (const line of table(chosen, ROOT, values["list-survivors"])) console.log(line);

function note(tried: Tried): void {
  const { mutant, fate } = tried;
  results.set(mutant.key, tried);
  if (lives(tried))
    console.log(`${fate} ${relative(ROOT, mutant.file)}:${mutant.line}:${mutant.column} ${mutant.mutator}`);
}

function keep(): void {
  mkdirSync(join(lastRun, ".."), { recursive: true });
  writeFileSync(lastRun, JSON.stringify([...results.values()], null, 1));
}
