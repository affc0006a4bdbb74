/** Connections that wait: kept for as long as proxies keep them, and none of them delays the end of a server. */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener } from "node:http";
import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { until } from "@svc/testkit/until";
import { createListener, drain, listen } from "../../src/http/index.ts";

async function listening(
  t: TestContext,
  answer: RequestListener = (_request, response) => {
    response.end("here");
  },
) {
  const server = createListener(answer);
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

test("connections without a whole head delay no end; the rest of a head may still come", async (t) => {
  const { server, open } = await listening(t);
  const unused = await open();
  const cut = await open("GET / HTTP/1.1\r\nHost:");
  const again = await open("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  await once(again, "data");
  again.write("GET / HT");
  const begun = await open("GET / HTTP/1.1\r\nHost: a\r\n");
  const begin = performance.now();
  const drained = drain(server);
  await once(unused, "close");
  begun.write("\r\n");
  const [answer] = await once(begun, "data");
  assert.match(`${answer}`, /^HTTP\/1\.1 200 OK\r\n(?:.*\r\n)+\r\nhere$/);
  await drained;
  await Promise.all([cut, again].map((socket) => (socket.destroyed ? null : once(socket, "close"))));
  assert.ok(performance.now() - begin < 15_000);
});

test("a client that has ended its side gets the answer to a request with a key, and no other", async (t) => {
  const gone: string[] = [];
  const { open } = await listening(t, async (request, response) => {
    const isKeyed = request.headers["idempotency-key"] !== undefined;
    response.once("close", () => gone.push(`${request.method} ${response.writableFinished}`));
    // The client's end comes while the answer is being made.
    const ended = once(request.socket, isKeyed ? "end" : "close");
    for await (const _ of request);
    await ended;
    response.writeHead(201).end("recorded");
  });
  for (const body of ["", "x".repeat(200_000)]) {
    const head = `POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: k\r\nContent-Length: ${body.length}\r\n\r\n`;
    const keyed = await open(head + body);
    keyed.end();
    const answer = await text(keyed);
    assert.match(answer, /^HTTP\/1\.1 201 Created\r\n/);
    assert.match(answer, /\r\nConnection: close\r\n/);
    assert.match(answer, /recorded/);
  }
  const other = await open("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  other.end();
  assert.equal(await text(other), "");
  await until("its answer is given up", async () => (gone.length === 3 ? true : null));
  assert.deepEqual(gone, ["POST true", "POST true", "GET false"]);
});
