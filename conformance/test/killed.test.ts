/** A runner that is killed leaves no program under test behind, and none of its children. */
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { NO_PROC } from "@svc/testkit/left-behind";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { casesFolder, digestCase, oneFault, RUNNER } from "./runner.ts";

/** A process that has ended, and that nobody has asked for its exit code, has no command line. */
const isGone = (pid: string) => {
  const file = `/proc/${pid}/cmdline`;
  return !existsSync(file) || readFileSync(file, "utf8") === "";
};

test("a runner that is killed leaves no program behind", { skip: NO_PROC }, async (t) => {
  const file = join(temporaryFolder(), "pids");
  const words = ["--command", oneFault("hang", file), "--cases", casesFolder({ "a.jsonl": [digestCase("bad")] })];
  const runner = spawn(process.execPath, [RUNNER, ...words], { stdio: "ignore" });
  t.after(() => runner.kill("SIGKILL"));
  // The program, and a child that reads no input.
  const pids = await until("the program runs", async () => {
    const found = existsSync(file) ? readFileSync(file, "utf8").trim().split(/\s+/) : [];
    return found.length >= 2 ? found : null;
  });
  t.after(() => {
    for (const pid of pids) if (!isGone(pid)) process.kill(Number(pid), "SIGKILL");
  });
  runner.kill("SIGKILL");
  await until("the programs are gone", async () => (pids.every(isGone) ? true : null));
});
