/**
 * The forms of output, and the one that a call asks for. A new one is a file beside this one and a line in the list.
 */
import { type Command, Option } from "commander";
import type { AnswerKind, Formatter } from "./formatter.ts";
import { JSON_LINES } from "./json.ts";
import { QUIET } from "./quiet.ts";
import { TEXT } from "./text.ts";

/** By name. A call asks for each but `text` by the option of that name. */
export const FORMATTERS = {
  text: TEXT,
  json: JSON_LINES,
  quiet: QUIET,
} as const satisfies Readonly<Record<string, Formatter>>;

export type Format = keyof typeof FORMATTERS;
type AskedFor = Exclude<Format, "text">;

/** The options in the form of commander. */
export type FormatFlags = { readonly [Name in AskedFor]?: true };

const ASKED_FOR = Object.keys(FORMATTERS).filter((name) => name !== "text") as readonly AskedFor[];

/** Adds the options of all forms that have words for such answers. */
export function withFormats(command: Command, kind: AnswerKind): Command {
  for (const name of ASKED_FOR) {
    const words = FORMATTERS[name].help[kind];
    if (words !== undefined) command.addOption(new Option(`--${name}`, words).conflicts(optionsBefore(name)));
  }
  return command;
}

/** Returns the form that a call asks for. */
export function formatOf(flags: FormatFlags): Format {
  return ASKED_FOR.find((name) => flags[name] === true) ?? "text";
}

/**
 * Returns the options that are before another in the list. A call may name only one, so each conflicts with those.
 */
export function optionsBefore(name: AskedFor): string[] {
  return ASKED_FOR.slice(0, ASKED_FOR.indexOf(name));
}
