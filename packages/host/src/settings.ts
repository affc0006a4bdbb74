/**
 * Settings: variables of the environment, each with its meaning, its default and the parser of its text. A program has
 * one table of them, from which values and `--help` are made, so that a default is in one place. Every mistake is
 * found before anything starts. It does NOT read files.
 */
import { resolve } from "node:path";

/** The variables of an environment, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** The faults in the text of a setting, as whole sentences that name the variable. */
export class Mistakes {
  readonly sentences: readonly string[];

  constructor(...sentences: readonly string[]) {
    this.sentences = sentences;
  }
}

/** Returns the value of a text, or its mistakes; never throws. `name`: the variable, or the option that replaced it. */
export type Parse<Value> = (text: string, name: string) => Value | Mistakes;

/** One variable of the environment. */
export interface Setting<Value> {
  readonly variable: string;
  /** The sentence about the setting in `--help`. */
  readonly meaning: string;
  /** The text used if the variable is unset or empty; null: the value is then null. */
  readonly fallback: string | null;
  readonly parse: Parse<unknown>;
  /** The command's option that replaces the variable, such as `port` for `--port`, or null. */
  readonly option: string | null;
  /** Whether a running program removes the text from its environment, so that no child process inherits it. */
  readonly isSecret: boolean;
  /** Never set: it carries the type of the values that `parse` returns. */
  readonly value?: Value;
}

interface Stated<Value> {
  readonly variable: string;
  readonly meaning: string;
  readonly parse: Parse<Value>;
  readonly option?: string;
  readonly isSecret?: boolean;
}

/** Returns a setting. If the variable is unset, its value is that of `fallback`, or null without one. */
export function setting<Value>(stated: Stated<Value> & { readonly fallback: string }): Setting<Value>;
export function setting<Value>(stated: Stated<Value>): Setting<Value | null>;
export function setting<Value>(stated: Stated<Value> & { readonly fallback?: string }): Setting<Value | null> {
  return { fallback: null, option: null, isSecret: false, ...stated };
}

/** Settings by the names of their values. */
export type SettingTable = Readonly<Record<string, Setting<unknown>>>;

/** The values of a table by their names. */
export type ValuesOf<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Table[Name] extends Setting<infer Value> ? Value : never;
};

/** A command line or an environment that a person got wrong; ends the process with exit code 64. */
export class UsageError extends Error {
  readonly mistakes: readonly string[];

  constructor(mistakes: readonly string[]) {
    super(mistakes.join("\n"));
    this.name = "UsageError";
    this.mistakes = mistakes;
  }
}

/**
 * Reads every setting of a table. Options win over the environment, the environment over defaults; an empty variable
 * counts as unset. Returns the values, null for a setting with a mistake, and all mistakes.
 */
export function readSettings<Table extends SettingTable>(
  table: Table,
  environment: Environment,
  options: Readonly<Record<string, string | undefined>> = {},
): { readonly values: ValuesOf<Table>; readonly mistakes: string[] } {
  const mistakes: string[] = [];
  const read = Object.entries(table).map(([name, { variable, option, fallback, parse }]): [string, unknown] => {
    const given = option === null ? undefined : options[option];
    const text = given ?? (environment[variable] || fallback);
    if (text === null) return [name, null];
    const value = parse(text, given === undefined ? variable : `--${option}`);
    if (!(value instanceof Mistakes)) return [name, value];
    mistakes.push(...value.sentences);
    return [name, null];
  });
  // Each value was made by its entry's parser.
  return { values: Object.fromEntries(read) as ValuesOf<Table>, mistakes };
}

/** Returns the lines of `--help` about settings, one for each. */
export function describeSettings(table: SettingTable): string[] {
  const settings = Object.values(table);
  const width = Math.max(...settings.map(({ variable }) => variable.length));
  return settings.map(
    ({ variable, fallback, meaning }) =>
      `  ${variable.padEnd(width)}  ${meaning}${fallback ? ` (default: ${fallback})` : ""}`,
  );
}

/** Up to nine decimal digits, no sign, no leading zero. */
const DECIMAL = /^(?:0|[1-9]\d{0,8})$/;

/** Returns a parser of a whole number from `least` to `most`, both included. */
export function integer(least: number, most: number): Parse<number> {
  return (text, name) => {
    const value = DECIMAL.test(text) ? Number(text) : Number.NaN;
    if (value >= least && value <= most) return value;
    return new Mistakes(`${name} is ${JSON.stringify(text)}; it must be a whole number from ${least} to ${most}.`);
  };
}

/** Returns a parser of one of a few words, case-sensitive. */
export function oneOf<const Word extends string>(words: readonly Word[]): Parse<Word> {
  return (text, name) =>
    words.find((word) => word === text) ??
    new Mistakes(`${name} is ${JSON.stringify(text)}; it must be one of ${words.join(", ")}.`);
}

/** Parses `1` as true and `0` as false. */
export const flag: Parse<boolean> = (text, name) =>
  text === "0" || text === "1" ? text === "1" : new Mistakes(`${name} is ${JSON.stringify(text)}; it must be 1 or 0.`);

/** Accepts every text unchanged. */
export const anyText: Parse<string> = (text) => text;

/**
 * Parses the path of a file or folder, relative to the working folder, and returns an absolute path. Does not check
 * that it exists.
 */
export const path: Parse<string> = (text) => resolve(text);
