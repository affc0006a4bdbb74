/**
 * The command line: its commands, and what becomes of whatever they throw. One line of help goes with every usage error.
 */
import process from "node:process";
import { VERSION } from "@svc/core";
import { Command, CommanderError } from "commander";
import { bundlesCommand } from "./commands/bundles.ts";
import { completionCommand } from "./commands/completion.ts";
import { conformanceCommand } from "./commands/conformance.ts";
import { forksCommand } from "./commands/forks.ts";
import { keysCommand } from "./commands/keys.ts";
import { onlineCommands } from "./commands/online/families.ts";
import { receiptsCommand } from "./commands/receipts.ts";
import { tamperCommand } from "./commands/tamper.ts";
import { trustCommand } from "./commands/trust.ts";
import { verifyCommand } from "./commands/verify.ts";
import { EXIT, type ExitCode, Refusal } from "./exit.ts";
import { printError } from "./output.ts";
import { useOwnTrust, VERIFYING_TRUST_HELP, verifiesUnderTrust } from "./trust/place.ts";

/** Runs one call and sets the exit code. `args` are the arguments after the program's name. Never throws. */
export async function run(args: readonly string[]): Promise<void> {
  try {
    await program().parseAsync(args, { from: "user" });
  } catch (error) {
    process.exitCode = explain(error);
  }
}

/** Says on stderr why there is no verdict. What commander throws, it has already explained. */
function explain(error: unknown): ExitCode {
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.verified : EXIT.usage;
  if (error instanceof Refusal) {
    printError(error.message, error.action);
    return error.exitCode;
  }
  const reason = error instanceof Error ? error.message : String(error);
  printError(
    `Internal error: ${reason}`,
    "There is no verdict. Please report this, with the file if you may share it.",
  );
  return EXIT.internal;
}

function program(): Command {
  const root = new Command("svc")
    .description("Verify evidence streams, offline.")
    .version(`svc ${VERSION}`, "--version", "print the version")
    .addCommand(verifyCommand())
    .addCommand(bundlesCommand())
    .addCommand(receiptsCommand())
    .addCommand(forksCommand())
    .addCommand(trustCommand())
    .addCommand(keysCommand())
    .addCommand(tamperCommand())
    .addCommand(completionCommand())
    .addCommand(conformanceCommand())
    .hook("preAction", (_root, command) => useOwnTrust(command, process.env));
  for (const family of onlineCommands()) root.addCommand(family);
  everyCommand(root, (command) => {
    const path = pathOf(command);
    command
      .exitOverride()
      .helpOption("--help", "print this help")
      .helpCommand(false)
      .configureHelp({ helpWidth: 80 })
      .configureOutput({
        outputError: (text) => printError(oneLine(text), `"${path} --help" shows how it is called.`),
      });
    if (verifiesUnderTrust(command)) command.addHelpText("after", VERIFYING_TRUST_HELP);
  });
  return root;
}

/** Commander's error as one line. Only its own line break goes; one that came with an argument stays, to be escaped. */
function oneLine(text: string): string {
  return text
    .trim()
    .replace(/^error: /, "")
    .replace("\n(Did you mean", " (Did you mean");
}

function everyCommand(command: Command, visit: (command: Command) => void): void {
  visit(command);
  for (const child of command.commands) everyCommand(child, visit);
}

function pathOf(command: Command): string {
  return command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
}
