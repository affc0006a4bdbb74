/** The engine in a worker: answers one call after the other. A failed call sends its reason; the worker goes on. */
import { Engine } from "./engine.ts";
import type { AnswerMessage, CallMessage } from "./messages.ts";

/** The parts of a worker's own scope that are used here; the types of a page lack them. */
interface WorkerScope {
  onmessage: ((event: { readonly data: CallMessage }) => void) | null;
  postMessage(message: AnswerMessage): void;
}

/** Starts to answer calls. */
export function serve(): void {
  const scope = globalThis as WorkerScope;
  let current = 0;
  const engine = new Engine({
    progress: (progress) => scope.postMessage({ id: current, progress }),
    pause: () => Promise.resolve(),
  });
  let last = Promise.resolve();
  scope.onmessage = ({ data: { id, name, args } }) => {
    last = last.then(async () => {
      current = id;
      try {
        const call = engine[name] as (...args: readonly unknown[]) => Promise<unknown>;
        scope.postMessage({ id, result: await call.apply(engine, [...args]) });
      } catch (error) {
        scope.postMessage({ id, error: error instanceof Error ? `${error.name}: ${error.message}` : String(error) });
      }
    });
  };
}
