/** The words about two histories of one stream that files show together, each of which holds by itself. */
import type { HistoryPlace } from "@svc/core";
import { escapeText } from "./escape.ts";
import { counted, grouped } from "./numbers.ts";

/** So many files are named. */
const SHOWN_FILES = 5;

/** Two files that contradict each other; or one, whose evidence shows a fork, without a place. */
export interface ToldFork {
  /** Null for a log of a service. */
  readonly stream_id: string | null;
  /** The names of the files, safe to show. */
  readonly names: readonly string[];
  /** Those of more files that contradict the first. */
  readonly more: readonly string[];
  readonly place?: HistoryPlace;
  /** Whether trust reaches everybody who sealed them. */
  readonly reached: boolean;
}

/** The texts about a fork, with names in braces for what is put in. */
export const FORK_WORDS = {
  evidence: "{files}: evidence of a fork in {stream}, and it holds under your trust. Keep it.",
  histories: "{files} show two histories of {stream}: they differ {place}. {whose}{more}",
  log: "a log",
  event: "at event {number}",
  window: "in window {number}",
  tree: "within the first {windows}",
  reached: "Each holds by itself, and your trust reaches everybody who sealed them: keep both. (fork_detected)",
  unreached: "Keys that your trust does not reach sealed both: whose histories these are, you have not said.",
  more: " {count} contradict the first: {files}.",
  unproven: "No proof that convinces others was found in these two.",
  provable: "Make proof that convinces others, one small file:",
} as const;

/** Returns what is said of a fork: what contradicts what, and who sealed it. */
export function forkSentence({ stream_id, names, more, place, reached }: ToldFork): string {
  const values = { files: names.join(" and "), stream: escapeText(stream_id ?? FORK_WORDS.log) };
  if (place === undefined) return filled(FORK_WORDS.evidence, values);
  const whose = reached ? FORK_WORDS.reached : FORK_WORDS.unreached;
  const others = { count: counted(more.length, "more file"), files: fewOf(more) };
  return filled(FORK_WORDS.histories, {
    ...values,
    place: wordsOf(place),
    whose,
    more: more.length === 0 ? "" : filled(FORK_WORDS.more, others),
  });
}

/** Returns a few names of files, and the number of the others. */
export function fewOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_FILES).join(", ");
  return names.length > SHOWN_FILES ? `${shown} and ${grouped(names.length - SHOWN_FILES)} more` : shown;
}

function wordsOf(place: HistoryPlace): string {
  if ("seq_no" in place) return filled(FORK_WORDS.event, { number: grouped(place.seq_no) });
  if ("window_no" in place) return filled(FORK_WORDS.window, { number: grouped(place.window_no) });
  return filled(FORK_WORDS.tree, { windows: counted(place.window_count, "window") });
}

/** Returns a text with values in the place of their names; a value is put in as it is. */
function filled(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name] ?? "");
}
