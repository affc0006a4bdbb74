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

/** The words of a terminal about proof of a fork. */
export const PROOF_WORDS = {
  unproven: "No proof that convinces others was found in these two.",
  provable: "Make proof that convinces others, one small file:",
} as const;

/** Returns what is said of a fork: what contradicts what, and who sealed it. */
export function forkSentence({ stream_id, names, more, place, reached }: ToldFork): string {
  const stream = escapeText(stream_id ?? "a log");
  if (place === undefined)
    return `${names.join()}: evidence of a fork in ${stream}, and it holds under your trust. Keep it.`;
  const whose = reached
    ? "Each holds by itself, and your trust reaches everybody who sealed them: keep both. (fork_detected)"
    : "Keys that your trust does not reach sealed both: whose histories these are, you have not said.";
  const others = more.length === 0 ? "" : ` ${counted(more.length, "more file")} contradict the first: ${fewOf(more)}.`;
  return `${names.join(" and ")} show two histories of ${stream}: they differ ${wordsOf(place)}. ${whose}${others}`;
}

/** Returns a few names of files, and the number of the others. */
export function fewOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_FILES).join(", ");
  return names.length > SHOWN_FILES ? `${shown} and ${grouped(names.length - SHOWN_FILES)} more` : shown;
}

function wordsOf(place: HistoryPlace): string {
  if ("seq_no" in place) return `at event ${grouped(place.seq_no)}`;
  if ("window_no" in place) return `in window ${grouped(place.window_no)}`;
  return `within the first ${counted(place.window_count, "window")}`;
}
