/**
 * The tool on a tiny sample: it kills the mutants that the sample's tests notice, in each of the ways to die, and
 * reports the others.
 */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { instrument, SQL } from "../instrument.ts";
import { switches } from "../switches.ts";
import { table } from "../table.ts";
import { tryMutants } from "../trial.ts";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const sources = [here("sample/clock.ts")];
const tried = await tryMutants(await instrument(sources), {
  sources,
  tests: [here("sample/clock.sample.ts")],
  maxTestMs: 1000,
  silenceMs: 3000,
});

/** Returns the fate of the one mutant that replaces this by that. */
function fateOf(original: string, replacement: string): string {
  const found = tried.filter(({ mutant }) => mutant.original === original && mutant.replacement === replacement);
  assert.equal(found.length, 1, `one mutant turns ${original} into ${replacement}`);
  return found[0]?.fate ?? "";
}

test("a change that a test notices is killed, by that test", () => {
  assert.equal(fateOf("hour < 12", "hour >= 12"), "killed");
  const killer = tried.find(({ mutant }) => mutant.replacement === "hour >= 12")?.killer;
  assert.match(killer ?? "", /clock\.sample\.ts: nine is in the morning/);
});

test("a change that no test notices survives", () => {
  assert.equal(fateOf("hour < 12", "hour <= 12"), "survived");
});

test("a change that makes a loop endless is killed, inside the loop by its hits and outside of it by the time", () => {
  assert.equal(fateOf("(hour + 1) % 24", "(hour + 1) * 24"), "killed");
  assert.equal(fateOf("to % 24", "to * 24"), "endless");
});

test("a change where no test comes by is uncovered", () => {
  assert.equal(fateOf("hour > 22", "hour >= 22"), "uncovered");
});

test("a mutant keeps its key where other lines of its file change, and each has its own", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mutants-test-"));
  const file = join(folder, "clock.ts");
  const keys = async (text: string) => {
    writeFileSync(file, text);
    return (await instrument([file])).mutants.map(({ key }) => key);
  };
  const [source = ""] = sources;
  const text = readFileSync(source, "utf8");
  const before = await keys(text);
  assert.equal(new Set(before).size, before.length);
  assert.deepEqual((await keys(`// A line more.\n${text}`)).sort(), before.sort());
  assert.notDeepEqual((await keys(text.replace("< 12", "< 13"))).sort(), before.sort());
  rmSync(folder, { recursive: true });
});

test("texts of words are not mutated, names are", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mutants-test-"));
  const file = join(folder, "texts.ts");
  const [words, names] = [
    ['"two words"', '"one, two"', "`$" + "{n} words, said`"],
    ['"name"', "`name-$" + "{n}`", "`$" + "{n} $" + "{n}`"],
  ];
  writeFileSync(file, `export const texts = (n: number) => [${[...words, ...names]}];`);
  const texts = (await instrument([file])).mutants.filter(({ mutator }) => mutator === "StringLiteral");
  assert.deepEqual(
    texts.map(({ original }) => original),
    names,
  );
  rmSync(folder, { recursive: true });
});

test("the table counts them, and lists those that live", () => {
  const lines = table(tried, here("."), true);
  const lives = tried.filter(({ fate }) => fate === "survived" || fate === "uncovered").length;
  assert.equal(lines[2], `| sample | ${tried.length} | 0 | ${tried.length - lives} | ${lives} | ${percent(lives)} |`);
  assert.ok(lines.includes("| sample/clock.ts:5:10 | `hour < 12` → `hour <= 12` | survived |"));
  assert.equal(lines.filter((line) => line.endsWith("| survived |") || line.endsWith("| uncovered |")).length, lives);
});

function percent(lives: number): string {
  return ((100 * (tried.length - lives)) / tried.length).toFixed(1);
}

test("conditions of SQL are left out or moved, and every parameter stays", async () => {
  const folder = mkdtempSync(join(tmpdir(), "mutants-test-"));
  const file = join(folder, "store.ts");
  const column = "$" + "{column}";
  const texts = [
    '"SELECT a FROM t WHERE a < $1 AND b IS NULL"',
    `\`UPDATE t SET a = $1 WHERE ${column} = 1 OR c.d = 'x'\``,
    '"WHERE is = no statement"',
  ];
  writeFileSync(file, `export const texts = (column: string) => [${texts}];`);
  const { mutants, modules } = await instrument([file]);
  const changes = mutants.filter(({ mutator }) => mutator === SQL);
  assert.deepEqual(
    changes.map(({ original, replacement }) => `${original} => ${replacement}`),
    [
      "a < $1 => $1 IS $1",
      "a < $1 => a <= $1",
      "b IS NULL => 1 IS 1",
      "b IS NULL => b IS NOT NULL",
      "c.d = 'x' => 1 IS NOT 1",
      "is = no => 1 IS 1",
    ],
  );
  const [code = ""] = Object.values(modules);
  const made = (active: string | null): string[] => {
    switches.active = active;
    switches.hitsLeft = 10;
    const { texts: of } = new Function(`${code.replace("export const", "const")}; return { texts };`)();
    const result = of("x");
    switches.active = null;
    return result;
  };
  const [select, update] = made(null);
  assert.equal(select, "SELECT a FROM t WHERE a < $1 AND b IS NULL");
  assert.equal(made(changes[1]?.id ?? "")[0], "SELECT a FROM t WHERE a <= $1 AND b IS NULL");
  assert.equal(made(changes[4]?.id ?? "")[1], "UPDATE t SET a = $1 WHERE x = 1 OR 1 IS NOT 1");
  assert.ok(update?.endsWith("c.d = 'x'"));
  rmSync(folder, { recursive: true });
});
