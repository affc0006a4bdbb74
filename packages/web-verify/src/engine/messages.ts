/** The messages between the page and its engine. All of them can be sent to a worker. */

import type { Kind, Problem, Verdict } from "@svc/core";
import type { Element, Look, OtherFormat, PayloadText, ReportSections, ToldFork, Tone } from "@svc/report";

/** A file that the reader gave to the page. The engine reads it, so that the page never holds its bytes. */
export interface SuppliedFile {
  readonly name: string;
  readonly blob: Blob;
  /** Whether it is a folder, which nobody reads. */
  readonly isFolder?: boolean;
}

/** The reader's keys, beside a trust file among the files. */
export interface SuppliedKeys {
  /** All pinned keys, each 64 lowercase hex characters. */
  readonly pinned: readonly string[];
  /** The pinned keys that only the link to the page has named. */
  readonly fromLink: readonly string[];
}

/** The result for one file. */
export type Outcome = { readonly name: string; readonly bytes: number } & (
  | {
      readonly role: "evidence";
      readonly verdict: Verdict;
      /** How the verdict looks: not good under a key that only the link has named. */
      readonly tone: Tone;
      readonly kind: Kind | null;
      /** Who sealed it, in words; empty for a rejected file. */
      readonly signers: string;
      readonly problem: Problem["code"] | null;
    }
  /** It is a trust policy; `fault` is its fault, null if it has none. */
  | { readonly role: "trust"; readonly signers: number; readonly fault: string | null }
  /** It has the reader's names for keys. */
  | { readonly role: "names"; readonly isUsed: boolean }
  /** It is a payload; whether it was put into a receipt. Without its salt, a payload looks like any other JSON. */
  | { readonly role: "payload"; readonly isUsed: boolean; readonly lacksSalt: boolean }
  | { readonly role: "other"; readonly format: OtherFormat }
  | { readonly role: "unreadable"; readonly reason: string }
);

/** Two files that contradict each other; or one that is verified evidence of a fork, without a place. */
export interface FoundFork extends Pick<ToldFork, "stream_id" | "place" | "reached"> {
  /** The indexes of the files, and behind the first two those of more that contradict the first. */
  readonly files: readonly number[];
  /** The words about it, escaped. */
  readonly words: string;
  /** Whether every signature of the first two was checked: proof of other ones convinces nobody. */
  readonly isChecked: boolean;
}

/** The results for all files. */
export interface Checked {
  readonly outcomes: readonly Outcome[];
  readonly forks: readonly FoundFork[];
}

/** The file that the page shows. */
export interface Opened {
  readonly look: Look;
  readonly hasProblems: boolean;
  readonly sections: ReportSections;
  readonly events: number;
  /** The types of its events, in alphabetical order; at most as many as a list can show. */
  readonly eventTypes: readonly string[];
}

/** Which events a table shows. */
export interface EventFilter {
  /** Text in the number, type, source or id; case does not count. */
  readonly text: string;
  /** Empty for all. */
  readonly type: string;
  readonly onlyBroken: boolean;
}

export interface Row {
  /** The index of the event in the file. */
  readonly index: number;
  readonly cells: readonly string[];
  readonly isBroken: boolean;
  readonly hasPayload: boolean;
}

/** One event; its payload is null if the file does not hold it. */
export interface ShownEvent {
  /** Its id and its times. */
  readonly facts: Element;
  readonly payload: PayloadText | null;
}

/** The progress of the engine. */
export interface Progress {
  readonly phase: "reading" | "checking";
  readonly file: string;
  readonly done: number;
  readonly of: number;
}

/** The calls of the engine. */
export interface EngineCalls {
  /** Starts the kernel. Resolves to its name, and to the reason if it is not the compiled one. */
  start(): Promise<{ readonly kernel: string | null; readonly why: string | null }>;
  /**
   * Checks files. `salt`: the salt of a payload that came without it, 32 lowercase hex characters; null if the reader
   * gave none.
   */
  check(files: readonly SuppliedFile[], keys: SuppliedKeys, salt: string | null): Promise<Checked>;
  /** Resolves to portable proof that two checked files differ at an event, as a file; null if none can be made here. */
  proof(left: number, right: number, seqNo: number): Promise<string | null>;
  /** Shows one of the checked files. Verifies it again if another was shown in between. */
  open(index: number): Promise<Opened>;
  /** Resolves to the number of events that pass a filter. */
  filter(filter: EventFilter): Promise<number>;
  /** Resolves to some of the events that pass the last filter. */
  rows(from: number, count: number): Promise<Row[]>;
  /** Resolves to an event; a payload longer than the page can show is cut to its first characters. */
  event(index: number): Promise<ShownEvent>;
  /**
   * Resolves to the report that is shown, as a file; the page form has the payloads of its events, or leaves them out.
   */
  saved(form: "json" | "html", payloads: boolean): Promise<string>;
}

export type CallName = keyof EngineCalls;
export type CallArguments<Name extends CallName> = Parameters<EngineCalls[Name]>;
export type CallResult<Name extends CallName> = Awaited<ReturnType<EngineCalls[Name]>>;

/** To the engine. */
export interface CallMessage {
  readonly id: number;
  readonly name: CallName;
  readonly args: readonly unknown[];
}

/** From the engine: the progress of a call, its result, or the reason of its failure. */
export type AnswerMessage =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
