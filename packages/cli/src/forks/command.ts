/** `svc forks ...`: proof that a service told two histories (protocol section 11). */
import { Command } from "commander";
import { verifyFileCommand } from "../verify/file.ts";
import { findForkCommand } from "./find.ts";

/** Returns the family of commands about forks. */
export function forksCommand(): Command {
  return new Command("forks")
    .description("forks: proof that a service, or a witness, told two histories")
    .addCommand(findForkCommand())
    .addCommand(
      verifyFileCommand(
        "verify",
        "fork",
        "Verify evidence of a fork on this machine alone: exit code 0 means that there is one.",
        "svc forks verify fork.json --trust acme.trust.json",
      ),
    );
}
