/**
 * `svc keys ...`: Ed25519 keys to sign with, the endorsement of a new key by an old one (protocol sections 3 and 4),
 * and whether a vault's key had ended when it sealed an event (section 26).
 */
import { Command } from "commander";
import { endorseKeyCommand } from "../keys/endorse.ts";
import { generateKeyCommand } from "../keys/generate.ts";
import { showKeyCommand } from "../keys/show.ts";
import { revocationVerifyCommand } from "./revocation-verify.ts";

/** Returns the family of commands about keys. */
export function keysCommand(): Command {
  return new Command("keys")
    .description("keys: make one, show its forms, endorse its successor, tell whether one had ended")
    .addCommand(generateKeyCommand())
    .addCommand(showKeyCommand())
    .addCommand(endorseKeyCommand())
    .addCommand(revocationVerifyCommand());
}
