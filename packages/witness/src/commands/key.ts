/** `svc-witness key`: prints the verification key that logs and verifiers pin. */
import { Command } from "commander";
import { readWitness } from "../checkpoints/checkpoints-store.ts";
import { WitnessError } from "../witness-error.ts";
import { DATA_OPTION, withDatabase } from "./with-database.ts";

/** Returns the command `key`. */
export function keyCommand(): Command {
  return new Command("key")
    .description("print the witness's vkey, which logs and verifiers pin")
    .option(...DATA_OPTION)
    .action((options: { data?: string }) =>
      withDatabase(options, async (database) => {
        const row = await database.read(readWitness);
        if (row === null) throw new WitnessError("The database holds no witness: init did not end.");
        console.log(row.vkey);
      }),
    );
}
