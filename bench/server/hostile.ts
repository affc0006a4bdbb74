/**
 * The disturbance of a server in `bench server stalls` and `pnpm soak`, a separate process: strangers that have large
 * objects verified, at so many requests a second from several addresses of this machine; readers that ask one after
 * another for missing events; one system that fetches large packs, or has large exports made; all of these but the
 * readers; strangers that read no answer, or ask for consistency without pause; a client that repeats a large batch; or
 * these three. It prints a line with the first answer; it ends on SIGTERM, and prints the number of answers by status.
 */
import { connect, type Socket } from "node:net";
import { SvcClient } from "../../packages/sdk/src/index.ts";
import { REPEATED_EVENTS } from "./disturbed.ts";

/** The requests to send. */
export interface Disturbance {
  readonly port: number;
  readonly what: "strangers" | "readers" | "packs" | "exports" | "all" | "deaf" | "consistency" | "repeats" | "three";
  /** The stream to read or to append to, its number of events, and the key. */
  readonly streamId: string;
  readonly events: number;
  readonly apiKey: string;
}

/** Answers by status. */
export type Answers = Readonly<Record<string, number>>;

const REQUESTS_PER_SECOND = 100;
const ADDRESSES = 8;
const READERS = 16;
const PACKS = 4;
/** An audit pack by its members' names, of objects that are no receipts. */
const RECEIPTS = 80_000;
/** Requests of a stranger that reads no answer: their answers fit into no buffer of the system. */
const UNREAD = 16;
const BATCH_BYTES = 15 * 2 ** 20;
const HEAD_END = "\r\n\r\n";

const disturbance = JSON.parse(process.argv[2] ?? "") as Disturbance;
const answers: Record<string, number> = {};
const sockets = new Set<Socket>();
/** Deletes the export that is being made: it would disturb the server after this process. */
let endExport = async () => {};
let isEnding = false;
process.once("SIGTERM", async () => {
  isEnding = true;
  for (const socket of sockets) socket.destroy();
  await endExport();
  console.log(JSON.stringify(answers));
  process.exit(0);
});
const { what } = disturbance;
if (what === "readers") for (let reader = 0; reader < READERS; reader++) read();
if (what === "packs" || what === "all") for (let client = 0; client < PACKS; client++) void fetchPacks();
if (what === "exports" || what === "all") void makeExports();
if (what === "strangers" || what === "all") setInterval(verify, 1000 / REQUESTS_PER_SECOND);
if (what === "deaf" || what === "three") setInterval(askAndNotRead, 1000 / REQUESTS_PER_SECOND);
if (what === "consistency" || what === "three") void askForConsistency();
if (what === "repeats" || what === "three") repeatBatch();

/** Starts one reader, which asks again with each answer. */
function read(): void {
  const { streamId, apiKey } = disturbance;
  const path = `/v2/streams/${streamId}/events?event_type=nope`;
  const request = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${apiKey}${HEAD_END}`;
  const socket = opened("127.0.0.1");
  socket.on("connect", () => socket.write(request));
  onAnswers(socket, () => socket.write(request));
}

/** Starts one client that fetches a pack of the whole stream again and again. */
async function fetchPacks(): Promise<void> {
  const { port, streamId: stream_id, events: to_seq_no, apiKey } = disturbance;
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/v2/audit/packs`, {
      method: "POST",
      headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
      body: JSON.stringify({ stream_id, from_seq_no: 1, to_seq_no }),
    });
    count(`${response.status}`);
    for await (const _ of response.body ?? []);
  }
}

/** Has the whole stream exported again and again; each package is deleted when it is ready. */
async function makeExports(): Promise<void> {
  const { port, streamId, apiKey } = disturbance;
  const exports = new SvcClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey, timeoutMs: 600_000 }).exports;
  while (!isEnding) {
    const { export_id } = await exports.create({ streams: [streamId] });
    endExport = async () => void (await exports.delete(export_id));
    count("201");
    await exports.whenReady(export_id).catch((error: unknown) => {
      if (!isEnding) throw error;
    });
    await endExport();
  }
}

let sent = 0;

