/** Colour, which only underlines the words: every output reads the same without it. */
import type { Tone } from "@svc/report";
import { Chalk } from "chalk";

/** The choices for colour: `auto` colours on a terminal that can show it, unless NO_COLOR is set. */
export const COLOR_CHOICES = ["auto", "always", "never"] as const;
export type ColorChoice = (typeof COLOR_CHOICES)[number];
/** Puts colour around a text that holds no control characters. */
export type Paint = (tone: Tone, text: string) => string;

// `wantsColor` decides, and not what chalk sees of the terminal.
const { bold } = new Chalk({ level: 1 });
const STYLES: Readonly<Record<Tone, (text: string) => string>> = {
  good: bold.green,
  warn: bold.yellow,
  bad: bold.red,
};

/** Returns a painter; without colour it returns the text unchanged. */
export function painter(isColored: boolean): Paint {
  return (tone, text) => (isColored ? STYLES[tone](text) : text);
}

/** Says whether to colour. `env` is the environment: NO_COLOR by no-color.org, and TERM. */
export function wantsColor(
  choice: ColorChoice,
  isTerminal: boolean,
  env: Readonly<Record<string, string | undefined>>,
): boolean {
  if (choice !== "auto") return choice === "always";
  return isTerminal && (env.NO_COLOR ?? "") === "" && env.TERM !== "dumb";
}
