/** A thread's side of a pool (thread-pool.ts): does one task after another, and answers each. */
import { parentPort } from "node:worker_threads";
import { yieldToOthers } from "./yield-to-others.ts";

/** A message from the pool: a task, or the reply to a task's question. */
export type ToThread = { readonly task: unknown } | { readonly reply: unknown };
/** A message from a thread: a question of its task, or the answer and how long it took. */
export type FromThread = { readonly ask: unknown } | { readonly answer: unknown; readonly ms: number };

/**
 * Serves the tasks of a pool until the thread ends. `ask` sends a question to the caller that gave the task, and
 * resolves to the reply. An error ends the thread, and the pool starts another. `yields`: whether the thread lets
 * others go first from its start on. Throws Error outside of a thread.
 */
export function serveTasks<Question, Answer, Asked, Reply>(
  work: (question: Question, ask: (asked: Asked) => Promise<Reply>) => Promise<Answer> | Answer,
  { yields = true }: { readonly yields?: boolean } = {},
): void {
  const port = parentPort;
  if (port === null) throw new Error("this program is a thread of svc-server, and nothing by itself");
  if (yields) yieldToOthers();
  let replied: (reply: Reply) => void = () => undefined;
  const ask = (asked: Asked) =>
    new Promise<Reply>((resolve) => {
      replied = resolve;
      port.postMessage({ ask: asked } satisfies FromThread);
    });
  port.on("message", async (message: ToThread) => {
    if ("reply" in message) {
      replied(message.reply as Reply);
      return;
    }
    const startedAt = performance.now();
    const answer = await work(message.task as Question, ask);
    port.postMessage({ answer, ms: performance.now() - startedAt } satisfies FromThread);
  });
}
