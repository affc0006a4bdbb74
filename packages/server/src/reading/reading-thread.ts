/**
 * The reading thread, as the answering thread sees it. It does one step at a time. Each principal has a share of its
 * time, and all who ask without a key have one together, so that many reads hold up only those of the same share. If
 * the thread ends, its current step fails, and the next step starts another thread.
 */
import { Worker } from "node:worker_threads";
import { isAnonymous, requireTurn } from "@svc/host/http";
import type { PieceRead, Read, Readings, Used } from "@svc/host/reads";
import { type DatabaseLocation, StoreUnavailable } from "@svc/host/store";
import { fromThrown, TimeShares, toThrown } from "@svc/host/threads";
import type { ReadContext } from "../context.ts";
import type { SignElsewhere } from "../signing/remote-signing-key.ts";
import type { FromReader, Step, ToReader, Value } from "./messages.ts";

/** So many pieces of a text are made before they are taken. */
const PIECES_AHEAD = 2;

interface Waiting {
  readonly asker: string;
  readonly step: Step;
  readonly resolve: (value: Value) => void;
  readonly reject: (error: Error) => void;
  readonly used: Used | undefined;
}

/** The places that the thread opens, as its `workerData`. */
export interface ReadingPlaces {
  readonly databaseLocation: DatabaseLocation;
  /** The folder of the archive. */
  readonly archivePath: string;
}

/** Reads in a separate thread, which has its own connections to the database. */
export class ReadingThread implements Readings<ReadContext> {
  readonly #program: URL;
  readonly #places: ReadingPlaces;
  readonly #signElsewhere: SignElsewhere;
  readonly #waiting = new TimeShares<Waiting>((asker) => (isAnonymous(asker) ? "anonymous" : asker));
  #worker: Worker | null = null;
  #atWork: Waiting | null = null;
  #opened = 0;
  #isClosed = false;

  /** `program`: that of the thread. `sign`: makes the signatures of what is read. */
  constructor(program: URL, places: ReadingPlaces, sign: SignElsewhere) {
    this.#program = program;
    this.#places = places;
    this.#signElsewhere = sign;
  }

  async read<Arguments, Result>(
    asker: string,
    { name }: Read<ReadContext, Arguments, Result>,
    args: Arguments,
    used?: Used,
  ): Promise<Result> {
    requireTurn(this.#waiting, asker);
    return (await this.#ask(asker, { read: name, args }, used)) as Result;
  }

  async *pieces<Arguments>(
    asker: string,
    { name }: PieceRead<ReadContext, Arguments>,
    args: Arguments,
  ): AsyncGenerator<Uint8Array> {
    requireTurn(this.#waiting, asker);
    const id = ++this.#opened;
    // The pieces belong to the present thread: a later one would not know them.
    await this.#ask(asker, { open: id, pieces: name, args });
    const worker = this.#worker;
    // One step waits while another is done, or a text that is read at once would lose its turn after each piece.
    const asked: Promise<Value>[] = [];
    try {
      for (;;) {
        while (asked.length < PIECES_AHEAD) asked.push(this.#askAhead(asker, id, worker));
        const value = await asked.shift();
        if (value == null) return;
        yield value as Uint8Array;
      }
    } finally {
      await Promise.allSettled(asked);
      if (this.#worker === worker && worker !== null) await this.#ask(asker, { end: id });
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#worker?.terminate();
  }

  /** Asks for the next piece of a text of this thread. Nobody may be left who waits when it fails. */
  #askAhead(asker: string, id: number, worker: Worker | null): Promise<Value> {
    const isThere = this.#worker === worker;
    const piece = isThere
      ? this.#ask(asker, { next: id })
      : Promise.reject(new Error("the thread that reads has ended"));
    piece.catch(() => undefined);
    return piece;
  }

  #ask(asker: string, step: Step, used?: Used): Promise<Value> {
    if (this.#isClosed) return Promise.reject(new StoreUnavailable("the database is closed"));
    return new Promise((resolve, reject) => {
      this.#waiting.push(asker, { asker, step, resolve, reject, used });
      this.#goOn();
    });
  }

  #goOn(): void {
    while (this.#atWork === null) {
      const next = this.#waiting.shift();
      if (next === undefined) {
        // An idle thread keeps no process alive.
        this.#worker?.unref();
        return;
      }
      try {
        this.#worker ??= this.#start();
        this.#worker.ref();
        this.#worker.postMessage({ step: next.step } satisfies ToReader);
        this.#atWork = next;
      } catch (error) {
        // The system gives no thread now: the next step tries again.
        next.reject(error as Error);
      }
    }
  }

  #start(): Worker {
    // The runtime erases types itself: a loader would only cost time and memory here.
    const worker = new Worker(this.#program, { execArgv: [], workerData: this.#places });
    worker.on("message", (message: FromReader) => {
      // A thread that was given up must not answer a step of the present one.
      if (worker !== this.#worker) return;
      if ("sign" in message) void this.#sign(worker, message.sign, message.kid);
      else this.#end(message);
    });
    worker.on("error", (error) => this.#lose(worker, error as Error));
    worker.on("exit", () => this.#lose(worker, new Error("the thread that reads has ended")));
    return worker;
  }

  #end(message: Exclude<FromReader, { readonly sign: Uint8Array }>): void {
    const ended = this.#atWork;
    this.#atWork = null;
    if (ended !== null) this.#waiting.charge(ended.asker, message.ms);
    ended?.used?.(message.ms);
    if ("thrown" in message) ended?.reject(fromThrown(message.thrown));
    else ended?.resolve(message.value);
    this.#goOn();
  }

  #lose(worker: Worker, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = null;
    this.#atWork?.reject(error);
    this.#atWork = null;
    if (!this.#isClosed) this.#goOn();
    else for (let left = this.#waiting.shift(); left !== undefined; left = this.#waiting.shift()) left.reject(error);
  }

  async #sign(worker: Worker, message: Uint8Array, kid: string): Promise<void> {
    try {
      worker.postMessage({ signature: await this.#signElsewhere(message, kid) } satisfies ToReader);
    } catch (error) {
      worker.postMessage({ refused: toThrown(error) } satisfies ToReader);
    }
  }
}
