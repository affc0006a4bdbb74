/**
 * The program of the thread that records: the one writing connection, the appends, the jobs and the private keys. Only
 * data crosses to the thread that answers.
 */
import { parentPort, workerData } from "node:worker_threads";
import { Channel } from "@svc/host/channel";
import { systemClock } from "@svc/host/clock";
import type { Part } from "@svc/host/parts";
import { UsageError } from "@svc/host/settings";
import { ServedParts, toThrown } from "@svc/host/threads";
import type { Context, ServerFamily } from "../context.ts";
import { FAMILIES } from "../families.ts";
import { kernel } from "../kernel.ts";
import type { FromRecording, RecordingThreadOptions, ToRecording } from "./messages.ts";
import { openRecording, type Recording } from "./open-recording.ts";
import { TOLD } from "./told.ts";

const port = parentPort;
if (port === null) throw new Error("this program is a thread of svc-server, and nothing by itself");
const send = (message: FromRecording) => port.postMessage(message);

const families: readonly ServerFamily[] = FAMILIES;
const channel = new Channel();
for (const topic of TOLD)
  channel.subscribe(topic, (message) => {
    const told = topic.name;
    send(message instanceof Error ? { told, error: toThrown(message) } : { told, message });
  });

try {
  const recording = await openRecording({
    ...(workerData as RecordingThreadOptions),
    kernel,
    clock: systemClock,
    channel,
  });
  const parts: readonly Part<Context, object>[] = families.flatMap((family) => family.parts ?? []);
  const served = new ServedParts(parts, recording.context, send);
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

async function close(recording: Recording): Promise<void> {
  try {
    await recording.close();
    send({ closed: true });
  } catch (error) {
    send({ thrown: toThrown(error) });
  }
  port?.close();
}
