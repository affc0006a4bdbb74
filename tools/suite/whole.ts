/**
 * `pnpm test:whole [quick|slow|real ...]`: runs every test of the tiers, each once, and goes on where an earlier run of
 * the same commit was cut off. When all tiers have passed it writes costs.json, and it names each file that failed and
 * that the choice of CI would have left out: an escape.
 */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { changesSince, headOf } from "./changes.ts";
import { choose, isChoosable } from "./choose.ts";
import { readCosts, writeCosts } from "./costs.ts";
import { TIERS, type Tier, type Unit, unitsOf } from "./plan.ts";
import { addEnded, escapesOf, failedBefore, lastOf, readRecord, secondsOfAll, unitsLeft } from "./record.ts";
import { tryUnits } from "./trial.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const COSTS = fileURLToPath(new URL("costs.json", import.meta.url));

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

const before = readRecord(record);
const units = unitsLeft(tiers.flatMap(wholeUnitsOf), before);
console.log(
  `${units.length} files of ${tiers.join(", ")}; ${lastOf(before).size} have ended in earlier runs of ${head}.`,
);
const isGreen = await tryUnits(units, {
  onEnd: (ended) => addEnded(record, ended),
  earlier: failedBefore(before),
});
process.exitCode = isGreen ? 0 : 1;

const after = readRecord(record);
const all = TIERS.flatMap(wholeUnitsOf);
const { costs } = readCosts(COSTS);
const choice = choose({ units: all.filter(isChoosable), changes: changesSince(costs.commit, ROOT), costs, seed: head });
const leftOut = choice.leftOut.map(({ unit }) => unit);
for (const name of escapesOf(leftOut, after))
  console.log(`ESCAPE ${name}: it failed, and the choice for this commit leaves it out`);
const seconds = secondsOfAll(all, after);
if (isGreen && seconds !== null) {
  writeCosts(COSTS, { commit: head, seconds });
  console.log("tools/suite/costs.json is written anew: commit it.");
}

/** Returns the units of a tier but for those that another tier tries in full. */
function wholeUnitsOf(tier: Tier): Unit[] {
  const full = new Set(unitsOf("slow", ROOT).flatMap(({ file, form }) => (form === "full" ? [file] : [])));
  return unitsOf(tier, ROOT).filter(({ file, form }) => form !== "plain" || !full.has(file));
}
