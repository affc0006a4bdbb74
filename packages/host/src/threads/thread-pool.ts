/**
 * Threads beside the one that answers requests, each with one task at a time. Tasks wait by owner, and owners take
 * turns. A task that takes too much time or memory ends with its thread. The pool does NOT know the tasks: see task.ts
 * for the other side.
 */
import { type Transferable, Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.ts";
import type { FromThread, ToThread } from "./task.ts";

/** How often a thread is looked at before its task is given up, however little processor time it got. */
const MAX_LOOKS = 10;

/** The limits of a pool. */
export interface PoolRules {
  /** The module that a thread runs. */
  readonly program: URL;
  readonly threads: number;
  /** The heap of a thread, in MiB. */
  readonly heapMib: number;
  /**
   * The part of the heap for young values, in MiB; without it, as much as the runtime takes. A small one keeps the heap
   * small, at the price of more work.
   */
  readonly youngHeapMib?: number;
  /**
   * How much processor time one task may take; null for any. On a busy machine it may wait for the processor much
   * longer.
   */
  readonly taskMs: number | null;
  /** How long a task may wait for its turn. */
  readonly waitMs: number;
  /** How many tasks of one owner may wait. */
  readonly maxWaiting: number;
  /** Whether a thread takes another task after one; otherwise it ends and frees its memory. */
  readonly lasting: boolean;
}

/** The pool gave up a task: no turn in time or too many waiting, too much time, or too much memory. */
export class TaskRefused extends Error {
  readonly why: "busy" | "time" | "memory";
  /** How long a thread worked for the task. */
  readonly ms: number;

  constructor(why: TaskRefused["why"], ms = 0) {
    super(`a task of a thread was refused: ${why}`);
    this.name = "TaskRefused";
    this.why = why;
    this.ms = ms;
  }
}

/** A task for a pool. */
export interface Task<Question, Asked, Reply> {
  /** The owner among whose tasks it waits. */
  readonly owner: string;
  readonly question: Question;
  /** Objects that move to the thread; the caller must not use them afterwards. */
  readonly transfer?: readonly Transferable[];
  /** Ends the wait for a turn; the task rejects with its reason. A running task continues. */
  readonly signal?: AbortSignal;
  /** Resolves to the reply to a question of the running task. */
  readonly reply?: (asked: Asked) => Promise<Reply>;
}

/** The answer of a task, and how long the thread worked for it. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly ms: number;
}

interface Waiting<Question, Answer, Asked, Reply> {
  readonly task: Task<Question, Asked, Reply>;
  readonly resolve: (answered: Answered<Answer>) => void;
  readonly reject: (error: unknown) => void;
  /** Ends the limits of the wait. */
  readonly begun: () => void;
}

/** A pool of threads. It starts a thread when a task needs one. */
export class ThreadPool<Question, Answer, Asked = never, Reply = never> {
  readonly #rules: PoolRules;
  readonly #waiting = new FairQueue<Waiting<Question, Answer, Asked, Reply>>();
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();

  constructor(rules: PoolRules) {
    this.#rules = rules;
  }

