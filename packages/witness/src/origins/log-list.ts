/**
 * The lists of logs that witness networks publish, in the format `logs/v0`. A list only proposes: it is no settings
 * file, and what a witness knows already it neither changes nor removes. The rates in it are not read.
 */
import { UsageError } from "@svc/host/settings";

const HEADER = "logs/v0";
/** The longest list, in bytes: ten times the largest that a network plans, of 40,000 logs. */
export const MAX_LIST_BYTES = 2 ** 26;

/** A log in a list. */
export interface ListedLog {
  readonly vkey: string;
  /** The origin, if it is another one than the name of the key. */
  readonly origin: string | null;
}

/** Parses a list. Throws UsageError for another format. */
export function parseLogList(text: string): ListedLog[] {
  const lines = text
    .split("\n")
    .map((line, index) => ({ text: line.trim(), number: index + 1 }))
    .filter((line) => line.text !== "" && !line.text.startsWith("#"));
  const [header, ...rest] = lines;
  if (header?.text !== HEADER)
    throw new UsageError([`The list does not begin with ${HEADER}: it is no list of logs, or of a newer format.`]);
  const logs: { vkey: string; origin: string | null }[] = [];
  for (const { text: line, number } of rest) {
    const [, key, value] = /^(\S+) +(.*)$/.exec(line) ?? [];
    const log = logs.at(-1);
    if (key === "vkey") logs.push({ vkey: value ?? "", origin: null });
    else if (log === undefined) throw new UsageError([`Line ${number} of the list belongs to no vkey.`]);
    else if (key === "origin") log.origin = value ?? "";
  }
  return logs;
}
