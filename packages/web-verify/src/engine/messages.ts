/** What the page and its engine say to each other. All of it can be sent to a worker. */

import type { Kind, Problem, Verdict } from "@svc/core";
import type { Element, OtherFormat, PayloadText, ReportSections, Tone } from "@svc/report";

/** A file as the page got it. It is read by the engine, so that the page never holds its bytes. */
export interface GivenFile {
  readonly name: string;
  readonly blob: Blob;
  /** Whether it is a folder, of which nothing is read. */
  readonly isFolder?: boolean;
}

/** Whom the reader trusts, beside a trust file among the files. */
export interface GivenKeys {
  /** All that are pinned, each 64 lowercase hex characters. */
  readonly pinned: readonly string[];
  /** Those of them that only the link to the page has named. */
  readonly fromLink: readonly string[];
}

/** What became of one file. */
export type Outcome = { readonly name: string; readonly bytes: number } & (
  | {
      readonly role: "evidence";
      readonly verdict: Verdict;
      /** Whether it looks good: not under a key that only the link has named. */
      readonly tone: Tone;
      readonly kind: Kind | null;
      readonly problem: Problem["code"] | null;
    }
  /** It says whom to trust; `fault` is what is wrong with it, null where nothing is. */
  | { readonly role: "trust"; readonly signers: number; readonly fault: string | null }
  /** A payload; whether it was put into a receipt. Without its salt it may be one, and cannot be told from anything else. */
  /** It says what the reader calls keys. */
  | { readonly role: "names"; readonly isUsed: boolean }
  | { readonly role: "payload"; readonly isUsed: boolean; readonly lacksSalt: boolean }
  | { readonly role: "other"; readonly format: OtherFormat }
  | { readonly role: "unreadable"; readonly reason: string }
);

/** A file that is shown. */
export interface Opened {
  readonly verdict: Verdict;
  readonly tone: Tone;
  readonly hasProblems: boolean;
  readonly sections: ReportSections;
  readonly events: number;
  /** The types of its events, in the order of the alphabet; not more than a list can show. */
  readonly eventTypes: readonly string[];
}

/** Which events a table shows. */
export interface EventFilter {
  /** In number, type, source or id; case does not count. */
  readonly text: string;
  /** Empty for all. */
  readonly type: string;
  readonly onlyBroken: boolean;
}

export interface Row {
  /** The place of the event in the file. */
  readonly index: number;
  readonly cells: readonly string[];
  readonly isBroken: boolean;
  readonly hasPayload: boolean;
}

/** One event; its payload is null where the file does not hold it. */
export interface ShownEvent {
  /** Its id and its times. */
  readonly facts: Element;
  readonly payload: PayloadText | null;
}

/** How far the engine is. */
export interface Progress {
  readonly phase: "reading" | "checking";
  readonly file: string;
  readonly done: number;
  readonly of: number;
}

/** What the engine does. */
export interface EngineCalls {
  /** Starts the kernel, and says which it is and why it is not the compiled one. */
  start(): Promise<{ readonly kernel: string | null; readonly why: string | null }>;
  /** `salt`: that of a payload that came without it, 32 lowercase hex characters; null where none was given. */
  check(files: readonly GivenFile[], keys: GivenKeys, salt: string | null): Promise<Outcome[]>;
  /** Shows one of the files that were checked. Verifies it again where another was shown in between. */
  open(index: number): Promise<Opened>;
  /** How many events pass a filter. */
  filter(filter: EventFilter): Promise<number>;
  /** Some of the events that pass the last filter. */
  rows(from: number, count: number): Promise<Row[]>;
  /** An event, with the first characters alone of a payload that is longer than a page can show. */
  event(index: number): Promise<ShownEvent>;
  /** The report that is shown, as a file; as a page with the payloads of its events, or without. */
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

/** From the engine: progress of a call, its result, or why it failed. */
export type AnswerMessage =
  | { readonly id: number; readonly progress: Progress }
  | { readonly id: number; readonly result: unknown }
  | { readonly id: number; readonly error: string };
