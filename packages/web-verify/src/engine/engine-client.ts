/**
 * The page's connection to its engine: in a worker made of the page's own script, or on the page's thread if workers
 * are forbidden. A running call can be cancelled; the next call starts afresh.
 */
import { Engine } from "./engine.ts";
import type { AnswerMessage, CallArguments, CallName, CallResult, Progress } from "./messages.ts";

/** The work was cancelled. */
export class Cancelled extends Error {
  override readonly name = "Cancelled";
}

/**
 * How long the page waits for its worker, in milliseconds: in some browsers a worker that a policy forbids fails
 * silently.
 */
const WORKER_START_MS = 15_000;
/** How much the page's own thread checks in a row, so that the page stays usable. */
const PART_BYTES = { wasm: 256 * 1024, reference: 8 * 1024 } as const;

interface Backend {
  readonly name: "worker" | "page";
  call(name: CallName, args: readonly unknown[]): Promise<unknown>;
  stop(): void;
}

/** The engine, wherever it runs. */
export class EngineClient {
  readonly #script: string;
  readonly #onProgress: (progress: Progress) => void;
  #backend: Promise<Backend>;

  /** `script`: the text of the page's script, from which the worker is made. */
  constructor(script: string, onProgress: (progress: Progress) => void) {
    this.#script = script;
    this.#onProgress = onProgress;
    this.#backend = this.#start();
  }

  /** Resolves to where the engine runs. */
  async place(): Promise<Backend["name"]> {
    return (await this.#backend).name;
  }

  /** Asks the engine. Rejects with Cancelled if the work was cancelled. */
  async call<Name extends CallName>(name: Name, ...args: CallArguments<Name>): Promise<CallResult<Name>> {
    const backend = await this.#backend;
    return (await backend.call(name, args)) as CallResult<Name>;
  }

  /** Stops the running work, and forgets everything. */
  async cancel(): Promise<void> {
    const old = this.#backend;
    // The new engine starts at once: every call from now on is wanted.
    this.#backend = this.#start();
    (await old).stop();
  }

  async #start(): Promise<Backend> {
    const worker = await startWorker(this.#script);
    return worker === null ? onPage(this.#onProgress) : inWorker(worker, this.#onProgress);
  }
}

/** Resolves to a worker that has answered; null if workers are forbidden. */
async function startWorker(script: string): Promise<Worker | null> {
  if (typeof Worker === "undefined") return null;
  const url = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  try {
    const worker = new Worker(trustedUrl(url));
    const answers = await new Promise<boolean>((resolve) => {
      const timer = setTimeout(() => resolve(false), WORKER_START_MS);
      const end = (value: boolean) => {
        clearTimeout(timer);
        resolve(value);
      };
      worker.onmessage = () => end(true);
      worker.onerror = () => end(false);
      worker.postMessage({ id: 0, name: "start", args: [] });
    });
    if (answers) return worker;
    worker.terminate();
    return null;
  } catch {
    return null;
  } finally {
    URL.revokeObjectURL(url);
  }
}

interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL(url: string): string };
}
let policy: ReturnType<TrustedTypes["createPolicy"]> | undefined;

/** With Trusted Types, the page's policy lets a script come from this one place: the page's own text. */
function trustedUrl(url: string): string {
  const { trustedTypes } = globalThis as { trustedTypes?: TrustedTypes };
  policy ??= trustedTypes?.createPolicy("svc-worker", { createScriptURL: (text) => text });
  return policy?.createScriptURL(url) ?? url;
}

interface Open {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: Error) => void;
}

function inWorker(worker: Worker, onProgress: (progress: Progress) => void): Backend {
  const open = new Map<number, Open>();
  let last = 0;
  const endAll = (error: Error) => {
    for (const { reject } of open.values()) reject(error);
    open.clear();
  };
  worker.onmessage = ({ data }: MessageEvent<AnswerMessage>) => {
    const waiting = open.get(data.id);
    if (waiting === undefined) return;
    if ("progress" in data) return onProgress(data.progress);
    open.delete(data.id);
    if ("error" in data) waiting.reject(new Error(data.error));
    else waiting.resolve(data.result);
  };
  worker.onerror = (event) => endAll(new Error(event.message));
  return {
    name: "worker",
    call: (name, args) =>
      new Promise((resolve, reject) => {
        open.set(++last, { resolve, reject });
        worker.postMessage({ id: last, name, args });
      }),
    stop: () => {
      worker.terminate();
      endAll(new Cancelled("cancelled"));
    },
  };
}

/** One call runs after the other, as in a worker: an engine shows the file of its last call. */
function onPage(onProgress: (progress: Progress) => void): Backend {
  let isStopped = false;
  let last: Promise<unknown> = Promise.resolve();
  const engine = new Engine({
    progress: onProgress,
    pause: async () => {
      await new Promise((resolve) => setTimeout(resolve));
      if (isStopped) throw new Cancelled("cancelled");
    },
    partBytes: PART_BYTES,
  });
  return {
    name: "page",
    call: (name, args) => {
      const run = () => {
        if (isStopped) throw new Cancelled("cancelled");
        return (engine[name] as (...args: readonly unknown[]) => Promise<unknown>).apply(engine, [...args]);
      };
      const answer = last.then(run, run);
      last = answer.catch(() => undefined);
      return answer;
    },
    stop: () => {
      isStopped = true;
    },
  };
}
