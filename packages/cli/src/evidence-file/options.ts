/** The options that commands about one file share, and their meaning. */
import { type Command, InvalidArgumentError, Option } from "commander";

/** The place of a result. */
export interface OutOptions {
  /** A path; `-` for standard output. */
  readonly out: string;
  readonly force?: true;
}

/** Stands for a file that the call does not name. */
const NO_FILE = "error: missing required argument 'file'";

/**
 * Gives a command its one file: the word behind it, or `--file <path>`, which scripts use. `run` gets the flags with
 * the file among them.
 */
export function withFile<Flags extends { readonly file: string }>(
  command: Command,
  run: (flags: Flags) => void | Promise<void>,
): Command {
  return command
    .argument("[file]", "the file; - for standard input")
    .addOption(new Option("--file <path>", "the file, as an option").argParser(once))
    .action((word: string | undefined, flags: Flags & { readonly file?: string }) => {
      const file = word ?? flags.file;
      if (file === undefined) return command.error(NO_FILE);
      if (word !== undefined && flags.file !== undefined) return command.error("error: the file is given twice");
      return run({ ...flags, file });
    });
}

/** Returns `--out <path>`; by default standard output. */
export function outOption(): Option {
  return new Option("--out <path>", "where the result goes; - for standard output")
    .argParser(onceAfter("-"))
    .default("-");
}

/** Returns `--force`. */
export function forceOption(): Option {
  return new Option("--force", "write over a file that is there");
}

/**
 * Refuses a second value: an option that silently took the last one would give a result of another file than the reader
 * thinks.
 */
export function once(value: string, previous: string | undefined): string {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
  return value;
}

/** Collects an option that may be given several times. */
export function collect(value: string, previous: readonly string[] = []): string[] {
  return [...previous, value];
}

/** Does the same as `once` for an option that has a default. */
function onceAfter(preset: string): (value: string, previous: string) => string {
  return (value, previous) => once(value, previous === preset ? undefined : previous);
}

/** Returns a number that counts from 1, as a person writes it. */
export function ordinal(text: string, previous: unknown): number {
  if (previous !== undefined) throw new InvalidArgumentError("It is given twice.");
  const number = parseOrdinal(text);
  if (number === null) throw new InvalidArgumentError("Give a whole number from 1 on, without leading zeros.");
  return number;
}

/** Returns the number that a text writes in digits, 1 to 2^53-1; null for any other text. */
export function parseOrdinal(text: string): number | null {
  if (!/^[1-9][0-9]{0,15}$/.test(text)) return null;
  const number = Number(text);
  return Number.isSafeInteger(number) ? number : null;
}
