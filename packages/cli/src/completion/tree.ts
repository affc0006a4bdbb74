/**
 * The words that can follow each command, read from commander's own tree, so that there is no second list of commands.
 */
import type { Argument, Command, Option } from "commander";
import { KnownWord } from "./known-word.ts";

/** The value of an option or an argument: none, a file's name, one of some words, or any other text. */
export type Value = "none" | "file" | "text" | readonly string[];

/** An option with all its spellings. */
export interface TypedOption {
  readonly flags: readonly string[];
  readonly description: string;
  readonly value: Value;
}

/** A command, and everything that can follow it. */
export interface TypedCommand {
  /** The words that lead to it, as `svc trust add`. */
  readonly path: string;
  readonly children: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly TypedOption[];
  /** The value of its arguments; `none` if it has none. */
  readonly argument: Value;
}

/** Returns every command below this one, and this one. */
export function typedCommands(command: Command, parents: readonly string[] = []): TypedCommand[] {
  const words = [...parents, command.name()];
  const help = command.createHelp();
  const [argument] = command.registeredArguments;
  const own: TypedCommand = {
    path: words.join(" "),
    children: command.commands.map((child) => ({ name: child.name(), description: summary(child.description()) })),
    options: help.visibleOptions(command).map(typedOption),
    argument: argument === undefined ? "none" : valueAt(argument),
  };
  return [own, ...command.commands.flatMap((child) => typedCommands(child, words))];
}

function typedOption(option: Option): TypedOption {
  const flags = [option.short, option.long].filter((flag) => flag !== undefined && flag !== null);
  return { flags, description: summary(option.description), value: valueAfter(option) };
}

function valueAfter({ required, optional, argChoices, flags }: Option): Value {
  if (!required && !optional) return "none";
  if (argChoices !== undefined) return argChoices;
  const [, name = ""] = /[<[]([\w-]+)/.exec(flags) ?? [];
  return isPath(name) ? "file" : "text";
}

function valueAt(argument: Argument): Value {
  if (argument instanceof KnownWord) return argument.words;
  return argument.argChoices ?? (isPath(argument.name()) ? "file" : "text");
}

function isPath(name: string): boolean {
  return /^(path|file|folder)s?$/.test(name);
}

/** Returns the first clause of a description: one short line. */
function summary(description: string): string {
  return (
    description
      .split(/[:;(\n]/, 1)[0]
      ?.trim()
      .replace(/\.$/, "") ?? ""
  );
}
