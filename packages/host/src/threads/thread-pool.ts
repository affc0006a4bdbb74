/**
 * Threads beside the one that answers requests, each with one task at a time. Tasks wait by owner, owners take turns. A task that takes too much
 * time or memory ends with its thread. Knows nothing of what the tasks do: see task.ts for the other side.
 */
import { type Transferable, Worker } from "node:worker_threads";
import { FairQueue } from "./fair-queue.ts";
import type { FromThread, ToThread } from "./task.ts";

/** How often a thread is looked at before its task is given up, however little of a processor it got. */
const MAX_LOOKS = 10;

export interface PoolRules {
  /** The program of a thread. */
  readonly program: URL;
  readonly threads: number;
  /** The heap of a thread, in MiB. */
  readonly heapMib: number;
  /** How long one task may take of a processor. On a busy machine it may wait for one much longer. */
  readonly taskMs: number;
  /** How long a task may wait for its turn. */
  readonly waitMs: number;
  /** How many tasks of one owner may wait. */
  readonly maxWaiting: number;
  /** Whether a thread takes another task after one; otherwise it ends, and its memory with it. */
  readonly lasting: boolean;
}

/** Why a task has no answer. */
export class TaskRefused extends Error {
  readonly why: "busy" | "time" | "memory";
  /** How long a thread worked for it. */
  readonly ms: number;

  constructor(why: TaskRefused["why"], ms = 0) {
    super(`a task of a thread was refused: ${why}`);
    this.name = "TaskRefused";
    this.why = why;
    this.ms = ms;
  }
}

export interface Task<Question, Asked, Reply> {
  /** Who has to wait for whom. */
  readonly owner: string;
  readonly question: Question;
  /** What is handed over, and no longer to be used here. */
  readonly transfer?: readonly Transferable[];
  /** Ends the wait for a turn, with its reason. A task that is under way goes on. */
  readonly signal?: AbortSignal;
  /** Answers what the task asks while it is under way. */
  readonly reply?: (asked: Asked) => Promise<Reply>;
}

/** An answer, and how long the thread worked for it. */
export interface Answered<Answer> {
  readonly answer: Answer;
  readonly ms: number;
}

interface Waiting<Question, Answer, Asked, Reply> {
  readonly task: Task<Question, Asked, Reply>;
  readonly resolve: (answered: Answered<Answer>) => void;
  readonly reject: (error: unknown) => void;
  /** Ends what limits the wait. */
  readonly begun: () => void;
}

export class ThreadPool<Question, Answer, Asked = never, Reply = never> {
  readonly #rules: PoolRules;
  readonly #waiting = new FairQueue<Waiting<Question, Answer, Asked, Reply>>();
  readonly #idle: Worker[] = [];
  readonly #all = new Set<Worker>();

  constructor(rules: PoolRules) {
    this.#rules = rules;
  }

  /** Throws TaskRefused, the reason of the signal, or what the thread threw. */
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

  /** Ends all threads; tasks under way are rejected. */
  async close(): Promise<void> {
    await Promise.all([...this.#all].map((worker) => worker.terminate()));
  }

  /** Gives a free thread to the task whose turn it is; where the system gives none, that task fails and the next one tries again. */
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
    const { program, heapMib } = this.#rules;
    // The runtime erases types itself: a loader would only cost time and memory there.
    const worker = new Worker(program, { execArgv: [], resourceLimits: { maxOldGenerationSizeMb: heapMib } });
    this.#all.add(worker);
    // One that fails while it has no task ends with that; the next task gets another.
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
    const watch = new Watch(worker, taskMs, () => {
      refusal = new TaskRefused("time", taskMs);
      void worker.terminate();
    });
    const end = () => {
      watch.end();
      worker.off("message", take).off("error", fail).off("exit", exit);
    };
    const take = (message: FromThread) => {
      // It has been given up, and its thread is about to end: its end is what answers.
      if (refusal !== null) return;
      if ("ask" in message) {
        void this.#answer(worker, task, message.ask as Asked).catch((error: unknown) => {
          // Without the reply the task cannot end: its thread does.
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
      // It is about to end, and takes no other task.
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

/** Waits until a thread has used so much time of a processor; it yields to others, so that a clock would not tell what its task takes. */
class Watch {
  readonly #worker: Worker;
  readonly #taskMs: number;
  readonly #onOver: () => void;
  /** What the thread had used before. */
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

/** Milliseconds of a processor that a thread has used; none where it is no longer, or not yet, there. */
async function usedMs(worker: Worker): Promise<number> {
  try {
    const { user, system } = await worker.cpuUsage();
    return (user + system) / 1000;
  } catch {
    // Its end is told otherwise.
    return 0;
  }
}
