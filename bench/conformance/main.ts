/**
 * `pnpm bench conformance`: the built runner of the conformance kit over the cases at hand, with the built `svc.mjs` as
 * the program: how fast it is, and how much of that is the runner's own.
 */
import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buildRunner } from "../../conformance/build.ts";
import { allFixtureCases } from "../../conformance/case-set/fixture-cases.ts";
import { buildCli } from "../../packages/cli/build.ts";
import { type Groups, inFolder, measureGroups } from "../groups.ts";
import { median, type Row, row, WrongAnswer } from "../measure.ts";

/** The groups, by names under which each can be measured alone. */
export const GROUPS: Groups<ConformanceBench> = { verify };

interface ConformanceBench {
  readonly quick: boolean;
  readonly rounds: number;
  readonly folder: string;
  /** The built runner and program. */
  readonly runner: string;
  readonly svc: string;
}

/** A minute must be enough for so many cases of `verify`. */
const CASES_A_MINUTE = 2000;
const MAX_BYTES = 300e6;

/** Measures some groups; all if none is named. Throws WrongAnswer. */
export async function benchConformance({ quick, groups }: { quick: boolean; groups: readonly string[] }) {
  const rounds = quick ? 1 : 5;
  const rows = await inFolder(async (folder) => {
    const [runner, svc] = [join(folder, "run.mjs"), join(folder, "svc.mjs")];
    await buildRunner(runner);
    await buildCli(svc);
    return measureGroups(GROUPS, groups, { quick, rounds, folder, runner, svc });
  });
  return { rounds, rows };
}

/** The use of one run, start and end of both processes included. */
interface Lap {
  readonly ms: number;
  readonly processorMs: number;
  readonly peakMib: number;
}

/** All cases of `verify`, one process of the program. */
async function verify(bench: ConformanceBench): Promise<Row[]> {
  const all = allFixtureCases();
  const cases = bench.quick ? all.slice(0, 40) : all;
  const folder = join(bench.folder, "cases");
  mkdirSync(folder);
  writeFileSync(join(folder, "cases.jsonl"), cases.map((one) => `${JSON.stringify(one)}\n`).join(""));
  const laps: Lap[] = [];
  for (let round = 0; round < bench.rounds; round++) laps.push(await lap(bench, folder, cases.length));
  const of = (figure: keyof Lap) => median(laps.map((one) => one[figure]));
  const what = `${cases.length.toLocaleString("en-US")} cases of verify by svc.mjs`;
  const target = <Target>(wanted: Target) => (bench.quick ? null : wanted);
  const perSecond = (cases.length * 1000) / of("ms");
  return [
    row(what, "cases/s", perSecond, CASES_A_MINUTE / 60, "limit", target({ at_least: 1 })),
    row(`${what}: the runner's own time`, "ms", of("processorMs"), of("ms"), "all of it", target({ at_most: 0.2 })),
    row(
      `${what}: the runner's peak memory`,
      "MiB",
      of("peakMib"),
      MAX_BYTES / 2 ** 20,
      "limit",
      target({ at_most: 1 }),
    ),
  ];
}

async function lap({ folder, runner, svc }: ConformanceBench, cases: string, count: number): Promise<Lap> {
  const [usage, result] = [join(folder, "usage.json"), join(folder, "result.json")];
  const hook = new URL("usage.mjs", import.meta.url).href;
  const command = `exec '${process.execPath}' '${svc}' conformance`;
  const words = ["--import", hook, runner, "--command", command, "--cases", cases, "--json", result];
  const start = performance.now();
  const code = await run(words, { ...process.env, SVC_BENCH_USAGE: usage });
  const ms = performance.now() - start;
  const { levels } = JSON.parse(readFileSync(result, "utf8")) as {
    readonly levels: readonly { level: number; passed: number }[];
  };
  const passed = levels.filter(({ level }) => level > 0).reduce((total, level) => total + level.passed, 0);
  if (code !== 0 || passed !== count) throw new WrongAnswer(`the runner: exit ${code}, ${passed} of ${count} passed`);
  return { ms, ...(JSON.parse(readFileSync(usage, "utf8")) as Omit<Lap, "ms">) };
}

function run(words: readonly string[], env: NodeJS.ProcessEnv): Promise<number | null> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, words, { env, stdio: ["ignore", "ignore", "inherit"] });
    child.on("error", reject).on("close", resolve);
  });
}
