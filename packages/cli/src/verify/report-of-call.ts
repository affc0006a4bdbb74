/** The `--report` of a call that commander has not read to its end, so that its file says why there is no verdict. */
import { existsSync } from "node:fs";
import process from "node:process";
import type { Command } from "commander";
import { trustPlace } from "../trust/place.ts";
import { filesMeant } from "./many/names.ts";

/** The path of the report, and all files that the call may read. */
export interface ReportOfCall {
  readonly path: string;
  readonly others: readonly (string | undefined)[];
}

/** Returns the report of a call of a command; undefined if the call names no path, or if the command writes none. */
export function reportOfCall({ options }: Command, args: readonly string[]): ReportOfCall | undefined {
  if (!options.some(({ long }) => long === "--report")) return undefined;
  const reports: string[] = [];
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? "";
    // Behind it every word is a name.
    if (arg === "--") {
      words.push(...args.slice(at + 1));
      break;
    }
    const [, name = arg, joined] = /^(--[\w-]+)=([\s\S]*)$/.exec(arg) ?? [];
    const takesValue = options.some(({ long, required }) => long === name && required);
    const value = joined ?? (takesValue ? args[++at] : arg);
    if (value !== undefined) (name === "--report" ? reports : words).push(value);
  }
  const [path] = reports;
  if (path === undefined || path === "-") return undefined;
  // Any word may name a file that the call reads, or a folder or a pattern of them. If nothing is at the path, nothing
  // is written over.
  const read = existsSync(path) ? [...words, ...filesMeant(words)] : words;
  return { path, others: [...read, trustPlace(undefined, process.env)?.path] };
}
