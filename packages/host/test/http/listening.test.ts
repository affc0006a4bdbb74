/** Connections that wait: kept for as long as proxies keep them, and none of them delays the end of a server. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { createListener, drain, listen } from "../../src/http/index.ts";

async function listening(t: TestContext) {
  const server = createListener((_request, response) => response.end("here"));
  const url = new URL(await listen(server, "127.0.0.1", 0, "PORT"));
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const open = async (text = "") => {
    const socket = connect({ host: url.hostname, port: Number(url.port) });
    t.after(() => socket.destroy());
    await once(socket, "connect");
    if (text !== "") socket.write(text);
    return socket;
  };
  return { server, open };
}

test("a connection is kept longer than a proxy keeps it in its pool", async (t) => {
  const { open } = await listening(t);
  const socket = await open("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const [answer] = await once(socket, "data");
  const [, seconds] = /\r\nKeep-Alive: timeout=(\d+)\r\n/.exec(`${answer}`) ?? [];
  assert.ok(Number(seconds) >= 65, `${answer}`);
});

test("connections that have sent nothing delay no end; a request that was begun does", async (t) => {
  const { server, open } = await listening(t);
  const unused = await open();
  const begun = await open("GET / HTTP/1.1\r\nHost: a\r\n");
  const begin = performance.now();
  const drained = drain(server);
  await once(unused, "close");
  begun.write("\r\n");
  const [answer] = await once(begun, "data");
  assert.match(`${answer}`, /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)+\r\nhere$/);
  await drained;
  assert.ok(performance.now() - begin < 15_000);
});
