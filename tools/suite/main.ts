/**
 * `pnpm test`, `pnpm test:slow` and `pnpm test:real`: runs the files of a tier, or the named files (globs), with the
 * runner's own report. Named files run on the store that `SVC_TEST_STORE` says. `pnpm test:chosen` runs what CI chooses
 * of the slow and real tiers for the change since the last whole run, and `--list` only tells it.
 */
import { globSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { changesSince, headOf } from "./changes.ts";
import { choose, isChoosable, linesOf } from "./choose.ts";
import { readCosts } from "./costs.ts";
import { TIERS, type Tier, tierOf, type Unit, unitsOf } from "./plan.ts";
import { tryUnits } from "./trial.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));

const [part = "", ...words] = process.argv.slice(2);
const units = part === "chosen" ? chosenUnits() : named(part, words);
if (units === null) {
  console.error(
    "usage: pnpm test [FILE ...], pnpm test:slow [FILE ...], pnpm test:real [FILE ...], pnpm test:chosen [--list]",
  );
  process.exit(64);
}
if (!words.includes("--list")) {
  const isGreen = await tryUnits(units);
  // The runner has set it already where a file failed, which may be flaky.
  process.exitCode = isGreen ? 0 : 1;
}

/** Returns the units of a tier, or of named files; null where they name none. */
function named(part: string, globs: readonly string[]): Unit[] | null {
  const tier = TIERS.find((each) => each === part);
  if (tier === undefined) return null;
  if (globs.length === 0) return unitsOf(tier, ROOT);
  const files = globs.map((glob) => [glob, globSync(glob, { cwd: ROOT }).sort()] as const);
  const [missing] = files.find(([, found]) => found.length === 0) ?? [];
  if (missing !== undefined) {
    console.error(`no test file is called ${missing}`);
    process.exit(64);
  }
  return [...new Set(files.flatMap(([, found]) => found))].map((file) => ({ file, form: formOf(file, tier) }));
}

function formOf(file: string, tier: Tier): Unit["form"] {
  if (ON_POSTGRES) return "postgres";
  return tierOf(file) === "quick" && tier !== "quick" ? "full" : "plain";
}

/** Returns the units that CI chooses for this checkout, and tells the choice. */
function chosenUnits(): Unit[] {
  const { costs, fault } = readCosts(new URL("costs.json", import.meta.url));
  if (fault !== null) console.log(`tools/suite/costs.json is of no use (${fault}): each file counts alike.`);
  const changes = changesSince(costs.commit, ROOT);
  const all = [...unitsOf("slow", ROOT), ...unitsOf("real", ROOT)].filter(isChoosable);
  const choice = choose({ units: all, changes, costs, seed: headOf(ROOT) ?? "" });
  console.log(
    changes === null
      ? `What changed since the last whole run (${costs.commit ?? "none"}) is unknown: all is affected.`
      : `${changes.length} files changed since the last whole run, ${costs.commit}.`,
  );
  console.log(linesOf(choice).join("\n"));
  return choice.chosen.map(({ unit }) => unit);
}
