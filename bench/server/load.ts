/**
 * The load generator of `bench server`, a separate process: clients that send one request after another on persistent
 * connections, for so many seconds. It prints one JSON object; every answer must be 201. It writes the answers to a
 * file if one is named, one a line.
 */
import { createWriteStream } from "node:fs";
import { connect } from "node:net";
import { eventOf } from "./event.ts";
import { machineMs, processMs } from "./processor.ts";

/** The requests to send. */
export interface Load {
  readonly port: number;
  /** The server's process; missing if nobody asks for processor time. */
  readonly pid?: number;
  /** Their paths: clients and requests take them in turn. */
  readonly paths: readonly string[];
  /** The system key; empty for a server without keys. */
  readonly apiKey: string;
  readonly clients: number;
  readonly seconds: number;
  /** Stops after so many requests; missing for no such end. */
  readonly requests?: number;
  /** How many requests all clients together send a second; by default as many as are answered. */
  readonly perSecond?: number;
  /** Events in a request; 0 for single ones, which go without an array around them. */
  readonly batch: number;
  /** The file for the answers; null for none. */
  readonly file: string | null;
}

/** The result. */
export interface Served {
  readonly requests: number;
  readonly seconds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
  /** Null without the server's process. */
  readonly processor: Processor | null;
}

/** Processor time from the first request to the last answer. */
export interface Processor {
  /** The server's and this program's. */
  readonly ms: number;
  /** How many processors anything else kept busy; threads of the kernel that write to the disk are among it. */
  readonly foreign: number;
}

const [HEAD_END, LENGTH] = ["\r\n\r\n", /\r\ncontent-length: (\d+)/i];

const load = JSON.parse(process.argv[2] ?? "") as Load;
const answers = load.file === null ? null : createWriteStream(load.file);
const latencies: number[] = [];
let sent = 0;
const processorBefore = processorTimes();
const start = performance.now();
await Promise.all(Array.from({ length: load.clients }, (_, client) => serve(client)));
const seconds = (performance.now() - start) / 1000;
const processor = processorSince(processorBefore);
if (answers !== null) await new Promise((resolve) => answers.end(resolve));
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const served: Served = { requests: latencies.length, seconds, p50_ms: at(0.5), p99_ms: at(0.99), processor };
console.log(JSON.stringify(served));

/** Runs one client, until the time is over. */
function serve(client: number): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket = connect(load.port, "127.0.0.1");
    socket.setNoDelay(true);
    let startedAt = 0;
    let own = 0;
    let received: Buffer[] = [];
    let missing = -1;
    const sendInTime = () => {
      const dueAt = load.perSecond === undefined ? 0 : start + ((own * load.clients + client) * 1000) / load.perSecond;
      own += 1;
      const waitMs = dueAt - performance.now();
      if (waitMs > 0) setTimeout(send, waitMs);
      else send();
    };
    const send = () => {
      if (performance.now() - start > load.seconds * 1000 || sent >= (load.requests ?? Number.POSITIVE_INFINITY)) {
        socket.end();
        resolve();
        return;
      }
      sent += 1;
      startedAt = performance.now();
      socket.write(requestOf(client, sent));
    };
    const take = (chunk: Buffer) => {
      received.push(chunk);
      if (missing < 0) {
        const head = Buffer.concat(received);
        const end = head.indexOf(HEAD_END);
        if (end < 0) return;
        const text = head.toString("latin1", 0, end);
        const [, length] = LENGTH.exec(text) ?? [];
        if (!text.startsWith("HTTP/1.1 201 ") || length === undefined) {
          reject(new Error(`an answer is not 201: ${head.toString().slice(0, 600)}`));
          socket.destroy();
          return;
        }
        missing = end + HEAD_END.length + Number(length) - head.length;
      } else missing -= chunk.length;
      if (missing > 0) return;
      latencies.push(performance.now() - startedAt);
      if (answers !== null) {
        const whole = Buffer.concat(received);
        answers.write(whole.subarray(whole.indexOf(HEAD_END) + HEAD_END.length));
        answers.write("\n");
      }
      received = [];
      missing = -1;
      sendInTime();
    };
    socket.on("connect", sendInTime).on("data", take).on("error", reject);
  });
}

/** Returns the processor time until now, in milliseconds: of the server and this program, and of the whole machine. */
function processorTimes(): { readonly own: number; readonly all: number } | null {
  if (load.pid === undefined) return null;
  const { user, system } = process.cpuUsage();
  return { own: processMs(load.pid) + (user + system) / 1000, all: machineMs() };
}

function processorSince(before: ReturnType<typeof processorTimes>): Processor | null {
  const now = processorTimes();
  if (before === null || now === null) return null;
  const ms = now.own - before.own;
  // The machine's figure is a count of samples, and may be a little lower than the sum of exact ones.
  return { ms, foreign: Math.max(0, now.all - before.all - ms) / (seconds * 1000) };
}

function requestOf(client: number, number: number): string {
  const body =
    load.batch === 0
      ? JSON.stringify(eventOf(number))
      : JSON.stringify({
          events: Array.from({ length: load.batch }, (_, index) => eventOf(number * load.batch + index)),
        });
  const path = load.paths[number % load.paths.length] ?? "/";
  const lines = [
    `POST ${path} HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Content-Length: ${body.length}`,
    `Idempotency-Key: ${process.pid}-${client}-${number}`,
    ...(load.apiKey === "" ? [] : [`Authorization: Bearer ${load.apiKey}`]),
  ];
  return `${lines.join("\r\n")}${HEAD_END}${body}`;
}
