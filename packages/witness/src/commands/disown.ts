/**
 * `svc-witness origins disown`: gives a stream back that a list had taken. Without the word on whose the key never was
 * it only says what it would do. It needs the key and the mark, so the witness must be stopped.
 */
import { createHash } from "node:crypto";
import { rmSync } from "node:fs";
import { printable } from "@svc/host/printable";
import { Command } from "commander";
import { giveBack, type Taken, takenBy } from "../checkpoints/disown.ts";
import { readConfig } from "../config.ts";
import { openWitness } from "../database.ts";
import { fileOf } from "../forks/fork-folder.ts";
import { kernel } from "../kernel.ts";
import { WitnessError } from "../witness-error.ts";
import { DATA_OPTION, withDatabase } from "./with-database.ts";

/** Returns the command `disown`. */
export function disownCommand(): Command {
  return new Command("disown")
    .description("forget what a key of a list had cosigned for a stream of a service; says first what that is")
    .requiredOption("--vkey <vkey>", "the key that a list had brought for the stream")
    .option("--never-a-key-of <origin>", "do it: the key never was one of this service")
    .option(...DATA_OPTION)
    .action(disown);
}

async function disown(options: { vkey: string; neverAKeyOf?: string; data?: string }): Promise<void> {
  const { vkey, neverAKeyOf } = options;
  const taken = await withDatabase(options, (database) => database.read((reader) => takenBy(reader, kernel, vkey)));
  if (neverAKeyOf !== taken.service) throw new WitnessError(printable(wouldForget(taken)));
  const config = readConfig(process.env, options);
  const opened = await openWitness(kernel, config);
  try {
    const headOf = (before: string) => createHash("sha256").update(`${before}\ndisowned\n${vkey}\n`).digest("hex");
    const { point, forkIds } = await opened.database.write(async (writer) =>
      giveBack(writer, kernel, opened.key, { taken: await takenBy(writer, kernel, vkey), vkey, headOf }),
    );
    await opened.mark.raise(point);
    for (const forkId of forkIds) rmSync(fileOf(config.dataFolder, forkId), { force: true });
  } finally {
    await opened.close();
  }
  const { origin, service } = taken;
  console.log(printable(`${origin} is given back to ${service}: its next checkpoint is cosigned from size 0.`));
}

function wouldForget({ origin, service, trees, lastSize }: Taken): string {
  return (
    `Nothing is done yet. This forgets ${trees} trees of ${origin}, the last of size ${lastSize}, and fork ` +
    `evidence by the key, which only a list had brought. It is safe if the key never was one of ${service}: who ` +
    `trusts that service's keys takes none of those notes, and no other root of their sizes is ever cosigned. If ` +
    `it ever was, leave it: the witness would sign a second history. Otherwise stop the witness, and say the same ` +
    `with --never-a-key-of ${service}`
  );
}
