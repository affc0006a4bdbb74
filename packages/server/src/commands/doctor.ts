/** `svc-server doctor`: runs all checks of an operator, beside a running server or before the first start. */

import { systemClock } from "@svc/host/clock";
import { Command } from "commander";
import { runDoctor } from "../doctor/run-doctor.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { columns, type DeploymentOptions, show } from "./deployment.ts";

/** Doctor has found a failure. */
export class Unhealthy extends Error {}

/** Returns the command `doctor`. */
export function doctorCommand(program: Program): Command {
  return new Command("doctor")
    .description(
      "check configuration, folder, keys, disk, clock, database and ports; ends with 1 where one of them fails",
    )
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", "print one JSON object instead of text")
    .action((options: DeploymentOptions) => doctor(program, options));
}

async function doctor(program: Program, options: DeploymentOptions): Promise<void> {
  const findings = await runDoctor(program, process.env, options, { kernel, clock: systemClock });
  const failed = findings.filter(({ state }) => state === "fail");
  const rows = findings.map(({ state, check, says }) => [state, check, says]);
  show(options, { ok: failed.length === 0, findings }, columns(["", "", ""], rows).slice(1));
  if (failed.length > 0)
    throw new Unhealthy(`${failed.length} of ${findings.length} fail, the first one: ${failed[0]?.check}.`);
}
