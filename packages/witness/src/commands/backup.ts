/**
 * `svc-witness backup`: a copy of the database, beside a running witness. It holds neither the key nor the high-water
 * mark: with those that stayed, a backup that lacks a cosignature is refused at the start.
 */
import { resolve } from "node:path";
import { Command } from "commander";
import { DATA_OPTION, withDatabase } from "./with-database.ts";

/** Returns the command `backup`. */
export function backupCommand(): Command {
  return new Command("backup")
    .description("copy the database into a new file, without the key")
    .requiredOption("--to <file>", "the file, which must not exist")
    .option(...DATA_OPTION)
    .action((options: { to: string; data?: string }) =>
      withDatabase(options, async (database, { dataFolder }) => {
        const file = resolve(options.to);
        database.copyTo(file);
        console.log(`Copied to ${file}

It serves as witness.sqlite of ${dataFolder} only as long as the witness signs nothing more: a start with
an older database than the newest is refused. It is good for its fork evidence, and for moving house.`);
      }),
    );
}
