/**
 * The disturbance of a server in `bench server stalls`, a separate process: strangers that have large objects verified,
 * at so many requests a second from several addresses of this machine; readers that ask one after another for missing
 * events; one system that fetches large packs, or has large exports made; or all but the readers. It prints a line with
 * the first answer; it ends on SIGTERM, and prints the number of answers by status.
 */
import { connect, type Socket } from "node:net";
import { SvcClient } from "../../packages/sdk/src/index.ts";

/** The requests to send. */
export interface Disturbance {
  readonly port: number;
  readonly what: "strangers" | "readers" | "packs" | "exports" | "all";
  /** The stream to read, its number of events, and the key. */
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
      `POST /v2/verify HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\nContent-Length: ${body.length}${HEAD_END}`,
    );
    socket.write(body);
  });
  onAnswers(socket, () => socket.destroy());
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
