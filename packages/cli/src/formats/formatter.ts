/**
 * The one seam between the answers of commands and standard output. A command states an answer; the formatter that the
 * call names decides what is printed. Each command has its own page for people.
 */
import type { Json } from "@svc/core";

/** The kinds of answers of commands. */
export type AnswerKind = "report" | "server_report" | "trust_file" | "key_forms" | "rates" | "explanation";

/** The answer of a command. */
export interface Answer {
  /** All of it, for programs. */
  readonly value: Json;
  /** Returns the text for a person: lines in which nothing can act on a terminal. */
  readonly page: () => readonly string[];
}

/** A form of output. Its functions return lines in which nothing can act on a terminal. */
export interface Formatter {
  /** The help text of its option, by the kind of answer. Without a text the command has no such option. */
  readonly help: Readonly<Partial<Record<AnswerKind, string>>>;
  /** Returns one answer, whole. */
  readonly answer: (answer: Answer) => readonly string[];
  /**
   * Returns one of many answers, as soon as it is there, on the thread that made it; null if an answer gets no separate
   * line.
   */
  readonly line: ((value: Json) => string) | null;
  /** Returns the lines behind the last of many answers. `page` makes the text for a person about all of them. */
  readonly end: (page: Answer["page"]) => readonly string[];
  /** The place of words that are no part of an answer, such as the path of a written file. */
  readonly remarks: "stdout" | "stderr" | "nowhere";
}
