/** Processor time as the system accounts for it, proc(5): of one process, and of the whole machine. */
import { readFileSync } from "node:fs";

/** USER_HZ is 100 on every Linux. */
const TICK_MS = 10;

/** Returns the processor time of all threads of a process since its start, in milliseconds. */
export function processMs(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, "utf8");
  // The second field is a name in brackets, in which anything may stand. `utime` and `stime` are the 14th and 15th.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}

/**
 * Returns how long the processors have worked since the machine's start, each counted, in milliseconds. Time that other
 * machines on the same hardware took away counts as work.
 */
export function machineMs(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, steal = 0] = line.split(/\s+/).slice(1).map(Number);
  return (user + nice + system + irq + softirq + steal) * TICK_MS;
}
