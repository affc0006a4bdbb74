/**
 * Changes core's verifying code, or the server's, in every small way, and reports the changes that no test notices:
 * `pnpm mutants [--of core|server|host] [--files glob] [--tests glob] [--budget ms] [--share n] [--slow] [--again]
 * [--no-types] [--list-survivors]`. docs/mutants.md explains its output.
 */
import { hash } from "node:crypto";
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { refused } from "./compile.ts";
import { instrument, type Mutant, SQL } from "./instrument.ts";
import { lives, table } from "./table.ts";
import { TARGETS } from "./targets.ts";
import { type Tried, tryMutants } from "./trial.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const SLOW_TEST_MS = 100_000;
/** The time beyond a test's own limit: it has to be cleaned up, and other work may share the machine. */
const SILENCE_MS = 12_000;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    of: { type: "string", default: "core" },
    files: { type: "string", multiple: true },
    tests: { type: "string", multiple: true },
    budget: { type: "string" },
    share: { type: "string", default: "1" },
    types: { type: "boolean", default: true },
    slow: { type: "boolean", default: false },
    again: { type: "boolean", default: false },
    "list-survivors": { type: "boolean", default: false },
  },
});
const target = TARGETS[values.of];
if (target === undefined) throw new RangeError(`--of takes one of ${Object.keys(TARGETS).join(", ")}`);
const found = (globs: readonly string[]) => globSync([...globs], { cwd: ROOT });
const leftOut = new Set(found(target.leftOut));
const inScope = new Set(found(target.sources).filter((file) => !leftOut.has(file)));
const sources = found(values.files ?? target.sources).filter((file) => inScope.has(file));
const slow = new Set(found(target.slowFiles));
const tests = found(values.tests ?? target.tests).filter((file) => values.slow || !slow.has(file));
const lastRun = join(ROOT, "tools/mutants/dist", target.lastRun);
const before = existsSync(lastRun) ? (JSON.parse(readFileSync(lastRun, "utf8")) as Tried[]) : [];
const files = new Set(sources.map((file) => join(ROOT, file)));
const whole = await instrument([...files]);
const instrumented = { ...whole, mutants: whole.mutants.filter(isOfShare) };
const now = new Map(whole.mutants.map((mutant) => [mutant.key, mutant]));
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
const compiler = {
  project: join(ROOT, target.project),
  tsconfig: target.tsconfig,
  tsc: join(ROOT, "tools/compiler/node_modules/typescript-7/bin/tsc"),
};
// A mutant from an earlier run does compile, and to the compiler SQL is text.
const untried = wanted.filter(({ key, mutator }) => !results.has(key) && mutator !== SQL);
const uncompiled = values.types
  ? refused(untried, compiler, (found) => console.log(`# ${found} do not compile`))
  : new Set<Mutant>();
for (const mutant of uncompiled) note({ mutant, fate: "refused", killer: null });
keep();

const maxTestMs = values.slow ? SLOW_TEST_MS : target.maxTestMs;
const compiled = new Set(wanted.filter((mutant) => !uncompiled.has(mutant)));
await tryMutants(instrumented, {
  sources: [...files],
  tests: tests.map((file) => join(ROOT, file)),
  first: target.first.map((file) => join(ROOT, file)),
  ...(values.budget === undefined ? {} : { budgetMs: Number(values.budget) }),
  maxTestMs,
  silenceMs: SILENCE_MS,
  before,
  wanted: (mutant) => compiled.has(mutant),
  onMeasured: (name, { ms, failure }, done, all) => {
    if (failure !== null) console.log(`# left out, fails without any mutant: ${relative(ROOT, name)}: ${failure}`);
    else if (ms > maxTestMs) console.log(`# left out, ${Math.round(ms)} ms: ${relative(ROOT, name)}`);
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

/** Says whether a mutant is one in so many, the same ones from run to run and on every machine. */
function isOfShare({ key }: Mutant): boolean {
  return hash("sha256", key.replace(ROOT, ""), "buffer").readUInt32BE() % Number(values.share) === 0;
}

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
