/**
 * The one seam between what commands answer and standard output. A command states an answer; the formatter that the call asks for says what is
 * printed. The page for a person is the command's own, since each command has another.
 */
import type { Json } from "@svc/core";

/** What commands answer with. */
export type AnswerKind = "report" | "server_report" | "trust_file" | "key_forms" | "rates";

/** What a command has to say. */
export interface Answer {
  /** All of it, for programs. */
  readonly value: Json;
  /** Makes what a person reads: lines in which nothing can act on a terminal. */
  readonly page: () => readonly string[];
}

/** A form of output. Its functions return lines in which nothing can act on a terminal. */
export interface Formatter {
  /** What the help says of its option, by what a command answers with. Where it says nothing the command has no such option. */
  readonly help: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Writes one answer, whole. */
  readonly answer: (answer: Answer) => readonly string[];
  /** Writes one of many answers, as soon as it is there, on whichever thread made it; null where each gets no line of its own. */
  readonly line: ((value: Json) => string) | null;
  /** Writes what follows the last of many answers. `page` makes what a person reads of all of them. */
  readonly end: (page: Answer["page"]) => readonly string[];
  /** Where words go that are no part of an answer, such as where a file was written. */
  readonly remarks: "stdout" | "stderr" | "nowhere";
}
