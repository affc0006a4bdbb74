/**
 * `pnpm test` and `pnpm test:slow`: builds the products and starts a PostgreSQL server once, then runs the files of a
 * part, or the named files, with the runner's own report, and the slowest files before its closing lines. Named files
 * run on the store that `SVC_TEST_STORE` says.
 */
import { spawn } from "node:child_process";
import { createReadStream, openSync, rmSync, writeFileSync } from "node:fs";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { pipeline } from "node:stream/promises";
import { fileURLToPath } from "node:url";
import { BUILT, buildAll } from "@svc/testkit/built";
import { LEFT_OUT, ON_POSTGRES, STORE } from "@svc/testkit/drivers";
import { NO_POSTGRES, SHARED, sharedPostgres } from "@svc/testkit/postgres";
import { PART } from "@svc/testkit/runs";
import { bundleModules } from "./bundled.ts";
import { idleRunOf, type Run, runsOf } from "./plan.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Twice the processors of the smallest machine: tests wait for disks, clocks and other processes. */
const CONCURRENCY = 4;
/** For the run in idle time, whose files are a processor's work each. */
const IDLE_CONCURRENCY = 2;
/**
 * Variables of a run on PostgreSQL. Each process of it refuses to open another store, properties are sampled, and under
 * CI, where no program is missing, a test is left out for nothing but its store.
 */
const POSTGRES_ALONE = {
  [STORE]: "postgres",
  [PART]: "quick",
  ...(process.env.CI ? { SVC_TEST_LEFT_OUT: JSON.stringify(Object.values(LEFT_OUT)) } : {}),
  NODE_OPTIONS: `--import ${new URL("no-sqlite.mjs", import.meta.url).href}`,
};

const [part, ...named] = process.argv.slice(2);
if (part !== "quick" && part !== "slow") {
  console.error("usage: pnpm test [FILE ...], or pnpm test:slow [FILE ...]");
  process.exit(64);
}
const ofNamed: Run = { store: ON_POSTGRES ? "postgres" : "sqlite", files: named };
const runs = named.length > 0 ? [ofNamed] : runsOf(part, ROOT);
const idle = named.length > 0 ? null : idleRunOf(part, ROOT);
const folder = await buildAll();
try {
  const modules = await bundleModules(folder);
  // It ends with this process.
  const shared = NO_POSTGRES ? {} : { [SHARED]: (await sharedPostgres()).url() };
  const environment = {
    ...process.env,
    [BUILT]: folder,
    [PART]: part,
    ...shared,
    SVC_TEST_MODULES: JSON.stringify(modules),
  };
  const said = join(folder, "said-in-idle-time");
  const beside = idle === null ? null : start(idle, environment, { concurrency: IDLE_CONCURRENCY, into: said });
  for (const run of runs) {
    if (run.store === "postgres" && NO_POSTGRES) continue;
    const code = await start(run, environment, { concurrency: CONCURRENCY, into: null });
    process.exitCode ||= code;
  }
  if (beside !== null) {
    const code = await beside;
    process.exitCode ||= code;
    await pipeline(createReadStream(said), process.stdout, { end: false });
  }
} finally {
  rmSync(folder, { recursive: true });
}

/**
 * Starts the runner over some files, and resolves to its exit code. Its report goes into a file where one is named:
 * then it has the lowest priority, and leaves the terminal to others.
 */
function start(
  { store, files }: Run,
  environment: NodeJS.ProcessEnv,
  { concurrency, into }: { concurrency: number; into: string | null },
): Promise<number> {
  const processor = join(folder, `processor-of-${store}-${concurrency}`);
  writeFileSync(processor, "");
  const out = into === null ? "inherit" : openSync(into, "w");
  const child = spawn(
    process.execPath,
    [
      "--import=./tools/pinned-node.mjs",
      "--import=./tools/suite/modules.mjs",
      "--import=./tools/suite/processor.mjs",
      "--test",
      `--test-concurrency=${concurrency}`,
      "--test-reporter=./tools/suite/reporter.mjs",
      ...files,
    ],
    {
      cwd: ROOT,
      stdio: ["inherit", out, out],
      env: {
        ...environment,
        ...(store === "postgres" ? POSTGRES_ALONE : {}),
        SVC_TEST_PROCESSOR: processor,
      },
    },
  );
  if (into !== null && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => resolve(code ?? 1));
  });
}
