/**
 * Test files that fail by chance, and may for a few days: they run, block nothing, and are red once their time is over.
 */
import { readFileSync } from "node:fs";

/** An entry of quarantine.json. */
export interface Quarantined {
  /** The test file, from the root. */
  readonly name: string;
  readonly reason: string;
  /** The last day on which it may fail, as `2026-12-31`. */
  readonly until: string;
}

const MAX_DAYS = 7;
const DAY_MS = 86_400_000;

/**
 * Returns the entries of the list, and what is wrong with it. `now`: the time, in ms, which is not before that of the
 * checked out commit, so that a clock that went back prolongs nothing.
 */
export function readQuarantine(
  path: string | URL,
  files: readonly string[],
  now: number,
): { readonly entries: readonly Quarantined[]; readonly faults: readonly string[] } {
  let entries: unknown;
  try {
    entries = JSON.parse(readFileSync(path, "utf8"));
  } catch (error) {
    return { entries: [], faults: [`the quarantine cannot be read: ${error}`] };
  }
  if (!Array.isArray(entries)) return { entries: [], faults: ["the quarantine is not a list"] };
  const faults = entries.flatMap((entry) => faultOf(entry, files, now) ?? []);
  return { entries: entries.filter((entry) => faultOf(entry, files, now) === null), faults };
}

/** Returns what is wrong with an entry; null if nothing is. */
function faultOf(entry: unknown, files: readonly string[], now: number): string | null {
  const { name, reason, until } = (entry ?? {}) as Partial<Quarantined>;
  if (typeof name !== "string" || typeof reason !== "string" || reason === "" || typeof until !== "string")
    return `an entry of the quarantine lacks its name, reason or until: ${JSON.stringify(entry)}`;
  if (!files.includes(name)) return `${name}: in quarantine, and no test file`;
  // The day ends with its last moment.
  const end = /^\d{4}-\d\d-\d\d$/.test(until) ? Date.parse(until) + DAY_MS : Number.NaN;
  if (Number.isNaN(end)) return `${name}: its quarantine ends on no day: ${until}`;
  if (end <= now) return `${name}: its quarantine ended on ${until} (${reason})`;
  if (end - now > (MAX_DAYS + 1) * DAY_MS)
    return `${name}: its quarantine ends on ${until}, in more than ${MAX_DAYS} days`;
  return null;
}
