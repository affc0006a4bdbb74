/** `svc-witness origins`: the logs whose checkpoints are cosigned. A running witness notices every change at once. */
import { readFileSync, statSync } from "node:fs";
import { serviceTime, systemClock } from "@svc/host/clock";
import { printable } from "@svc/host/printable";
import { UsageError } from "@svc/host/settings";
import type { Writer } from "@svc/host/store";
import { Command } from "commander";
import { kernel } from "../kernel.ts";
import { addListed, addOwn, type Said } from "../origins/add-log.ts";
import { type ListedLog, MAX_LIST_BYTES, parseLogList } from "../origins/log-list.ts";
import { listKeys, removeOrigin } from "../origins/origins-store.ts";
import { WitnessError } from "../witness-error.ts";
import { disownCommand } from "./disown.ts";
import { DATA_OPTION, withDatabase } from "./with-database.ts";

/** The logs of a list that are added in one transaction: a running witness writes between two of them. */
const PORTION = 100;

/** Returns the command `origins`. */
export function originsCommand(): Command {
  const origins = new Command("origins").description("the logs whose checkpoints are cosigned");
  origins
    .command("add")
    .description("add a key of a log; its name is the log's origin")
    .requiredOption("--vkey <vkey>", "the log's verification key: name+hash+base64")
    .option("--streams", "and every evidence stream of this service, each a log <origin>/str_... by the same key")
    .option(...DATA_OPTION)
    .action(add);
  origins
    .command("pull")
    .description(
      "add the logs of a witness network's list that are new here; what is known is neither changed nor removed",
    )
    .requiredOption("--list <file>", "the list, in the format logs/v0")
    .option(...DATA_OPTION)
    .action(pull);
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
  return origins.addCommand(disownCommand());
}

async function add(options: { vkey: string; streams?: true; data?: string }): Promise<void> {
  const key = { vkey: options.vkey, streams: options.streams ?? false, addedAt: serviceTime(systemClock()) };
  say(await withDatabase(options, (database) => database.write((writer) => addOwn(writer, kernel, key))));
}

async function pull(options: { list: string; data?: string }): Promise<void> {
  const logs = parseLogList(readList(options.list));
  const says = await withDatabase(options, async (database) => {
    const lines: Said[] = [];
    for (let from = 0; from < logs.length; from += PORTION)
      lines.push(...(await database.write((writer) => addPortion(writer, logs.slice(from, from + PORTION)))));
    return lines;
  });
  say(says);
}

function say(says: readonly Said[]): void {
  for (const { added, wrong } of says) {
    if (added !== undefined) console.log(printable(added));
    if (wrong !== undefined) console.error(printable(wrong));
  }
}

function readList(file: string): string {
  try {
    if (statSync(file).size <= MAX_LIST_BYTES) return readFileSync(file, "utf8");
  } catch (error) {
    throw new UsageError([`--list ${file} cannot be read: ${(error as Error).message}. Give the path of a file.`]);
  }
  throw new UsageError([`${file} is longer than any list of logs.`]);
}

async function addPortion(writer: Writer, logs: readonly ListedLog[]): Promise<Said[]> {
  const lines: Said[] = [];
  for (const log of logs) lines.push(await addListed(writer, kernel, log, serviceTime(systemClock())));
  return lines;
}

async function list(options: { data?: string; json?: true }): Promise<void> {
  const rows = await withDatabase(options, (database) => database.read(listKeys));
  for (const row of rows) {
    const size = row.tree_size === null ? "nothing cosigned" : `size ${row.tree_size}`;
    const streams = row.streams === 1 ? "  and its streams" : "";
    console.log(options.json ? JSON.stringify(row) : printable(`${row.origin}  ${size}  ${row.vkey}${streams}`));
  }
}

async function remove(options: { origin: string; data?: string }): Promise<void> {
  const { origin } = options;
  const keys = await withDatabase(options, (database) => database.write((writer) => removeOrigin(writer, origin)));
  if (keys === 0) throw new WitnessError(`There is no origin ${JSON.stringify(origin)}: origins list shows all.`);
  console.log(`Removed ${origin}. What was cosigned for it is kept.`);
}
