/**
 * `pnpm test:whole [quick|slow|real ...]`: runs every test of the tiers, each once, and goes on where an earlier run of
 * the same commit was cut off. When all tiers have passed it writes costs.json, and it names each file that failed and
 * that the choice of CI would have left out: an escape.
 */
import { execFileSync } from "node:child_process";
import { appendFileSync, existsSync, mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { changesSince, headOf } from "./changes.ts";
import { choose, isChoosable } from "./choose.ts";
import { readCosts, writeCosts } from "./costs.ts";
import { nameOf, TIERS, type Tier, type Unit, unitsOf } from "./plan.ts";
import { tryUnits } from "./trial.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COSTS = fileURLToPath(new URL("costs.json", import.meta.url));

/** A line of the record: how a unit ended. */
interface Ended {
  readonly name: string;
  readonly passed: boolean;
  readonly seconds: number;
}

const asked = process.argv.slice(2);
const tiers = TIERS.filter((tier) => asked.length === 0 || asked.includes(tier));
if (asked.some((word) => !TIERS.includes(word as Tier))) {
  console.error(`usage: pnpm test:whole [${TIERS.join("|")} ...]`);
  process.exit(64);
}
const head = headOf(ROOT);
if (head === null || execFileSync("git", ["status", "--porcelain"], { cwd: ROOT, encoding: "utf8" }) !== "") {
  console.error("A whole run is one of a commit, and there are changes that are not committed.");
  process.exit(64);
}
const folder = join(ROOT, "node_modules/.cache/whole");
const record = join(folder, `${head}.jsonl`);
mkdirSync(folder, { recursive: true });

const before = readRecord();
const units = tiers.flatMap(wholeUnitsOf).filter((unit) => before.get(nameOf(unit))?.passed !== true);
console.log(`${units.length} files of ${tiers.join(", ")}; ${before.size} have ended in an earlier run of ${head}.`);
const isGreen = await tryUnits(units, {
  onEnd: (unit, passed, seconds) =>
    appendFileSync(record, `${JSON.stringify({ name: nameOf(unit), passed, seconds } satisfies Ended)}\n`),
});
process.exitCode = isGreen ? 0 : 1;

const after = readRecord();
const all = TIERS.flatMap(wholeUnitsOf);
const { costs } = readCosts(COSTS);
for (const name of escapes(all)) console.log(`ESCAPE ${name}: it failed, and the choice for this commit leaves it out`);
if (isGreen && all.every((unit) => after.has(nameOf(unit)))) {
  const seconds = Object.fromEntries([...after].map(([name, one]) => [name, one.seconds]));
  // A property in full is what a whole run has of it; the quick tier tries a tenth.
  for (const unit of all) if (unit.form === "full") seconds[unit.file] ??= (seconds[nameOf(unit)] ?? 0) / 10;
  writeCosts(COSTS, { commit: head, seconds });
  console.log("tools/suite/costs.json is written anew: commit it.");
}

/** Returns the units of a tier but for those that another tier tries in full. */
function wholeUnitsOf(tier: Tier): Unit[] {
  const full = new Set(unitsOf("slow", ROOT).flatMap(({ file, form }) => (form === "full" ? [file] : [])));
  return unitsOf(tier, ROOT).filter(({ file, form }) => form !== "plain" || !full.has(file));
}

/** Returns the last result of each unit that has ended at this commit. A line that was cut off is none. */
function readRecord(): Map<string, Ended> {
  const lines = existsSync(record) ? readFileSync(record, "utf8").split("\n") : [];
  const ended = lines.flatMap((line): Ended[] => {
    try {
      return [JSON.parse(line)];
    } catch {
      return [];
    }
  });
  return new Map(ended.map((one) => [one.name, one]));
}

/** Returns the names of the units that failed, and that the choice for the change since the last whole run lacks. */
function escapes(all: readonly Unit[]): string[] {
  const changes = changesSince(costs.commit, ROOT);
  const { leftOut } = choose({ units: all.filter(isChoosable), changes, costs, seed: head ?? "" });
  return leftOut.map(({ unit }) => nameOf(unit)).filter((name) => after.get(name)?.passed === false);
}
