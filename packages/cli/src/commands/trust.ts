/** `svc trust ...`: keeps the file that says whom a person trusts (a trust policy, protocol section 16). */
import { Command } from "commander";
import { TRUST_HELP } from "../trust/place.ts";
import { addTrustCommand } from "./trust-add.ts";
import { listTrustCommand, showTrustCommand } from "./trust-list.ts";
import { pinBlockCommand } from "./trust-pin-block.ts";
import { pinFromCommand } from "./trust-pin-from.ts";
import { rememberCommand } from "./trust-remember.ts";
import { removeTrustCommand } from "./trust-remove.ts";
import { revokeCommand } from "./trust-revoke.ts";

/** The family of commands about the trust file. */
export function trustCommand(): Command {
  const family = new Command("trust").description("trust: whom you trust, kept in one file that every check uses");
  const commands = [
    addTrustCommand(),
    listTrustCommand(),
    showTrustCommand(),
    removeTrustCommand(),
    revokeCommand(),
    pinFromCommand(),
    pinBlockCommand(),
    rememberCommand(),
  ];
  for (const command of commands)
    family.addCommand(command.option("--trust <path>", "the trust file").addHelpText("after", TRUST_HELP));
  return family.addHelpText("after", TRUST_HELP);
}
