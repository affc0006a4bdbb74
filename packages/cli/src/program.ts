/**
 * The command line: its commands, and the handling of everything that they throw. One line of help goes with every
 * usage error.
 */
import process from "node:process";
import { VERSION } from "@svc/core";
import { Command, CommanderError } from "commander";
import { NotEvidence } from "./evidence-file/not-evidence.ts";
import { EXIT, type ExitCode, Refusal } from "./exit.ts";
import { fileAsPath, refuseFileAsCommand } from "./file-called-as-command.ts";
import { printError } from "./output.ts";
import { refusePlantedOptions } from "./planted-options.ts";
import { useOwnTrust, VERIFYING_TRUST_HELP, verifiesUnderTrust } from "./trust/place.ts";
import { type RefusedRun, ReportUnwritable, requireOtherFile, writeReport } from "./verify/report-file.ts";
import { reportOfCall } from "./verify/report-of-call.ts";

/**
 * Runs one call of some commands and sets the exit code. `args` are the arguments after the program's name. Never
 * throws.
 */
export async function run(commands: Commands, args: readonly string[]): Promise<void> {
  const call: { command?: Command } = {};
  try {
    refusePlantedOptions(args);
    const [first = "-", ...words] = args;
    if (!Object.hasOwn(commands.named, first))
      refuseFileAsCommand(first, () => commands.others().map((command) => command.name()));
    const root = program(commands, call, args[0]);
    const verify = first === "verify" ? root.commands.find((command) => command.name() === first) : undefined;
    const meant = verify === undefined ? args : [first, ...fileAsPath(verify, words)];
    await root.parseAsync(meant, { from: "user" });
  } catch (error) {
    process.exitCode = end(error, call.command, args);
  }
}

/**
 * Says on stderr why there is no verdict, and in the file of `--report` if the call names one. Returns the exit code.
 */
function end(error: unknown, command: Command | undefined, args: readonly string[]): ExitCode {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.verified;
  const { message, action, exitCode } = refusalOf(error, command);
  const word = error instanceof NotEvidence ? `${error.outcome.toUpperCase()}: ` : "";
  // Commander has already printed its own errors.
  if (!(error instanceof CommanderError)) printError(word + message, action);
  const isWritten = command !== undefined && !(error instanceof ReportUnwritable);
  const report = isWritten ? reportOfCall(command, args) : undefined;
  if (report === undefined) return exitCode;
  try {
    requireOtherFile(report.path, report.others);
    writeReport(report.path, { error: message, exit_code: exitCode, action } satisfies RefusedRun);
    return exitCode;
  } catch (unwritable) {
    return end(unwritable, command, args);
  }
}

function refusalOf(error: unknown, command: Command | undefined): Refusal {
  if (error instanceof Refusal) return error;
  if (error instanceof CommanderError)
    return new Refusal(EXIT.usage, oneLine(error.message), command === undefined ? "" : helpHint(command));
  const reason = error instanceof Error ? error.message : String(error);
  const action = "There is no verdict. Please report this, with the file if you may share it.";
  return new Refusal(EXIT.internal, `Internal error: ${reason}`, action);
}

/** The commands of a program. */
export interface Commands {
  /** Those that are looked up by name, in the order of the help. */
  readonly named: Readonly<Record<string, () => Command>>;
  /** All others. */
  readonly others: () => Command[];
}

/** It describes all commands. */
const NEEDS_ALL = "completion";

/**
 * Returns the one command that the first word of a call names, since to make all of them takes as long as to verify a
 * receipt; all for any other word.
 */
function commandsFor({ named, others }: Commands, first: string | undefined): Command[] {
  const only = first !== undefined && first !== NEEDS_ALL && Object.hasOwn(named, first) ? named[first] : undefined;
  return only === undefined ? [...Object.values(named).map((make) => make()), ...others()] : [only()];
}

/**
 * Returns the tree of commands, or the branch of it that the first word of a call leads into. It notes in `call` the
 * command that a call comes to, or fails in.
 */
export function program(commands: Commands, call: { command?: Command } = {}, first?: string): Command {
  const root = new Command("svc")
    .description("Verify evidence streams, offline.")
    .version(`svc ${VERSION}`, "--version", "print the version")
    .addHelpText("after", "\nTo begin with:\n  svc verify march.bundle.json\n  svc trust --help")
    // Words behind a command belong to that command, for those whose subcommands have options too.
    .enablePositionalOptions()
    .hook("preAction", (_root, command) => {
      call.command = command;
      useOwnTrust(command, process.env);
    });
  for (const command of commandsFor(commands, first)) root.addCommand(command);
  everyCommand(root, (command) => {
    command
      .exitOverride((error) => {
        call.command = command;
        throw error;
      })
      .helpOption("--help", "print this help")
      .helpCommand(false)
      .configureHelp({ helpWidth: 80, subcommandDescription: summaryOf })
      .configureOutput({ outputError: (text) => printError(oneLine(text), helpHint(command)) });
    if (verifiesUnderTrust(command)) command.addHelpText("after", VERIFYING_TRUST_HELP);
  });
  return root;
}

/** Returns the line about a command in a list of commands: without its name, which is before it there. */
function summaryOf(command: Command): string {
  return command.description().replace(`${command.name()}: `, "");
}

function helpHint(command: Command): string {
  return `"${pathOf(command)} --help" shows how it is called.`;
}

/**
 * Returns commander's error as one line. Only its own line break goes; one that came with an argument stays, to be
 * escaped.
 */
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
