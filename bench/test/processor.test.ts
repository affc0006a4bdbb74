/** Processor time as the system counts it: the same as what a process measures of itself. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { machineMs, processMs } from "../server/processor.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
/** Two parts are cut to whole ticks, and the second figure is read a moment after the first. */
const APART_MS = 50;

describe("processor time", () => {
  test("the work of this process is counted, for it and for the machine", () => {
    const [own, all, told] = [processMs(process.pid), machineMs(), process.cpuUsage()];
    const toldMs = () => {
      const { user, system } = process.cpuUsage(told);
      return (user + system) / 1000;
    };
    while (toldMs() < 200);
    assertClose(processMs(process.pid) - own, toldMs());
    assert.ok(machineMs() > all);
  });

  test("the name of a process may hold blanks and brackets", () => {
    const program = `process.title = "a) b (c";
      import("./bench/server/processor.ts").then(({ processMs }) => {
        const { user, system } = process.cpuUsage();
        console.log(JSON.stringify([processMs(process.pid), (user + system) / 1000]));
      });`;
    const words = ["-e", program];
    const { stdout, stderr, status } = spawnSync(process.execPath, words, { cwd: ROOT, encoding: "utf8" });
    assert.equal(status, 0, stderr);
    const [counted, told] = JSON.parse(stdout);
    assertClose(counted, told);
  });
});

function assertClose(counted: number, told: number): void {
  assert.ok(Math.abs(counted - told) <= APART_MS, `${counted} ms, not ${told}`);
}
