/**
 * `pnpm test` and `pnpm test:slow`: builds the products and starts a PostgreSQL server once, then runs the files of a
 * part, or the named files, with the runner's own report, and the slowest files before its closing lines.
 */
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { BUILT, buildAll } from "@svc/testkit/built";
import { NO_POSTGRES, SHARED, sharedPostgres } from "@svc/testkit/postgres";
import { PART } from "@svc/testkit/runs";
import { filesOf } from "./plan.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const CONCURRENCY = 2;

const [part, ...named] = process.argv.slice(2);
if (part !== "quick" && part !== "slow") {
  console.error("usage: pnpm test [FILE ...], or pnpm test:slow [FILE ...]");
  process.exit(64);
}
const files = named.length > 0 ? named : filesOf(part, ROOT);
const folder = await buildAll();
try {
  // It ends with this process.
  const shared = NO_POSTGRES ? {} : { [SHARED]: (await sharedPostgres()).url() };
  const { status } = spawnSync(
    process.execPath,
    [
      ...["--import", "./tools/pinned-node.mjs", "--import", "tsx", "--test", `--test-concurrency=${CONCURRENCY}`],
      "--test-reporter=./tools/suite/reporter.mjs",
      ...files,
    ],
    { cwd: ROOT, stdio: "inherit", env: { ...process.env, [BUILT]: folder, [PART]: part, ...shared } },
  );
  process.exitCode = status ?? 1;
} finally {
  rmSync(folder, { recursive: true });
}
