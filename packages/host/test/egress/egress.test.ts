/** Requests to others, over real sockets, against servers that behave badly in every way. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import { type AddressInfo, createServer as createSocketServer, type Socket } from "node:net";
import { type TestContext, test } from "node:test";
import { Egress, EgressError, type EgressFault } from "../../src/egress/index.ts";

const LONG_MS = 30_000;

async function listening(t: TestContext, listener: RequestListener) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { server, url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path`) };
}

/** A server that runs `onConnection` for each client that connects, and does nothing more. */
async function raw(t: TestContext, onConnection: (socket: Socket) => void): Promise<URL> {
  const sockets = new Set<Socket>();
  const server = createSocketServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    onConnection(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/path`);
}

function egressTo(t: TestContext, url: URL): Egress {
  const egress = new Egress([url.origin], 4);
  t.after(() => egress.close());
  return egress;
}

function post(egress: Egress, url: URL, more: { timeoutMs?: number; maxAnswerBytes?: number } = {}) {
  return egress.send({ url, method: "POST", body: "body", timeoutMs: LONG_MS, maxAnswerBytes: 100, ...more });
}

async function assertFault(sent: Promise<unknown>, fault: EgressFault): Promise<void> {
  await assert.rejects(sent, (error) => {
    assert.ok(error instanceof EgressError, String(error));
    assert.equal(error.fault, fault, error.message);
    return true;
  });
}

test("a request gets its whole answer, whatever the status; connections are kept", async (t) => {
  const { server, url } = await listening(t, (request, response) => {
    let body = "";
    request.on("data", (piece) => {
      body += piece;
    });
    request.on("end", () => {
      response.writeHead(409, { "Content-Type": "text/x.tlog.size" });
      response.end(`${request.method} ${request.url} ${body}`);
    });
  });
  let connections = 0;
  server.on("connection", () => {
    connections += 1;
  });
  const egress = egressTo(t, url);
  for (let number = 0; number < 3; number++) {
    const answer = await post(egress, url);
    assert.deepEqual(
      [answer.status, answer.contentType, answer.body.toString()],
      [409, "text/x.tlog.size", "POST /path body"],
    );
  }
  assert.equal(connections, 1);
});

test("nothing is sent to a host that the deployment does not name", async (t) => {
  const { url } = await listening(t, (_request, response) => response.end());
  const other = new URL(url);
  other.hostname = "localhost";
  await assert.rejects(post(egressTo(t, url), other), TypeError);
});

test("a redirect is not followed", async (t) => {
  let asked = 0;
  const { url } = await listening(t, (_request, response) => {
    asked += 1;
    response.writeHead(307, { Location: "/elsewhere" });
    response.end();
  });
  await assertFault(post(egressTo(t, url), url), "redirected");
  assert.equal(asked, 1);
});

test("an answer of any length is read up to its limit, and not further", async (t) => {
  const { url } = await listening(t, (_request, response) => {
    response.on("error", () => undefined);
    const piece = "x".repeat(64 * 1024);
    const more = () => {
      while (!response.destroyed && response.write(piece)) {}
    };
    response.on("drain", more);
    more();
  });
  await assertFault(post(egressTo(t, url), url), "answer_too_large");
  const { url: exact } = await listening(t, (_request, response) => response.end("x".repeat(100)));
  assert.equal((await post(egressTo(t, exact), exact)).body.length, 100);
});

test("an answer that does not come, or never ends, is given up in time", async (t) => {
  const silent = await raw(t, () => undefined);
  await assertFault(post(egressTo(t, silent), silent, { timeoutMs: 50 }), "timed_out");
  const endless = await raw(t, (socket) => {
    socket.write("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n");
    const timer = setInterval(() => socket.write("1\r\nx\r\n"), 5);
    socket.on("close", () => clearInterval(timer));
  });
  await assertFault(post(egressTo(t, endless), endless, { timeoutMs: 100 }), "timed_out");
  const early = await raw(t, (socket) => {
    const timer = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 5);
    socket.on("close", () => clearInterval(timer));
  });
  await assertFault(post(egressTo(t, early), early, { timeoutMs: 100 }), "timed_out");
});

test("what is no HTTP, or is cut off, is malformed; nobody there is unreachable", async (t) => {
  const noise = await raw(t, (socket) => socket.end("SSH-2.0-OpenSSH\r\n"));
  await assertFault(post(egressTo(t, noise), noise), "answer_malformed");
  const headers = await raw(t, (socket) => socket.write(`HTTP/1.1 200 OK\r\nX: ${"x".repeat(64 * 1024)}`));
  await assertFault(post(egressTo(t, headers), headers), "answer_malformed");
  const cut = await raw(t, (socket) => socket.end("HTTP/1.1 200 OK\r\nContent-Length: 90\r\n\r\nshort"));
  await assertFault(post(egressTo(t, cut), cut), "answer_malformed");
  const closing = await raw(t, (socket) => socket.destroy());
  await assertFault(post(egressTo(t, closing), closing), "unreachable");
  const { server, url } = await listening(t, (_request, response) => response.end());
  server.close();
  await once(server, "close");
  await assertFault(post(egressTo(t, url), url), "unreachable");
});

test("a kept connection that was closed meanwhile is opened again", async (t) => {
  const { server, url } = await listening(t, (_request, response) => response.end("here"));
  const sockets: Socket[] = [];
  server.on("connection", (socket) => sockets.push(socket));
  const egress = egressTo(t, url);
  await post(egress, url);
  // The other side resets it; this side hears of it only when it writes.
  sockets[0]?.resetAndDestroy();
  assert.equal((await post(egress, url)).body.toString(), "here");
});
