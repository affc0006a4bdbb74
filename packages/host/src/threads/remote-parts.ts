/**
 * Parts (parts.ts) on another thread. All calls of one turn of the event loop cross as one message, and so do their
 * answers: a message costs more than what it carries.
 */
import type { Part, Parts, Remote } from "../parts.ts";
import { fromThrown, type Thrown, toThrown } from "./thrown.ts";

/** A call: its number, the names of part and method, and the arguments. */
type Call = readonly [id: number, part: string, method: string, values: readonly unknown[]];
/** The end of a call: its number, and the result or the error. */
type Answer = readonly [id: number, result: unknown] | readonly [id: number, result: null, thrown: Thrown];

/** All calls of a turn. */
export interface Calls {
  readonly calls: readonly Call[];
}
/** All answers of a turn. */
export interface Answers {
  readonly answers: readonly Answer[];
}

/** A caller that waits. */
interface Waiting {
  readonly resolve: (result: never) => void;
  readonly reject: (error: Error) => void;
}

/** The stand-ins of parts on another thread. */
export class RemoteParts<Context> implements Parts<Context> {
  readonly #send: (calls: Calls) => void;
  readonly #waiting = new Map<number, Waiting>();
  readonly #refusal: () => Error;
  #calls: Call[] = [];
  #last = 0;
  #isEnded = false;

  /** `send`: sends a message to the thread. `refusal`: returns the error of calls after its end. */
  constructor(send: (calls: Calls) => void, refusal: () => Error) {
    this.#send = send;
    this.#refusal = refusal;
  }

  use<Methods extends object>({ name }: Part<Context, Methods>): Remote<Methods> {
    const methods = new Map<string, (...values: unknown[]) => Promise<unknown>>();
    const standIn = new Proxy(
      {},
      {
        get: (_target, method) => {
          // A stand-in is not a promise, even if it is awaited.
          if (typeof method !== "string" || method === "then") return undefined;
          const known = methods.get(method) ?? ((...values: unknown[]) => this.#call(name, method, values));
          methods.set(method, known);
          return known;
        },
      },
    );
    return standIn as Remote<Methods>;
  }

  /** Settles the callers of these answers. */
  settle({ answers }: Answers): void {
    for (const [id, result, thrown] of answers) {
      const waiting = this.#waiting.get(id);
      this.#waiting.delete(id);
      if (thrown === undefined) waiting?.resolve(result as never);
      else waiting?.reject(fromThrown(thrown));
    }
  }

  /** The thread has ended: all that wait are rejected with `error`, and later calls with the refusal. */
  end(error: Error): void {
    this.#isEnded = true;
    this.#calls = [];
    for (const { reject } of this.#waiting.values()) reject(error);
    this.#waiting.clear();
  }

  #call(part: string, method: string, values: readonly unknown[]): Promise<unknown> {
    if (this.#isEnded) return Promise.reject(this.#refusal());
    return new Promise((resolve, reject) => {
      const id = ++this.#last;
      this.#waiting.set(id, { resolve, reject });
      // Every request that has arrived is read before this comes.
      if (this.#calls.length === 0) setImmediate(() => this.#flush());
      this.#calls.push([id, part, method, values]);
    });
  }

  #flush(): void {
    const calls = this.#calls;
    this.#calls = [];
    if (calls.length > 0) this.#send({ calls });
  }
}

/** The side of the parts: does the calls, and sends their answers. */
export class ServedParts<Context> {
  readonly #parts: ReadonlyMap<string, Record<string, (...values: unknown[]) => Promise<unknown>>>;
  readonly #send: (answers: Answers) => void;
  #answers: Answer[] = [];

  /** `parts`: all parts of the program. `send`: sends a message to the thread of the callers. */
  constructor(parts: readonly Part<Context, object>[], context: Context, send: (answers: Answers) => void) {
    this.#parts = new Map(parts.map(({ name, make }) => [name, make(context) as never]));
    this.#send = send;
  }

  /** Begins the calls, in order. */
  take({ calls }: Calls): void {
    for (const [id, part, method, values] of calls)
      this.#run(part, method, values).then(
        (result) => this.#answer([id, result]),
        (error: unknown) => this.#answer([id, null, toThrown(error)]),
      );
  }

  async #run(part: string, method: string, values: readonly unknown[]): Promise<unknown> {
    const methods = this.#parts.get(part);
    if (methods === undefined) throw new TypeError(`there is no part ${part}`);
    const known = methods[method];
    // A member that every object inherits is no method of the part.
    if (typeof known !== "function" || method in Object.prototype)
      throw new TypeError(`part ${part} has no method ${method}`);
    return known.apply(methods, [...values]);
  }

  #answer(answer: Answer): void {
    // All callers of one commit have their answers before this runs, and nothing else is begun before it.
    if (this.#answers.length === 0) process.nextTick(() => this.#flush());
    this.#answers.push(answer);
  }

  #flush(): void {
    const answers = this.#answers;
    this.#answers = [];
    this.#send({ answers });
  }
}
