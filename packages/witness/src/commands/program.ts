/** The command line `svc-witness`. Exit codes: 0 done, 1 refused or failed, 64 wrong usage. */
import { VERSION } from "@svc/core";
import { UsageError } from "@svc/host/settings";
import { Command, CommanderError } from "commander";
import { backupCommand } from "./backup.ts";
import { doctorCommand } from "./doctor.ts";
import { forksCommand } from "./forks.ts";
import { initCommand } from "./init.ts";
import { keyCommand } from "./key.ts";
import { originsCommand } from "./origins.ts";
import { startCommand } from "./start.ts";

/** The exit code of a refusal or a failure. */
export const EXIT_FAILED = 1;
/** The exit code of wrong usage (EX_USAGE of sysexits.h). */
export const EXIT_USAGE = 64;

/**
 * Runs a command line without the program's own name, and resolves to its exit code. Never rejects: it prints errors.
 */
export async function run(words: readonly string[]): Promise<number> {
  try {
    // Some package managers pass on the "--" that separates their own options.
    await program().parseAsync(words[0] === "--" ? words.slice(1) : [...words], { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already printed the mistake; help and version are no mistakes.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    console.error(`svc-witness: ${error instanceof Error ? error.message : String(error)}`);
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

function program(): Command {
  const root = new Command("svc-witness")
    .description("Cosigns the checkpoints of logs, each only if it extends the one before (c2sp.org/tlog-witness).")
    .version(VERSION)
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError("(svc-witness --help lists the commands)");
  for (const command of [
    initCommand(),
    startCommand(),
    keyCommand(),
    originsCommand(),
    forksCommand(),
    doctorCommand(),
    backupCommand(),
  ])
    root.addCommand(command);
  everyCommand(root, (command) => command.copyInheritedSettings(root));
  return root;
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  for (const child of command.commands) {
    visit(child);
    everyCommand(child, visit);
  }
}
