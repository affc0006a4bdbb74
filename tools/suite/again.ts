/**
 * `pnpm test:again FILE ...`: runs each file ten times, one after another, while eight other processes use the
 * processors; a file of the real tier twice. A new or changed slow test passes this before it is committed.
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { tierOf } from "./plan.ts";
import { runUnits } from "./runner.ts";
import { openSession } from "./session.ts";
import { optionsOf } from "./trial.ts";

const LOAD = 8;
const TIMES = { quick: 10, slow: 10, real: 2 } as const;

const files = process.argv.slice(2);
if (files.length === 0) {
  console.error("usage: pnpm test:again FILE ...");
  process.exit(64);
}
const session = await openSession();
const busy = Array.from({ length: LOAD }, () =>
  spawn(
    process.execPath,
    [
      "-e",
      "process.stdin.on('end', () => process.exit()).resume(); setInterval(() => { const end = Date.now() + 990; " +
        "while (Date.now() < end); }, 1)",
    ],
    { stdio: ["pipe", "ignore", "ignore"] },
  ),
);
try {
  for (const file of files) {
    const unit = { file, form: process.env.SVC_TEST_STORE === "postgres" ? ("postgres" as const) : ("plain" as const) };
    let passed = 0;
    const times = TIMES[tierOf(file)];
    for (let time = 0; time < times; time++) {
      const [outcome] = await runUnits([unit], { ...optionsOf(unit, session), concurrency: 1 });
      if (outcome?.passed) passed++;
    }
    console.log(`${file}: passed ${passed} of ${times} under a load of ${LOAD}`);
    process.exitCode = passed === times ? (process.exitCode ?? 0) : 1;
  }
} finally {
  for (const child of busy) child.kill("SIGKILL");
  session.close();
}
