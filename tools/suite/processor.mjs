// Loaded before each test file of a run: at its end the file adds a line to the run's list, with the processor time of
// its process and of those that it has waited for. Plain JavaScript, because nothing is to be loaded for it.
import { appendFileSync, readFileSync } from "node:fs";
import { isMainThread } from "node:worker_threads";

const { SVC_TEST_PROCESSOR } = process.env;
/** The kernel's unit of time for programs, on every machine that Node runs on. */
const TICKS_PER_SECOND = 100;

if (SVC_TEST_PROCESSOR !== undefined && isMainThread)
  process.on("exit", () =>
    appendFileSync(SVC_TEST_PROCESSOR, `${JSON.stringify({ file: process.argv[1], seconds: secondsUsed() })}\n`),
  );

/** Returns what Linux counts; elsewhere the time of this process alone. */
function secondsUsed() {
  try {
    // The name of the process, in parentheses, can have any character in it.
    const fields = readFileSync("/proc/self/stat", "utf8")
      .replace(/^.*\) /s, "")
      .split(" ");
    return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND;
  } catch {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    return (userCPUTime + systemCPUTime) / 1e6;
  }
}