/** Sends one object of a stranger, on a separate connection. */
function verify(): void {
  const socket = opened(`127.0.0.${2 + (sent++ % ADDRESSES)}`);
  socket.on("connect", () => {
    socket.write(
      `POST /v2/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ` +
        `${body.length}${HEAD_END}`,
    );
    socket.write(body);
  });
  onAnswers(socket, () => socket.destroy());
}

/** Asks for large texts on a separate connection, and reads none of them. */
function askAndNotRead(): void {
  const socket = opened(`127.0.0.${2 + (sent++ % ADDRESSES)}`).pause();
  socket.on("connect", () => {
    socket.write(`GET /openapi.json HTTP/1.1\r\nHost: 127.0.0.1${HEAD_END}`.repeat(UNREAD));
    count("unread");
  });
}

/** Starts two strangers that ask again and again for the consistency of the stream's first and last checkpoint. */
async function askForConsistency(): Promise<void> {
  const { port, streamId, apiKey } = disturbance;
  const client = new SvcClient({ baseUrl: `http://127.0.0.1:${port}`, apiKey });
  const ids: string[] = [];
  for await (const { checkpoint_id } of client.stream(streamId).checkpoints()) ids.push(checkpoint_id);
  const request = `GET /v2/checkpoints/${ids.at(-1)}/consistency?from=${ids[0]} HTTP/1.1\r\nHost: 127.0.0.1${HEAD_END}`;
  for (const address of ["127.0.0.2", "127.0.0.3"]) {
    const socket = opened(address);
    socket.on("connect", () => socket.write(request));
    onAnswers(socket, () => socket.write(request));
  }
}

/** Starts a client that sends one batch again and again under one Idempotency-Key: it is recorded once. */
function repeatBatch(): void {
  const { streamId, apiKey } = disturbance;
  const text = "x".repeat(BATCH_BYTES / REPEATED_EVENTS - 200);
  const batch = JSON.stringify({
    events: Array.from({ length: REPEATED_EVENTS }, (_, number) => ({
      source_ref: `repeated-${number}`,
      event_type: "bench.repeated",
      occurred_at: "2026-03-01T10:15:30.5+01:00",
      payload: { text },
    })),
  });
  const head = [
    `POST /v2/streams/${streamId}/events/batch HTTP/1.1`,
    "Host: 127.0.0.1",
    "Content-Type: application/json",
    `Content-Length: ${batch.length}`,
    "Idempotency-Key: the-same",
    "Prefer: return=minimal",
    `Authorization: Bearer ${apiKey}`,
  ].join("\r\n");
  const socket = opened("127.0.0.1");
  const send = () => {
    socket.write(head + HEAD_END);
    socket.write(batch);
  };
  socket.on("connect", send);
  onAnswers(socket, send);
}

function opened(localAddress: string): Socket {
  const socket = connect({ port: disturbance.port, host: "127.0.0.1", localAddress });
  sockets.add(socket);
  // A server may close a connection that it refuses.
  socket.on("error", () => undefined).on("close", () => sockets.delete(socket));
  return socket;
}

/** Counts whole answers, and calls `onAnswer` for each. */
function onAnswers(socket: Socket, onAnswer: () => void): void {
  let received = "";
  socket.setEncoding("latin1").on("data", (chunk: string) => {
    received += chunk;
    for (;;) {
      const end = received.indexOf(HEAD_END);
      const [, status = "none"] = /^HTTP\/1\.1 (\d{3})/.exec(received) ?? [];
      const [, length] = /\r\ncontent-length: (\d+)/i.exec(received.slice(0, end)) ?? [];
      const size = end + HEAD_END.length + Number(length);
      if (end < 0 || length === undefined || received.length < size) return;
      received = received.slice(size);
      count(status);
      onAnswer();
    }
  });
}

function count(status: string): void {
  if (Object.keys(answers).length === 0) console.log("begun");
  answers[status] = (answers[status] ?? 0) + 1;
}

const body = Buffer.from(
  JSON.stringify({
    manifest: {},
    artifacts: {
      "anchors.json": [],
      "checkpoints.json": [],
      "receipts.json": Array.from({ length: RECEIPTS }, () => ({})),
      "windows.json": [],
      "witnesses.json": {},
    },
    payloads: {},
    key_hints: [],
    key_endorsements: [],
  }),
);
