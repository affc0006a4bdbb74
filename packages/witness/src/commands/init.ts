/** `svc-witness init`: makes a witness with a new key. */
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { readConfig } from "../config.ts";
import { makeWitness } from "../database.ts";
import { kernel } from "../kernel.ts";
import { DATA_OPTION } from "./with-database.ts";

/** A URL without a scheme (c2sp.org/tlog-cosignature). A plus sign would separate the parts of a vkey. */
const NAME = /^[!-*,-~]{1,200}$/;

/** Returns the command `init`. */
export function initCommand(): Command {
  return new Command("init")
    .description("make a witness: its key, its high-water mark and its database")
    .requiredOption("--name <name>", 'its name for good, a URL without a scheme, such as "witness.example.com/w1"')
    .option(...DATA_OPTION)
    .option("--json", "print one JSON object instead of text")
    .action(init);
}

async function init(options: { name: string; data?: string; json?: true }): Promise<void> {
  const config = readConfig(process.env, options);
  if (!NAME.test(options.name))
    throw new UsageError([
      `--name ${JSON.stringify(options.name)} must be 1 to 200 visible ASCII characters without "+".`,
    ]);
  const vkey = await makeWitness(kernel, options.name, config);
  if (options.json) {
    console.log(JSON.stringify({ vkey, data_folder: config.dataFolder, keys_folder: config.keysFolder }));
    return;
  }
  console.log(`Made the witness ${options.name}

  vkey         ${vkey}
               (public; logs and verifiers pin this)
  data folder  ${config.dataFolder}
  keys         ${config.keysFolder} (never copy them to a second witness)

Next: svc-witness origins add --vkey <vkey of a log>, then svc-witness start`);
}
