/**
 * The thread that records, of a program: the one writing connection, the appends, the jobs and the private keys. Only
 * data crosses to the thread that answers. Each program has a file that calls this.
 */
import { parentPort, workerData } from "node:worker_threads";
import { Channel } from "@svc/host/channel";
import { systemClock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { ServedParts, toThrown } from "@svc/host/threads";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import type { FromRecording, RecordingThreadOptions, ToRecording } from "./messages.ts";
import { openRecording, type Recording } from "./open-recording.ts";

/**
 * Opens the deployment that `workerData` names, and answers the messages of the thread that has started this one.
 * Rejects with Error where no thread has started it.
 */
export async function recordFor(program: Program): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error(`this file is a thread of ${program.name}, and nothing by itself`);
  const send = (message: FromRecording) => port.postMessage(message);
  const channel = new Channel();
  for (const topic of program.tells)
    channel.subscribe(topic, (message) => {
      const told = topic.name;
      send(message instanceof Error ? { told, error: toThrown(message) } : { told, message });
    });
  const close = async (recording: Recording) => {
    try {
      await recording.close();
      send({ closed: true });
    } catch (error) {
      send({ thrown: toThrown(error) });
    }
    port.close();
  };
  try {
    const options = workerData as RecordingThreadOptions;
    const recording = await openRecording({ ...options, program, kernel, clock: systemClock, channel });
    const served = new ServedParts(program.parts, recording.context, send);
    port.on("message", (message: ToRecording) => {
      if ("calls" in message) served.take(message);
      else if (message.order === "start") for (const job of recording.jobs) job.start();
      else void close(recording);
    });
    const { context, isElsewhere } = recording;
    send({ opened: { origin: context.origin, isElsewhere } });
  } catch (error) {
    send(error instanceof UsageError ? { mistakes: error.mistakes } : { thrown: toThrown(error) });
  }
}
