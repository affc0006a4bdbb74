/** Clients that do not take their answers are cut off, the largest holder first, before the memory is full. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { until } from "@svc/testkit/until";
import { countedResponses, UnreadAnswers } from "../../src/http/unread-answers.ts";

const MIB = 1024 * 1024;
/** More than the system takes for a client that reads nothing. */
const ANSWER_BYTES = 8 * MIB;

interface Answering {
  readonly unread: UnreadAnswers;
  /** The number of answers that were made, and of connections that were not cut off. */
  readonly answers: number;
  readonly open: number;
  /** The number of connections that have ended. */
  readonly cut: number;
  /** Asks from an address of the loopback network, `times` on one connection, and reads nothing of the answers. */
  ask(address: string, bytes?: number, times?: number): Socket;
}

async function answering(t: TestContext, maxBytes: number): Promise<Answering> {
  const unread = new UnreadAnswers(maxBytes);
  let answers = 0;
  const server: Server = createServer({ ServerResponse: countedResponses(unread) }, ({ url }, response) => {
    // As Express does with every answer.
    Object.setPrototypeOf(response, Object.create(ServerResponse.prototype));
    answers += 1;
    response.end(Buffer.alloc(Number(url?.slice(1))));
  });
  let [open, cut] = [0, 0];
  server.on("connection", (socket) => {
    open += 1;
    socket.on("close", () => {
      open -= 1;
      cut += 1;
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.closeAllConnections();
    server.close();
  });
  const ask = (address: string, bytes = ANSWER_BYTES, times = 1) => {
    const socket = connect({ port, host: "127.0.0.1", localAddress: address });
    sockets.push(socket);
    socket.on("error", () => undefined);
    socket.pause();
    socket.write(`GET /${bytes} HTTP/1.1\r\nHost: x\r\n\r\n`.repeat(times));
    return socket;
  };
  return {
    unread,
    get answers() {
      return answers;
    },
    get open() {
      return open;
    },
    get cut() {
      return cut;
    },
    ask,
  };
}

const held = (unread: UnreadAnswers, least: number) =>
  until(`${least} bytes wait`, async () => (unread.bytes >= least ? true : null));

test("answers that are not read stay below the bound, and the largest holder gives way", async (t) => {
  const all = await answering(t, 5 * ANSWER_BYTES);
  const { unread, ask } = all;
  const honest = ask("127.0.0.2");
  await held(unread, 1);
  for (let no = 0; no < 12; no++) ask("127.0.0.3");
  await until("the holder of most has given way", async () => (all.answers === 13 && all.open <= 6 ? true : null));
  assert.ok(unread.bytes <= 5 * ANSWER_BYTES, `${unread.bytes}`);
  let read = 0;
  honest.on("data", (chunk) => (read += chunk.length));
  honest.resume();
  await until("the honest client has its answer", async () => (read >= ANSWER_BYTES ? true : null));
});

test("an answer that was taken, or whose client has left, waits no more", async (t) => {
  const { unread, ask } = await answering(t, 100 * ANSWER_BYTES);
  const [reader, leaver] = [ask("127.0.0.2"), ask("127.0.0.3")];
  await held(unread, 2 * ANSWER_BYTES - 4 * MIB);
  reader.resume();
  leaver.destroy();
  await until("nothing waits", async () => (unread.bytes === 0 ? true : null));
});

test("what the system takes at once does not wait", async (t) => {
  const { unread, ask } = await answering(t, 1);
  const socket = ask("127.0.0.2", 100);
  socket.resume();
  const [chunk] = await once(socket, "data");
  assert.match(`${chunk}`, /^HTTP\/1.1 200 /);
  assert.equal(unread.bytes, 0);
});

test("answers behind one that is not read count too, and are forgotten with their connection", async (t) => {
  const all = await answering(t, 5 * ANSWER_BYTES);
  const { unread, ask } = all;
  const honest = ask("127.0.0.2", MIB);
  const patient = ask("127.0.0.3", ANSWER_BYTES, 2);
  await held(unread, 2 * ANSWER_BYTES);
  assert.equal(all.open, 2);
  ask("127.0.0.4", ANSWER_BYTES, 9);
  await until("the connection of most is cut off", async () => (all.cut === 1 ? true : null));
  assert.equal(all.open, 2);
  assert.ok(unread.bytes <= 5 * ANSWER_BYTES, `${unread.bytes}`);
  let read = 0;
  patient.on("data", (chunk) => (read += chunk.length));
  patient.resume();
  await until("all of its answers are taken", async () => (read >= 2 * ANSWER_BYTES ? true : null));
  honest.destroy();
  await until("nothing waits", async () => (unread.bytes === 0 ? true : null));
});

test("an answer that is made after its connection has ended does not wait", async (t) => {
  const unread = new UnreadAnswers(100 * ANSWER_BYTES);
  const made = Promise.withResolvers<void>();
  const server = createServer({ ServerResponse: countedResponses(unread) }, ({ socket }, response) => {
    socket.once("close", () => {
      response.end(Buffer.alloc(ANSWER_BYTES));
      made.resolve();
    });
    socket.destroy();
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const socket = connect((server.address() as AddressInfo).port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET /1 HTTP/1.1\r\nHost: x\r\n\r\n");
  await made.promise;
  assert.equal(unread.bytes, 0);
});

test("an answer in many pieces is listened to once", async (t) => {
  const unread = new UnreadAnswers(100 * ANSWER_BYTES);
  const listeners: number[] = [];
  const server = createServer({ ServerResponse: countedResponses(unread) }, async (_request, response) => {
    for (let piece = 0; piece < 40; piece++) {
      // Each waits until the one before it is taken: bytes come and go.
      if (!response.write(Buffer.alloc(MIB))) await once(response, "drain");
      response.write("");
      listeners.push(response.listenerCount("finish"));
    }
    response.end();
  });
  t.after(() => server.close());
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const bytes = await (await fetch(`http://127.0.0.1:${port}/`, { headers: { connection: "close" } })).arrayBuffer();
  assert.equal(bytes.byteLength, 40 * MIB);
  assert.equal(Math.max(...listeners), listeners[0]);
  await until("nothing waits", async () => (unread.bytes === 0 ? true : null));
});
