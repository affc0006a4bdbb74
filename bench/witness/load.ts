/**
 * The load generator of `bench witness`, a separate process: logs that send one checkpoint after another to a witness,
 * each on a connection that stays open. It prints one JSON object; every answer must be 200. It writes the answers to a
 * file, one list in JSON for each log.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { connect } from "node:net";

/** The requests to send. */
export interface Load {
  readonly port: number;
  /** The file with the bodies of each log, a list of lists in JSON. */
  readonly bodies: string;
  /** The file for the answers. */
  readonly answers: string;
}

/** The result. */
export interface Cosigned {
  readonly requests: number;
  readonly seconds: number;
  readonly p50_ms: number;
  readonly p99_ms: number;
}

const [HEAD_END, LENGTH] = ["\r\n\r\n", /\r\ncontent-length: (\d+)/i];

const load = JSON.parse(process.argv[2] ?? "") as Load;
const requests = (JSON.parse(readFileSync(load.bodies, "utf8")) as string[][]).map((bodies) => bodies.map(requestOf));
const latencies: number[] = [];
const start = performance.now();
const answers = await Promise.all(requests.map(send));
const seconds = (performance.now() - start) / 1000;
writeFileSync(load.answers, JSON.stringify(answers));
latencies.sort((a, b) => a - b);
const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
const cosigned: Cosigned = { requests: latencies.length, seconds, p50_ms: at(0.5), p99_ms: at(0.99) };
console.log(JSON.stringify(cosigned));

function requestOf(body: string): Buffer {
  const bytes = Buffer.from(body);
  const head = ["POST /add-checkpoint HTTP/1.1", "Host: 127.0.0.1", `Content-Length: ${bytes.length}`].join("\r\n");
  return Buffer.concat([Buffer.from(`${head}${HEAD_END}`), bytes]);
}

/** Sends the checkpoints of one log, and resolves to the bodies of the answers. */
function send(own: readonly Buffer[]): Promise<string[]> {
  return new Promise((resolve, reject) => {
    const socket = connect(load.port, "127.0.0.1");
    socket.setNoDelay(true);
    const texts: string[] = [];
    let [startedAt, received] = [0, ""];
    const next = () => {
      const request = own[texts.length];
      if (request === undefined) {
        socket.end();
        resolve(texts);
        return;
      }
      startedAt = performance.now();
      socket.write(request);
    };
    socket.on("data", (chunk) => {
      // Answers are shorter than a packet, and a name is ASCII: latin1 keeps each byte as it is.
      received += chunk.toString("latin1");
      const end = received.indexOf(HEAD_END);
      if (end < 0) return;
      const [, length] = LENGTH.exec(received.slice(0, end)) ?? [];
      const isWhole = received.length === end + HEAD_END.length + Number(length);
      if (!isWhole && length !== undefined) return;
      if (!received.startsWith("HTTP/1.1 200 ") || length === undefined) {
        reject(new Error(`an answer is not 200: ${received.slice(0, 600)}`));
        socket.destroy();
        return;
      }
      latencies.push(performance.now() - startedAt);
      texts.push(Buffer.from(received.slice(end + HEAD_END.length), "latin1").toString());
      received = "";
      next();
    });
    socket.on("connect", next).on("error", reject);
  });
}
