// Imported before the runner: writes what its process used when it ends, without its children.
import { writeFileSync } from "node:fs";
import process from "node:process";

process.on("exit", () => {
  const { userCPUTime, systemCPUTime, maxRSS } = process.resourceUsage();
  const used = { processorMs: (userCPUTime + systemCPUTime) / 1000, peakMib: maxRSS / 1024 };
  writeFileSync(process.env.SVC_BENCH_USAGE, JSON.stringify(used));
});
