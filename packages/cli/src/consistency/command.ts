/**
 * `svc consistency ...`: verifies that a later checkpoint, or the service's log, grew out of an earlier one (protocol
 * sections 9 and 12).
 */
import { Command } from "commander";
import { verifyFileCommand } from "../verify/file.ts";

/** Returns the family of commands about consistency evidence. */
export function consistencyCommand(): Command {
  return new Command("consistency")
    .description("consistency: that a later state of a stream or a log extends an earlier one")
    .addCommand(
      verifyFileCommand(
        "verify",
        "consistency",
        "Verify consistency evidence on this machine alone; no connection is opened.",
        "svc consistency verify march-to-april.json --trust acme.trust.json",
      ),
    );
}
