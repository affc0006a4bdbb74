/**
 * `pnpm test` and `pnpm test:slow`: builds the products and starts a PostgreSQL server once, then runs the files of a
 * part, or the named files, with the runner's own report, and the slowest files before its closing lines. Named files
 * run on the store that `SVC_TEST_STORE` says.
 */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { BUILT, buildAll } from "@svc/testkit/built";
import { LEFT_OUT, ON_POSTGRES, STORE } from "@svc/testkit/drivers";
import { NO_POSTGRES, SHARED, sharedPostgres } from "@svc/testkit/postgres";
import { PART } from "@svc/testkit/runs";
import { bundleModules } from "./bundled.ts";
import { type Run, runsOf } from "./plan.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Twice the processors of the smallest machine: tests wait for disks, clocks and other processes. */
const CONCURRENCY = 4;
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
  for (const { store, files } of runs) {
    if (store === "postgres" && NO_POSTGRES) continue;
    const ofStore = store === "postgres" ? POSTGRES_ALONE : {};
    const processor = join(folder, `processor-of-${store}`);
    writeFileSync(processor, "");
    const { status } = spawnSync(
      process.execPath,
      [
        "--import=./tools/pinned-node.mjs",
        "--import=./tools/suite/modules.mjs",
        "--import=./tools/suite/processor.mjs",
        "--test",
        `--test-concurrency=${CONCURRENCY}`,
        "--test-reporter=./tools/suite/reporter.mjs",
        ...files,
      ],
      { cwd: ROOT, stdio: "inherit", env: { ...environment, ...ofStore, SVC_TEST_PROCESSOR: processor } },
    );
    process.exitCode ||= status ?? 1;
  }
} finally {
  rmSync(folder, { recursive: true });
}
