/**
 * The command line of a program: its commands under one root, one line for an error, and the exit codes: 0 done, 1
 * refused or failed, 64 wrong usage.
 */
import { VERSION } from "@svc/core";
import { Command, CommanderError } from "commander";
import { ServiceError } from "../errors.ts";
import { printable } from "../printable.ts";
import { UsageError } from "../settings.ts";
import { machineAdvice } from "./machine-faults.ts";

/** The exit code of a refusal or a failure. */
const EXIT_FAILED = 1;
/** The exit code of wrong usage (EX_USAGE of sysexits.h). */
const EXIT_USAGE = 64;

/** Returns the command of a whole program. `commands`: its own commands, which take over its settings. */
export function rootCommand(name: string, description: string, commands: readonly Command[]): Command {
  const root = new Command(name)
    .description(description)
    .version(VERSION)
    // Otherwise --version of a command would be taken for the program's own.
    .enablePositionalOptions()
    .exitOverride()
    .showHelpAfterError(`(${name} --help lists the commands)`);
  for (const command of commands) root.addCommand(command);
  everyCommand(root, (command) => command.copyInheritedSettings(root));
  return root;
}

/**
 * Runs a command line without the program's own name, and resolves to its exit code. Never rejects: it prints errors.
 */
export async function runProgram(program: Command, words: readonly string[]): Promise<number> {
  outliveOutput();
  try {
    // Some package managers pass on the "--" that separates their own options.
    await program.parseAsync(words[0] === "--" ? words.slice(1) : [...words], { from: "user" });
    return 0;
  } catch (error) {
    // Commander has already printed the mistake; help and version are no mistakes.
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
    const code = error instanceof ServiceError ? `${error.code}: ` : "";
    const advice = machineAdvice(error);
    const says = error instanceof Error ? error.message : String(error);
    console.error(printable(`${program.name()}: ${code}${says}${advice === null ? "" : `. ${advice}`}`));
    return error instanceof UsageError ? EXIT_USAGE : EXIT_FAILED;
  }
}

/**
 * A reader that has enough, a closed terminal, or a full disk behind a log must not end a program: it may be in the
 * middle of a drain.
 */
function outliveOutput(): void {
  for (const stream of [process.stdout, process.stderr]) stream.off("error", ignore).on("error", ignore);
}

function ignore(): void {}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  for (const child of command.commands) {
    visit(child);
    everyCommand(child, visit);
  }
}
