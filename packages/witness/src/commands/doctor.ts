/** `svc-witness doctor`: looks at a witness and its machine; changes nothing. Exit code 1 if a check fails. */
import { type Finding, fail } from "@svc/host/checks";
import { printable } from "@svc/host/printable";
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { readConfig, type SettingOptions } from "../config.ts";
import { diagnose } from "../diagnose.ts";
import { kernel } from "../kernel.ts";
import { WitnessError } from "../witness-error.ts";
import { DATA_OPTION } from "./with-database.ts";

/** Returns the command `doctor`. */
export function doctorCommand(): Command {
  return new Command("doctor")
    .description("check settings, files, key and high-water mark")
    .option(...DATA_OPTION)
    .option("--json", "print one JSON line for each check")
    .action(doctor);
}

async function doctor(options: SettingOptions & { json?: true }): Promise<void> {
  const findings = await findingsOf(options);
  for (const finding of findings) {
    const { check, state, says } = finding;
    console.log(options.json ? JSON.stringify(finding) : printable(`${state.padEnd(4)}  ${check}: ${says}`));
  }
  const failures = findings.filter(({ state }) => state === "fail").length;
  if (failures > 0) throw new WitnessError(failures === 1 ? "one check failed" : `${failures} checks failed`);
}

async function findingsOf(options: SettingOptions): Promise<Finding[]> {
  try {
    return await diagnose(kernel, readConfig(process.env, options), process.env);
  } catch (error) {
    if (error instanceof UsageError) return error.mistakes.map((mistake) => fail("settings", mistake));
    throw error;
  }
}
