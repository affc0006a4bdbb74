/**
 * `svc trust pin-vault`: pins the key of a vault, so that no word of a service about it is needed (protocol sections 16
 * and 26).
 */
import { kidOf } from "@svc/core";
import { inGroups } from "@svc/report";
import { Command } from "commander";
import { fingerprintOf } from "../keys/forms.ts";
import { parsePublicKeyHex } from "../public-key.ts";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { addVault } from "./pins.ts";

interface Options extends TrustFileOption {
  readonly installation: string;
  readonly publicKeyHex: string;
  readonly replace?: true;
}

/** Returns the command. From the first pin on, no key counts for a vault that is not pinned. */
export function pinVaultCommand(): Command {
  return new Command("pin-vault")
    .description("Pin the key of a vault, so that a service need not be believed about it.")
    .requiredOption("--installation <id>", "the vault's installation, ins_ and its identifier")
    .requiredOption("--public-key-hex <key>", "its public key, 64 lowercase hex characters")
    .option("--replace", "let this key take the place of another of the same installation")
    .addHelpText(
      "after",
      `\nExample:\n  svc trust pin-vault --installation "$INSTALLATION" --public-key-hex "$KEY"\n\nFrom the ` +
        `first pin on, only pinned vaults count, and those keys that they hand\nover to. Get the key from the ` +
        `vault's owner, and not from the evidence.`,
    )
    .action(async ({ installation: installation_id, publicKeyHex, replace, ...options }: Options) => {
      const pin = { installation_id, public_key_hex: parsePublicKeyHex(publicKeyHex) };
      const said: string[] = [];
      await changeTrust(options, said, (file, kernel) => {
        const fingerprint = inGroups(fingerprintOf(kernel, pin.public_key_hex));
        said.push(
          `Pinned ${kidOf(kernel, pin.public_key_hex)} for ${installation_id}. Its fingerprint is ` +
            `${fingerprint}: is that the one that the vault gives?`,
        );
        return addVault(file, pin, replace);
      });
    });
}
