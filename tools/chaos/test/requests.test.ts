/** The requests of the trials: a connection that the server closed while this process was busy is not used again. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { Worker } from "node:worker_threads";
import { read, write } from "../requests.ts";

/** A server that closes its kept connections on a message, and counts them in the shared memory then. */
const SERVER = `
  const { createServer } = require("node:http");
  const { parentPort, workerData } = require("node:worker_threads");
  const server = createServer((request, response) => response.end("answered"));
  const sockets = new Set();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => {
      sockets.delete(socket);
      Atomics.add(workerData, 0, 1);
      Atomics.notify(workerData, 0);
    });
  });
  parentPort.on("message", () => { for (const socket of sockets) socket.destroy(); });
  server.listen(0, "127.0.0.1", () => parentPort.postMessage(server.address().port));
`;

test("a request goes out after its kept connection was closed behind a busy process", async (t) => {
  const closed = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(SERVER, { eval: true, workerData: closed });
  t.after(() => server.terminate());
  const [port] = await once(server, "message");
  const api = { url: `http://127.0.0.1:${port}`, apiKey: "any" };
  const asked = [
    () => read(api, "/"),
    () => write(api, { path: "/", body: "{}", idempotencyKey: "one" }),
    () => read(api, "/"),
  ];
  for (const [before, ask] of asked.entries()) {
    // The second one goes over a connection that was kept.
    for (let number = 0; number < 2; number++) assert.deepEqual(await ask(), { status: 200, text: "answered" });
    server.postMessage("close");
    // This thread does nothing else until the connection is closed, as when it verifies a long bundle.
    assert.notEqual(Atomics.wait(closed, 0, before, 10_000), "timed-out");
  }
});
