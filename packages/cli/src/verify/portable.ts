/**
 * `svc verify file`: verifies a portable receipt, which shows one event with all of its evidence (protocol section 13).
 */
import type { Command } from "commander";
import { verifyFileCommand } from "./file.ts";

/** Returns the subcommand `file` of `svc verify`. */
export function verifyFileSubcommand(): Command {
  return verifyFileCommand(
    "file",
    "portable-receipt",
    "Verify a portable receipt on this machine alone; no connection is opened.",
    "svc verify file loan-1005.portable.json --trust acme.trust.json",
  );
}
