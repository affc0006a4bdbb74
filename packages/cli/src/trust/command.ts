/** `svc trust ...`: keeps the file that says whom a person trusts (a trust policy, protocol section 16). */
import { Command } from "commander";
import { addTrustCommand } from "./add.ts";
import { listTrustCommand, showTrustCommand } from "./list.ts";
import { pinBlockCommand } from "./pin-block.ts";
import { pinContractCommand } from "./pin-contract.ts";
import { pinFromCommand } from "./pin-from.ts";
import { pinVaultCommand } from "./pin-vault.ts";
import { TRUST_HELP } from "./place.ts";
import { rememberCommand } from "./remember.ts";
import { removeTrustCommand } from "./remove.ts";
import { revokeCommand } from "./revoke.ts";

/** Returns the family of commands about the trust file. */
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
    pinContractCommand(),
    pinVaultCommand(),
    rememberCommand(),
  ];
  for (const command of commands)
    family.addCommand(command.option("--trust <path>", "the trust file").addHelpText("after", TRUST_HELP));
  return family.addHelpText("after", TRUST_HELP);
}
