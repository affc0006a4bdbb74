/** A Go client that does what a test says (internal/puppet), with the errors that it met. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { EventInput, ReceiptRecord } from "@svc/core";
import { buildCommand, folderOf, type Lifetime } from "./service.ts";

/** An error of the Go client. */
export class GoError extends Error {
  readonly code: string;
  readonly retryable: boolean;
  /** Whether it is a VerificationError. */
  readonly isLie: boolean;
  readonly hasAnswer: boolean;
  readonly key: string;
  readonly fork: unknown;

  constructor(facts: Pick<GoError, "message" | "code" | "retryable" | "isLie" | "hasAnswer" | "key" | "fork">) {
    super(facts.message);
    this.code = facts.code;
    this.retryable = facts.retryable;
    this.isLie = facts.isLie;
    this.hasAnswer = facts.hasAnswer;
    this.key = facts.key;
    this.fork = facts.fork;
  }
}

/** The arguments of an operation. */
export type Words = Readonly<Record<string, unknown>>;

export class Puppet {
  readonly #say: (line: string) => void;
  readonly #waiting = new Map<number, (answer: { value: unknown; error: GoError | null }) => void>();
  #last = 0;

  private constructor(say: (line: string) => void) {
    this.#say = say;
  }

  /** Builds and starts one. It ends with the test. */
  static start(t: Lifetime): Puppet {
    const child = spawn(buildCommand("puppet", folderOf(t)), { stdio: ["pipe", "pipe", "inherit"] });
    const puppet = new Puppet((line) => child.stdin.write(line));
    createInterface({ input: child.stdout }).on("line", (line) => {
      const answer = JSON.parse(line);
      puppet.#waiting.get(answer.id)?.(answer);
      puppet.#waiting.delete(answer.id);
    });
    t.after(async () => {
      const ended = once(child, "exit");
      child.stdin.end();
      await ended;
    });
    return puppet;
  }

  /** Does an operation. Rejects with GoError. */
  async do<T>(op: string, words: Words = {}): Promise<T> {
    this.#last += 1;
    const id = this.#last;
    const answered = new Promise<{ value: unknown; error: GoError | null }>((resolve) => {
      this.#waiting.set(id, resolve);
    });
    this.#say(`${JSON.stringify({ id, op, ...words })}\n`);
    const { value, error } = await answered;
    if (error !== null) throw new GoError(error);
    return value as T;
  }
}

/** A stream of the puppet's. */
export class GoStream {
  readonly #puppet: Puppet;
  readonly #words: Words;

  constructor(puppet: Puppet, client: number, streamId: string) {
    this.#puppet = puppet;
    this.#words = { client, streamId };
  }

  append(event: EventInput, key = ""): Promise<ReceiptRecord> {
    return this.#puppet.do("append", { ...this.#words, events: [event], key });
  }

  appendBatch(events: readonly EventInput[], key = ""): Promise<readonly ReceiptRecord[]> {
    return this.#puppet.do("appendBatch", { ...this.#words, events, key });
  }

  head(): Promise<Readonly<Record<string, unknown>>> {
    return this.#puppet.do("head", this.#words);
  }

  continueFrom(head: ReceiptRecord): Promise<void> {
    return this.#puppet.do("continueFrom", { ...this.#words, head });
  }

  /** `filter.one`: one page alone. */
  events(filter: Words = {}): Promise<readonly ReceiptRecord[]> {
    return this.#puppet.do("events", { ...this.#words, filter });
  }
}
