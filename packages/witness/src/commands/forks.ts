/** `svc-witness forks`: the evidence against logs that have signed two histories. */
import { join } from "node:path";
import { printable } from "@svc/host/printable";
import { Command } from "commander";
import { forksFolder } from "../forks/fork-folder.ts";
import { type ForkRow, listForks } from "../forks/forks-store.ts";
import { MAX_LISTED } from "../limits.ts";
import { DATA_OPTION, withDatabase } from "./with-database.ts";

/** Returns the command `forks`. */
export function forksCommand(): Command {
  const forks = new Command("forks").description("evidence against logs that have signed two histories");
  forks
    .command("list")
    .description("list the evidence, the newest first; svc forks verify FILE checks it offline")
    .option(...DATA_OPTION)
    .option("--json", "print one JSON line for each")
    .action(list);
  return forks;
}

/** Returns the words on evidence that convicts no key by itself. */
function needs({ key_count }: ForkRow): string {
  return key_count === 1 ? "" : "  a key for each: it holds for one who pins both keys of its key_hints";
}

async function list(options: { data?: string; json?: true }): Promise<void> {
  await withDatabase(options, async (database, { dataFolder }) => {
    const rows = await database.read((reader) => listForks(reader, MAX_LISTED));
    for (const row of rows) {
      const file = join(forksFolder(dataFolder), `${row.fork_id}.json`);
      console.log(
        options.json
          ? JSON.stringify({ ...row, file })
          : printable(`${row.detected_at}  ${row.origin}  two roots of size ${row.tree_size}  ${file}${needs(row)}`),
      );
    }
    if (rows.length === 0 && !options.json) console.log("No log has signed two histories here.");
  });
}
