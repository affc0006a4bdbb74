/** `svc trust revoke`: revokes a key, so that neither the key nor its endorsements are ever trusted again. */
import { type Kernel, type Kid, kidOf, type PublicKeyHex } from "@svc/core";
import { Command } from "commander";
import { changeTrust, type TrustFileOption } from "./change.ts";
import { revoke } from "./pins.ts";
import { kidOfPin } from "./removals.ts";
import type { TrustFile } from "./store.ts";

/** Returns the command. A key need not be pinned to be revoked: an endorsement could lead to it. */
export function revokeCommand(): Command {
  return new Command("revoke")
    .description("Never trust a key again, nor what it endorses.")
    .argument("<key>", "its identifier, its public key, or your name of it")
    .addHelpText("after", '\nExample:\n  svc trust revoke "acme 2026"')
    .action(async (given: string, options: TrustFileOption) => {
      await changeTrust(options, ["Revoked. Nothing that this key sealed is verified from now on."], (file, kernel) =>
        revoke(file, revokedKid(kernel, file, given)),
      );
    });
}

function revokedKid(kernel: Kernel, file: TrustFile, given: string): Kid {
  if (/^ed25519-[0-9a-f]{16}$/.test(given)) return given as Kid;
  return /^[0-9a-f]{64}$/.test(given) ? kidOf(kernel, given as PublicKeyHex) : kidOfPin(file, given);
}
