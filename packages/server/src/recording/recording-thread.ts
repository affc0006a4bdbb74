/**
 * The thread that records, as the thread that answers sees it. If it ends by itself, its last commits are unknown: all
 * that wait get `store_uncertain`, and the process has to end. No process ever starts a second one.
 */
import { Worker } from "node:worker_threads";
import type { Channel, Topic } from "@svc/host/channel";
import { UsageError } from "@svc/host/settings";
import { StoreUnavailable, StoreUncertain } from "@svc/host/store";
import { fromThrown, RemoteParts } from "@svc/host/threads";
import type { Context } from "../context.ts";
import { recordingEnded } from "../notices.ts";
import type { Program } from "../program/program.ts";
import type { FromRecording, RecordingThreadOptions, ToRecording } from "./messages.ts";

/** The opened thread. */
export class RecordingThread {
  readonly parts: RemoteParts<Context>;
  /** The deployment's evidence origin. */
  readonly origin: string;
  /** Whether the data folder was in another place at the last start. */
  readonly isElsewhere: boolean;
  readonly #worker: Worker;
  readonly #ended: Promise<void>;
  #isClosing = false;

  /**
   * Starts the thread, and resolves when it has opened the deployment. Events there are published on `channel`. Rejects
   * as `openRecording` does; errors of other classes than UsageError and those of the service and the store become
   * Error.
   */
  static async open(
    { threads, tells }: Pick<Program, "threads" | "tells">,
    options: RecordingThreadOptions,
    channel: Channel,
  ): Promise<RecordingThread> {
    // The runtime erases types itself: a loader would only cost time and memory here.
    const worker = new Worker(threads.recording, { execArgv: [], workerData: options });
    const { promise, resolve, reject } = Promise.withResolvers<{ origin: string; isElsewhere: boolean }>();
    const first = (message: FromRecording) => {
      if ("told" in message) tell(tells, channel, message);
      else if ("opened" in message) resolve(message.opened);
      else if ("mistakes" in message) reject(new UsageError(message.mistakes));
      else if ("thrown" in message) reject(fromThrown(message.thrown));
    };
    const ended = () => reject(new Error("the thread that records has ended while it was opening"));
    worker.on("message", first).on("error", reject).on("exit", ended);
    const opened = await promise;
    worker.off("message", first).off("error", reject).off("exit", ended);
    return new RecordingThread(worker, opened, tells, channel);
  }

  private constructor(
    worker: Worker,
    { origin, isElsewhere }: { readonly origin: string; readonly isElsewhere: boolean },
    tells: readonly Topic<unknown>[],
    channel: Channel,
  ) {
    this.origin = origin;
    this.isElsewhere = isElsewhere;
    this.#worker = worker;
    this.parts = new RemoteParts<Context>(
      (calls) => this.#send(calls),
      () => new StoreUnavailable("the thread that records has ended"),
    );
    worker.on("message", (message: FromRecording) => {
      if ("answers" in message) this.parts.settle(message);
      else if ("told" in message) tell(tells, channel, message);
    });
    let cause: Error | undefined;
    worker.on("error", (error) => {
      cause = error as Error;
    });
    this.#ended = new Promise((resolve) => {
      worker.once("exit", () => {
        resolve();
        this.parts.end(new StoreUncertain({ cause }));
        if (!this.#isClosing)
          channel.publish(recordingEnded, new Error("the thread that records has ended by itself", { cause }));
      });
    });
  }

  /** Starts the jobs. */
  start(): void {
    this.#send({ order: "start" });
  }

  /** Ends the jobs after their current steps, closes the database, and ends the thread. Rejects if that fails. */
  async close(): Promise<void> {
    this.#isClosing = true;
    const closed = new Promise<FromRecording>((resolve) => {
      this.#worker.on("message", (message: FromRecording) => {
        if ("closed" in message || "thrown" in message) resolve(message);
      });
    });
    this.#send({ order: "close" });
    const message = await Promise.race([closed, this.#ended]);
    await this.#worker.terminate();
    if (message !== undefined && "thrown" in message) throw fromThrown(message.thrown);
  }

  #send(message: ToRecording): void {
    this.#worker.postMessage(message);
  }
}

/** Publishes a message of the other side on the same topic of this one. */
function tell(
  tells: readonly Topic<unknown>[],
  channel: Channel,
  message: Extract<FromRecording, { readonly told: string }>,
): void {
  const topic = tells.find(({ name }) => name === message.told);
  if (topic === undefined) throw new TypeError(`there is no topic ${message.told}`);
  channel.publish(topic, "error" in message ? fromThrown(message.error) : message.message);
}