  /**
   * Resolves to the answer of a task. Rejects with TaskRefused, the reason of the signal, or the error of the thread.
   */
  run(task: Task<Question, Asked, Reply>): Promise<Answered<Answer>> {
    const { owner, signal } = task;
    if (this.#waiting.sizeOf(owner) >= this.#rules.maxWaiting) return Promise.reject(new TaskRefused("busy"));
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        begun();
        if (this.#waiting.remove(owner, waiting)) reject(error);
      };
      const timer = setTimeout(() => leave(new TaskRefused("busy")), this.#rules.waitMs);
      const abort = () => leave(signal?.reason);
      const begun = () => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", abort);
      };
      const waiting = { task, resolve, reject, begun };
      this.#waiting.push(owner, waiting);
      if (signal?.aborted === true) abort();
      else signal?.addEventListener("abort", abort);
      this.#begin();
    });
  }

  /** Ends all threads; running tasks are rejected. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  /**
   * Gives a free thread to the task whose turn it is. If the system refuses a new thread, that task fails and the next
   * one tries again.
   */
  #begin(): void {
    while (this.#idle.length > 0 || this.#all.size < this.#rules.threads) {
      const next = this.#waiting.shift();
      if (next === undefined) return;
      next.begun();
      try {
        this.#work(this.#idle.pop() ?? this.#start(), next);
        return;
      } catch (error) {
        next.reject(error);
      }
    }
  }

  #start(): Worker {
    const { program, heapMib, youngHeapMib } = this.#rules;
    const young = youngHeapMib === undefined ? {} : { maxYoungGenerationSizeMb: youngHeapMib };
    const resourceLimits = { maxOldGenerationSizeMb: heapMib, ...young };
    // The runtime erases types itself: a loader would only cost time and memory here.
    const worker = new Worker(program, { execArgv: [], resourceLimits });
    this.#all.add(worker);
    // A thread that fails between two tasks simply ends; the next task gets another.
    worker.on("error", () => undefined);
    worker.once("exit", () => {
      this.#all.delete(worker);
      const index = this.#idle.indexOf(worker);
      if (index >= 0) this.#idle.splice(index, 1);
      this.#begin();
    });
    return worker;
  }

  #work(worker: Worker, { task, resolve, reject }: Waiting<Question, Answer, Asked, Reply>): void {
    const { taskMs, lasting } = this.#rules;
    let refusal: TaskRefused | null = null;
    const startedAt = performance.now();
    const giveUp = (ms: number) => {
      refusal = new TaskRefused("time", ms);
      void worker.terminate();
    };
    const watch = taskMs === null ? null : new Watch(worker, taskMs, () => giveUp(taskMs));
    const end = () => {
      watch?.end();
      worker.off("message", take).off("error", fail).off("exit", exit);
    };
    const take = (message: FromThread) => {
      // The task has been given up and its thread is about to end: the `exit` event settles it.
      if (refusal !== null) return;
      if ("ask" in message) {
        void this.#answer(worker, task, message.ask as Asked).catch((error: unknown) => {
          // Without the reply the task cannot end, so its thread is ended.
          fail(error as Error);
          void worker.terminate();
        });
        return;
      }
      end();
      resolve({ answer: message.answer as Answer, ms: message.ms });
      if (!lasting) {
        void worker.terminate();
        return;
      }
      // An idle thread keeps no process alive.
      worker.unref();
      this.#idle.push(worker);
      this.#begin();
    };
    const fail = (error: NodeJS.ErrnoException) => {
      end();
      // The thread is about to end, and takes no other task.
      reject(
        error.code === "ERR_WORKER_OUT_OF_MEMORY" ? new TaskRefused("memory", performance.now() - startedAt) : error,
      );
    };
    const exit = () => {
      end();
      reject(refusal ?? new Error("a thread has ended without an answer"));
    };
    worker.on("message", take).on("error", fail).on("exit", exit);
    try {
      worker.ref();
      worker.postMessage({ task: task.question } satisfies ToThread, task.transfer);
    } catch (error) {
      fail(error as Error);
      void worker.terminate();
    }
  }

  async #answer(worker: Worker, { reply }: Task<Question, Asked, Reply>, asked: Asked): Promise<void> {
    worker.postMessage({ reply: await reply?.(asked) } satisfies ToThread);
  }
}

/**
 * Waits until a thread has used a given processor time. A thread yields to others, so elapsed time would not show how
 * much its task takes.
 */
class Watch {
  readonly #worker: Worker;
  readonly #taskMs: number;
  readonly #onOver: () => void;
  /** The processor time that the thread had used before. */
  readonly #before: Promise<number>;
  #timer: NodeJS.Timeout;
  #looks = 0;
  #isOver = false;

  constructor(worker: Worker, taskMs: number, onOver: () => void) {
    this.#worker = worker;
    this.#taskMs = taskMs;
    this.#onOver = onOver;
    this.#before = usedMs(worker);
    this.#timer = setTimeout(() => this.#look(), taskMs);
  }

  end(): void {
    this.#isOver = true;
    clearTimeout(this.#timer);
  }

  async #look(): Promise<void> {
    const used = (await usedMs(this.#worker)) - (await this.#before);
    if (this.#isOver) return;
    const left = this.#taskMs - used;
    this.#looks += 1;
    if (left <= 0 || this.#looks === MAX_LOOKS) this.#onOver();
    else this.#timer = setTimeout(() => this.#look(), Math.max(left, this.#taskMs / MAX_LOOKS));
  }
}

/** Resolves to the processor time of a thread in milliseconds; 0 if it has ended or not yet started. */
async function usedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // The `exit` event tells its end.
    return 0;
  }
}
