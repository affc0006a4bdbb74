/** `svc trust remove`: takes pins out of the trust file. */
import { Command } from "commander";
import { EXIT, Refusal } from "../exit.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { type Removal, removePins } from "./removals.ts";

/** Returns the command. One call may remove several things; all of them go, or none. */
export function removeTrustCommand(): Command {
  return new Command("remove")
    .description("Take something out of the trust file.")
    .option("--signer <key>", "a signer: its identifier, its public key, or your name of it")
    .option("--revoked <key>", "take a revocation back")
    .option("--witness <name>", "a witness: its name or its public key")
    .option("--quorum", "the quorum")
    .option("--block <hash>", "a block")
    .option("--contract <address>", "a contract")
    .option("--vault <installation>", "a vault: its installation or its public key")
    .option("--require <what>", "a requirement")
    .option("--known-checkpoint <stream>", "what you remember of a stream")
    .addHelpText(
      "after",
      '\nExample:\n  svc trust remove --signer "acme 2026"\n\nA key that got into wrong hands is to be revoked, ' +
        "not removed: svc trust revoke.",
    )
    .action(async ({ trust, ...removal }: Removal & TrustFileOption) => {
      if (Object.keys(removal).length === 0)
        throw new Refusal(EXIT.usage, "There is nothing named to remove.", '"svc trust remove --help" shows how.');
      await changeTrust(trust === undefined ? {} : { trust }, ["Removed."], (file) => removePins(file, removal));
    });
}
