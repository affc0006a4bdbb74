/**
 * Threads that run this same program, each with its own kernel: one checks shares of many files, or parts of one
 * large bundle. If a thread ends before it has answered, its question fails.
 */
import { on } from "node:events";
import process from "node:process";
import type { Worker } from "node:worker_threads";
import { type KernelName, type SharedBundle, type TakenPart, takeParts } from "@svc/core";
import { EXIT, Refusal } from "../../exit.ts";
import { startKernel } from "../../start-kernel.ts";
import { type Checked, checkFiles, type HowToCheck } from "./check.ts";
import type { Named } from "./named.ts";

const NO_VERDICT = "There is no verdict. Try it again with --jobs 1; if it happens again, please report it.";

/** The purpose of a thread: with `how` it checks files, without it parts of a bundle. */
interface Purpose {
  readonly kernel: KernelName;
  readonly how?: HowToCheck;
}

/** A thread that has started. It answers one question after the other. */
export class Thread<Question, Answer> {
  readonly #worker: Worker;
  readonly #open: { readonly resolve: (answer: Answer) => void; readonly reject: (error: Error) => void }[] = [];
  #ended: Error | null = null;

  private constructor(worker: Worker) {
    this.#worker = worker;
    this.#worker.on("message", (answer: Answer) => this.#open.shift()?.resolve(answer));
    this.#worker.on("error", (error) => this.#end(error));
    this.#worker.on("exit", () =>
      this.#end(new Refusal(EXIT.internal, "A thread of svc ended too early.", NO_VERDICT)),
    );
  }

  /** Starts a thread that checks files. */
  static async forFiles(kernel: KernelName, how: HowToCheck): Promise<Thread<readonly Named[], Checked[]>> {
    return new Thread(await started({ kernel, how }));
  }

  /** Starts a thread that helps with a large bundle. */
  static async forParts(kernel: KernelName): Promise<Thread<SharedBundle, readonly TakenPart[]>> {
    return new Thread(await started({ kernel }));
  }

  /** Asks, and resolves to the answer. */
  ask(question: Question): Promise<Answer> {
    return new Promise((resolve, reject) => {
      if (this.#ended !== null) return reject(this.#ended);
      this.#open.push({ resolve, reject });
      this.#worker.postMessage(question);
    });
  }

  /** Ends it at once, even in the middle of its work. */
  async stop(): Promise<void> {
    await this.#worker.terminate();
  }

  #end(error: Error): void {
    this.#ended ??= error;
    for (const { reject } of this.#open.splice(0)) reject(this.#ended);
  }
}

/** Most calls need no thread, and so do not load the code that starts one. */
async function started(workerData: Purpose): Promise<Worker> {
  const { Worker } = await import("node:worker_threads");
  return new Worker(process.argv[1] ?? "", { workerData });
}

/** Runs in a thread: it answers until it is stopped. */
export async function serve(): Promise<void> {
  const { parentPort, workerData } = await import("node:worker_threads");
  const { kernel: name, how } = workerData as Purpose;
  const port = parentPort;
  if (port === null) throw new TypeError("this is no thread");
  const kernel = startKernel(name);
  for await (const [question] of on(port, "message"))
    port.postMessage(how === undefined ? takeParts(kernel, question) : await checkFiles([kernel], question, how));
}
