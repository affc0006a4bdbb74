/** `svc forks ...`: proof that a service told two histories (protocol section 11). */
import { Command } from "commander";
import { findForkCommand } from "./forks/find.ts";

/** The family of commands about forks. */
export function forksCommand(): Command {
  return new Command("forks")
    .description("forks: proof that a service, or a witness, told two histories")
    .addCommand(findForkCommand());
}
