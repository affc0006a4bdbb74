/**
 * `svc keys ...`: Ed25519 keys to sign with, and the endorsement of a new key by an old one (protocol sections 3 and
 * 4).
 */
import { Command } from "commander";
import { endorseKeyCommand } from "./endorse.ts";
import { generateKeyCommand } from "./generate.ts";
import { showKeyCommand } from "./show.ts";

/** Returns the family of commands about keys. */
export function keysCommand(): Command {
  return new Command("keys")
    .description("keys: make one, show its forms, endorse its successor")
    .addCommand(generateKeyCommand())
    .addCommand(showKeyCommand())
    .addCommand(endorseKeyCommand());
}
