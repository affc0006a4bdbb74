/** The options that say whom a call trusts, for commands that verify more than one file. */
import { type Command, Option } from "commander";
import { collect, once } from "./options.ts";

/** Adds `--public-key-hex` and `--trust`; `readTrust` reads them. */
export function withTrustOptions(command: Command): Command {
  return command
    .option("--public-key-hex <key>", "a public key that you trust, 64 lowercase hex characters; repeatable", collect)
    .addOption(new Option("--trust <path>", "a trust policy (JSON)").argParser(once));
}
