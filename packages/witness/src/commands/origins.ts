/** `svc-witness origins`: the logs whose checkpoints are cosigned. A running witness notices every change at once. */
import { serviceTime, systemClock } from "@svc/host/clock";
import { Command } from "commander";
import { kernel } from "../kernel.ts";
import { readLogKey } from "../origins/log-key.ts";
import { addVkey, listKeys, removeOrigin } from "../origins/origins-store.ts";
import { WitnessError } from "../witness-error.ts";
import { DATA_OPTION, withDatabase } from "./with-database.ts";

/** Returns the command `origins`. */
export function originsCommand(): Command {
  const origins = new Command("origins").description("the logs whose checkpoints are cosigned");
  origins
    .command("add")
    .description("add a key of a log; its name is the log's origin")
    .requiredOption("--vkey <vkey>", "the log's verification key: name+hash+base64")
    .option(...DATA_OPTION)
    .action(add);
  origins
    .command("list")
    .description("list the logs and what was cosigned last")
    .option(...DATA_OPTION)
    .option("--json", "print one JSON line for each key")
    .action(list);
  origins
    .command("remove")
    .description("answer 404 to a log from now on; what was cosigned is kept, so it can be added again")
    .requiredOption("--origin <origin>", "the origin of the log")
    .option(...DATA_OPTION)
    .action(remove);
  return origins;
}

async function add(options: { vkey: string; data?: string }): Promise<void> {
  const { name: origin } = readLogKey(kernel, options.vkey);
  const row = { origin, vkey: options.vkey, added_at: serviceTime(systemClock()) };
  const isNew = await withDatabase(options, (database) => database.write((writer) => addVkey(writer, row)));
  console.log(isNew ? `Added ${origin}` : `${origin} has this key already`);
}

async function list(options: { data?: string; json?: true }): Promise<void> {
  const rows = await withDatabase(options, (database) => database.read(listKeys));
  for (const row of rows) {
    const size = row.tree_size === null ? "nothing cosigned" : `size ${row.tree_size}`;
    console.log(options.json ? JSON.stringify(row) : `${row.origin}  ${size}  ${row.vkey}`);
  }
}

async function remove(options: { origin: string; data?: string }): Promise<void> {
  const { origin } = options;
  const keys = await withDatabase(options, (database) => database.write((writer) => removeOrigin(writer, origin)));
  if (keys === 0) throw new WitnessError(`There is no origin ${JSON.stringify(origin)}: origins list shows all.`);
  console.log(`Removed ${origin}. What was cosigned for it is kept.`);
}
