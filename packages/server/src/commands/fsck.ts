/** `svc-server fsck`: verifies the whole database again, beside a running server or without one. */
import { Command, InvalidArgumentError, Option } from "commander";
import { PackageFiles } from "../exports/package-files.ts";
import { checkDatabase } from "../fsck/check-database.ts";
import type { Fault } from "../fsck/fault.ts";
import { kernel } from "../kernel.ts";
import { serviceRow } from "../tenancy/service-store.ts";
import { type DeploymentOptions, show, withDeployment } from "./deployment.ts";

const DEFAULT_FAULTS = 20;

/** A database in which something is wrong. */
export class DatabaseFaulty extends Error {}

interface FsckOptions extends DeploymentOptions {
  readonly most: number;
}

/** `fsck`. */
export function fsckCommand(): Command {
  return new Command("fsck")
    .description(
      "verify every event, window, checkpoint, statement, policy and package again; ends with 1 where one is wrong",
    )
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .addOption(new Option("--most <number>", "stop after so many faults").default(DEFAULT_FAULTS).argParser(parseMost))
    .option("--json", "print one JSON object instead of text")
    .action(fsck);
}

async function fsck(options: FsckOptions): Promise<void> {
  const faults = await withDeployment(options, async ({ database, folder }) => {
    const service = await database.read(serviceRow);
    const packages = new PackageFiles(folder.exportsPath);
    const ground = { database, kernel, origin: service?.evidence_origin ?? "", packages };
    const found: Fault[] = [];
    for await (const fault of checkDatabase(ground)) {
      found.push(fault);
      if (found.length === options.most) break;
    }
    return found;
  });
  const lines = faults.map(({ table, row, fault }) => `${table} ${JSON.stringify(row)}: ${fault}`);
  show(options, { ok: faults.length === 0, faults }, faults.length === 0 ? ["Nothing is wrong."] : lines);
  if (faults.length > 0)
    throw new DatabaseFaulty(
      `${faults.length} faults${faults.length === options.most ? " or more" : ""}, the first one in ${faults[0]?.table}. Put the database back from a backup; keep this one as evidence.`,
    );
}

function parseMost(text: string): number {
  const number = /^\d{1,6}$/.test(text) ? Number(text) : 0;
  if (number >= 1) return number;
  throw new InvalidArgumentError("Give a whole number from 1 to 999999.");
}
