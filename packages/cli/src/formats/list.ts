/** The forms of output, and which of them a call asks for. Another one is a file beside this one and a line in the list. */
import { type Command, Option } from "commander";
import type { AnswerKind, Formatter } from "./formatter.ts";
import { JSON_LINES } from "./json.ts";
import { QUIET } from "./quiet.ts";
import { TEXT } from "./text.ts";

/** By name. Those but `text` are asked for by the option of that name. */
export const FORMATTERS = {
  text: TEXT,
  json: JSON_LINES,
  quiet: QUIET,
} as const satisfies Readonly<Record<string, Formatter>>;

export type Format = keyof typeof FORMATTERS;
type AskedFor = Exclude<Format, "text">;

/** The options as commander reads them. */
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

/** The form that a call asks for. */
export function formatOf(flags: FormatFlags): Format {
  return ASKED_FOR.find((name) => flags[name] === true) ?? "text";
}

/** The options that stand before another in the list. A call names one of all, so each conflicts with those. */
export function optionsBefore(name: AskedFor): string[] {
  return ASKED_FOR.slice(0, ASKED_FOR.indexOf(name));
}
