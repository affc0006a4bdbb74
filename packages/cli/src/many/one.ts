/** One file of any kind: its report, as the commands of a single kind print it. */
import process from "node:process";
import { type CrossCheckedReport, crossCheck, type Report } from "@svc/core";
import { exitCodeOf } from "../exit.ts";
import { readInput } from "../input.ts";
import { printLines } from "../output.ts";
import { painter, wantsColor } from "../render/color.ts";
import { crossCheckLines } from "../render/cross-check.ts";
import { escapeJson } from "../render/escape.ts";
import { renderReport } from "../render/report.ts";
import { type Kernels, type ManyOptions, readCall, type Settings, usualJobs } from "./call.ts";
import { verifyLarge } from "./large.ts";
import { evidenceBeside } from "./seal-at-end.ts";

/** Verifies the file as what its members say it is, prints the report, sets the exit code. */
export async function verifyOne(file: string, options: ManyOptions): Promise<void> {
  const startedAt = performance.now();
  const { kernels, settings } = await readCall(options);
  const bytes = await readInput(file);
  const checked = await check(bytes, kernels, settings, options.jobs ?? usualJobs());
  const { report } = checked;
  const seconds = (performance.now() - startedAt) / 1000;
  if (options.json) printLines([escapeJson(JSON.stringify("cross_check" in checked ? checked : report))]);
  else {
    const call = { kind: null, file, trustFile: options.trust, trust: settings.trust };
    const paint = painter(wantsColor(options.color, process.stdout.isTTY === true, process.env));
    // By the reference kernel where there are both: a compiled one that fails must not keep that from being shown.
    const evidence = evidenceBeside(report, kernels[1] ?? kernels[0], bytes);
    const page = renderReport(report, evidence, call, seconds, paint);
    printLines("cross_check" in checked ? [...page, ...crossCheckLines(checked.cross_check)] : page);
  }
  // Last: an error on the way leaves no verdict's exit code behind.
  process.exitCode = exitCodeOf(report.verdict);
}

async function check(
  bytes: Uint8Array,
  [kernel, other]: Kernels,
  settings: Settings,
  jobs: number,
): Promise<CrossCheckedReport | { readonly report: Report }> {
  if (other !== undefined) return crossCheck(bytes, { ...settings, kernels: [kernel, other] });
  return { report: await verifyLarge(bytes, { ...settings, kernel }, jobs) };
}
