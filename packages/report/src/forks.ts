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
  /** The names of those of the two of which not every signature was checked; missing or empty for no such one. */
  readonly unchecked?: readonly string[];
}

/** The words of a terminal alone about forks: about proof of one, and behind what evidence of one shows. */
export const PROOF_WORDS = {
  unproven: "No proof that convinces others was found in these two.",
  provable: "Make proof that convinces others, one small file:",
  holds: "and it holds under your trust",
} as const;

/** Returns what is said of a fork: what contradicts what, and who sealed it. */
export function forkSentence({ stream_id, names, more, place, reached, unchecked = [] }: ToldFork): string {
  const stream = escapeText(stream_id ?? LOG);
  if (place === undefined)
    return `${names.join()}: evidence of a fork in ${stream}, and it holds under your trust. Keep it.`;
  const whose = reached
    ? "Each holds by itself, and your trust reaches everybody who sealed them: keep both. (fork_detected)"
    : unchecked.length === 0
      ? "Keys that your trust does not reach sealed both: whose histories these are, you have not said."
      : `Not every signature of ${unchecked.join(" and ")} was checked: anybody could have made such a file.`;
  const others = more.length === 0 ? "" : ` ${counted(more.length, "more file")} contradict the first: ${fewOf(more)}.`;
  return `${names.join(" and ")} show two histories of ${stream}: they differ ${placeWords(place)}. ${whose}${others}`;
}

/** Returns a few names of files, and the number of the others. */
export function fewOf(names: readonly string[]): string {
  const shown = names.slice(0, SHOWN_FILES).join(", ");
  return names.length > SHOWN_FILES ? `${shown} and ${grouped(names.length - SHOWN_FILES)} more` : shown;
}

/** Returns where two histories differ, in words: `at event 9`. */
function placeWords(place: HistoryPlace): string {
  if ("seq_no" in place) return `at event ${grouped(place.seq_no)}`;
  if ("window_no" in place) return `in window ${grouped(place.window_no)}`;
  return `within the first ${counted(place.window_count, "window")}`;
}

/** The log of a service that names no stream. */
const LOG = "a log";

/**
 * Returns what evidence of a fork shows, for a verdict under which it holds. `bytes`: the verified file. It decodes
 * WITHOUT verifying.
 */
export function forkShown(bytes: Uint8Array, stream_id: string | null = null): string {
  const { left, right } = JSON.parse(new TextDecoder().decode(bytes)) as Readonly<Record<string, Side>>;
  // A signed note has the size of its tree in its second line.
  const sides = [left, right].map((side) =>
    typeof side === "string" ? { log_size: Number(side.split("\n")[1]) } : (side ?? {}),
  );
  const least = (...names: readonly (keyof Place)[]) =>
    Math.min(...sides.flatMap((side) => names.map((name) => side[name] ?? Number.POSITIVE_INFINITY)));
  const [seq_no, window_no, size] = [least("seq_no"), least("window_no"), least("window_count", "log_size")];
  const isThere = Number.isSafeInteger;
  const where = isThere(seq_no)
    ? placeWords({ seq_no })
    : isThere(window_no)
      ? placeWords({ window_no })
      : !isThere(size)
        ? ""
        : stream_id === null
          ? `within the first ${grouped(size)} of its entries`
          : placeWords({ window_count: size });
  return `evidence of a fork in ${stream_id ?? LOG}${where && `, ${where}`}`;
}

/** The members of a side that say where it stands. */
interface Place {
  readonly seq_no?: number;
  readonly window_no?: number;
  readonly window_count?: number;
  readonly log_size?: number;
}

/** A side is an object, or a signed note. */
type Side = Place | string | undefined;
