/**
 * Input that never becomes a request: bytes on a bare connection that Node's parser refuses, cuts off or waits for in
 * vain. The answers have one form.
 */
import assert from "node:assert/strict";
import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { connect } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { createListener } from "@svc/host/http";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { until } from "@svc/testkit/until";
import { exchange } from "./raw-exchange.ts";

/** Returns status and code of the one answer, which must have the form of all errors. */
function refusal(answer: string): [number, string] {
  const [head = "", body = "", ...more] = answer.split("\r\n\r\n");
  assert.equal(more.length, 0, answer);
  assert.match(head, /\r\nContent-Type: application\/json; charset=utf-8\r\n/);
  assert.match(head, /\r\nConnection: close(\r\n|$)/);
  assert.match(head, /\r\nX-Content-Type-Options: nosniff(\r\n|$)/);
  const { detail, ...rest } = JSON.parse(body);
  assert.deepEqual([rest, typeof detail.message], [{}, "string"]);
  assert.doesNotMatch(body, /HPE_|node/i);
  return [Number(/^HTTP\/1\.1 (\d{3}) /.exec(head)?.[1]), detail.code];
}

test("what the parser refuses is answered in the form of all errors", async (t) => {
  const { server } = await startServer(t);
  const cases: [name: string, text: string, status: number, code: string][] = [
    ["no HTTP", "hello\r\n\r\n", 400, "request_malformed"],
    ["an unknown method", "FETCH /health HTTP/1.1\r\nHost: a\r\n\r\n", 400, "request_malformed"],
    ["another version", "GET /health HTTP/9.9\r\nHost: a\r\n\r\n", 400, "request_malformed"],
    ["HTTP/2.0", "GET /health HTTP/2.0\r\nHost: a\r\n\r\n", 400, "request_malformed"],
    ["HTTP/0.9", "GET /health HTTP/0.9\r\nHost: a\r\n\r\n", 400, "request_malformed"],
    ["a header without colon", "GET /health HTTP/1.1\r\nHost a\r\n\r\n", 400, "request_malformed"],
    ["no Host", "GET /health HTTP/1.1\r\n\r\n", 400, "request_malformed"],
    ["two Hosts", "GET /health HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, "request_malformed"],
    [
      "two credentials",
      "GET /health HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n",
      400,
      "request_malformed",
    ],
    [
      "two media types",
      "POST /v2/verify HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Type: text/plain\r\n\r\n",
      400,
      "request_malformed",
    ],
    [
      "two lengths",
      "POST /v2/verify HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
      400,
      "request_malformed",
    ],
    [
      "a flood of headers",
      `GET /health HTTP/1.1\r\nHost: a\r\nX: ${"x".repeat(70_000)}\r\n\r\n`,
      431,
      "headers_too_large",
    ],
    ["a long path", `GET /${"x".repeat(70_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431, "headers_too_large"],
    ["an expectation", "GET /health HTTP/1.1\r\nHost: a\r\nExpect: 200-ok\r\n\r\n", 417, "expectation_failed"],
    ["CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a:443\r\n\r\n", 405, "method_not_allowed"],
  ];
  for (const [name, text, status, code] of cases)
    assert.deepEqual(refusal(await exchange(server.url, text)), [status, code], name);
  assert.equal((await fetch(`${server.url}/health`)).status, 200);
});

test("a transfer coding that this server does not take off is refused, and nothing of the body is read", async (t) => {
  const { server, client, made } = await startServer(t);
  const body = JSON.stringify(loan(1));
  const chunks = `${body.length.toString(16)}\r\n${body}\r\n0\r\n\r\n`;
  const head = (codings: string) =>
    `POST /v2/streams/${made.stream_id}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ` +
    `${made.api_key}\r\nIdempotency-Key: k\r\nContent-Type: application/json\r\n${codings}\r\n\r\n`;
  for (const codings of [
    "Transfer-Encoding: gzip, chunked",
    "Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked",
    "Transfer-Encoding: identity, chunked",
    "Transfer-Encoding: x, chunked",
  ])
    assert.deepEqual(
      refusal(await exchange(server.url, head(codings) + chunks)),
      [501, "transfer_coding_unsupported"],
      codings,
    );
  // The refusal comes before a route, and without a body: the answer does not wait for one.
  assert.deepEqual(refusal(await exchange(server.url, head("Transfer-Encoding: gzip, chunked"))), [
    501,
    "transfer_coding_unsupported",
  ]);
  const { status } = await client.get(`/v2/streams/${made.stream_id}/head`);
  assert.equal(status, 404, "nothing was recorded");
  for (const coding of ["chunked", "Chunked"]) {
    const answer = await exchange(server.url, head(`Transfer-Encoding: ${coding}\r\nConnection: close`) + chunks);
    assert.match(answer, /^HTTP\/1\.1 201 /, coding);
  }
});

test("an upgrade is passed over, and the request answered as it stands", async (t) => {
  const { server } = await startServer(t);
  const upgrade = "Connection: Upgrade, close\r\nUpgrade: websocket\r\nSec-WebSocket-Key: YQ==\r\n";
  const answer = await exchange(server.url, `GET /health HTTP/1.1\r\nHost: a\r\n${upgrade}\r\n`);
  assert.match(answer, /^HTTP\/1\.1 200 OK\r\n/);
});

test("a body that is cut off is refused, and nothing of it is recorded", async (t) => {
  const { server, client, made } = await startServer(t);
  const path = `/v2/streams/${made.stream_id}/events`;
  const body = JSON.stringify(loan(1));
  const head = (rest: string) =>
    `POST ${path} HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${made.api_key}\r\nIdempotency-Key: ` +
    `k\r\nContent-Type: application/json\r\n${rest}\r\n\r\n`;
  const sent = [
    `${head(`Content-Length: ${body.length + 1}`)}${body}`,
    `${head("Transfer-Encoding: chunked")}${body.length.toString(16)}\r\n${body}\r\n`,
  ];
  for (const text of sent)
    assert.deepEqual(refusal(await exchange(server.url, text, { end: true })), [400, "request_malformed"]);
  const broken = `${head("Transfer-Encoding: chunked")}xyz\r\n${body}\r\n0\r\n\r\n`;
  assert.deepEqual(refusal(await exchange(server.url, broken)), [400, "request_malformed"]);
  const { status, body: record } = await client.append(made.stream_id, loan(1), "k");
  assert.deepEqual([status, record.seq_no], [201, 1]);
});

/** Resolves to a listener that waits for nobody long. */
async function impatient(
  t: TestContext,
  answer: RequestListener,
  patience: Partial<Parameters<typeof createListener>[1]>,
): Promise<string> {
  const listener = createListener(answer, {
    headersMs: 10_000,
    requestMs: 10_000,
    checkMs: 20,
    stalledMs: 10_000,
    ...patience,
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  return `http://127.0.0.1:${(listener.address() as { port: number }).port}`;
}

test("headers and bodies that do not come in time are given up", async (t) => {
  const url = await impatient(t, (_request, response) => response.end(), { headersMs: 50, requestMs: 100 });
  assert.deepEqual(refusal(await exchange(url, "GET / HTTP/1.1\r\nHost: a\r\n")), [408, "request_timeout"]);
});

test("an answer that the client does not take is given up; one that takes long to make is not", async (t) => {
  let isGone = false;
  const answer: RequestListener = async ({ url }, response) => {
    response.once("close", () => {
      isGone ||= !response.writableFinished;
    });
    if (url === "/slow") await pause(500);
    response.end(url === "/slow" ? "made" : Buffer.alloc(64 * 1024 * 1024));
  };
  const url = await impatient(t, answer, { stalledMs: 100 });
  assert.match(await exchange(url, "GET /slow HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"), /made/);
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).pause();
  t.after(() => socket.destroy());
  socket.on("error", () => undefined).write("GET /large HTTP/1.1\r\nHost: a\r\n\r\n");
  await until("the answer is given up", async () => (isGone ? true : null));
});

test("what cannot be read behind a whole request is answered after that one's answer", async (t) => {
  const { server, client, made } = await startServer(t);
  const get = "GET /v2/keys HTTP/1.1\r\nHost: a\r\n\r\n";
  const [first = "", second = "", ...more] = (await exchange(server.url, `${get}hello\r\n\r\n`)).split(
    /(?=HTTP\/1\.1 \d)/,
  );
  assert.match(first, /^HTTP\/1\.1 200 OK\r\n[\s\S]*"endorsements"/);
  assert.deepEqual([refusal(second), more], [[400, "request_malformed"], []]);
  const body = JSON.stringify(loan(1));
  const head =
    `POST /v2/streams/${made.stream_id}/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ` +
    `${made.api_key}\r\nIdempotency-Key: k`;
  const append = `${head}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  assert.match(await exchange(server.url, `${append}hello\r\n\r\n`), /^HTTP\/1\.1 201 /);
  assert.equal((await client.get(`/v2/streams/${made.stream_id}/head`)).status, 200);
});

test("what still comes behind such a fault is dropped: it keeps no memory, and is refused once", async (t) => {
  const answered = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<ServerResponse>();
  const url = await impatient(
    t,
    async (_request, response) => {
      begun.resolve(response);
      await answered.promise;
      response.end("made");
    },
    {},
  );
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  let received = "";
  socket.setEncoding("utf8").on("data", (text) => {
    received += text;
  });
  t.after(() => socket.destroy());
  const closed = once(socket, "close");
  socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
  const response = await begun.promise;
  const before = response.listenerCount("close");
  for (let chunk = 0; chunk < 50; chunk += 1) {
    const read = response.socket?.bytesRead ?? 0;
    socket.write("nonsense\r\n\r\n");
    await until("it has come by itself", async () => ((response.socket?.bytesRead ?? 0) > read ? true : null));
  }
  assert.ok(response.listenerCount("close") <= before + 1, `${response.listenerCount("close")} listeners`);
  answered.resolve();
  await closed;
  assert.equal(received.match(/request_malformed/g)?.length, 1, received);
  assert.match(received, /^HTTP\/1\.1 200 OK[\s\S]*made/);
});

test("a fault within the body of a request ends the connection, and writes nothing into a running answer", async (t) => {
  const listener = createListener((_request, response) =>
    response.writeHead(200, { "Content-Length": "9" }).write("half"),
  );
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  const url = `http://127.0.0.1:${(listener.address() as { port: number }).port}`;
  const answer = await exchange(
    url,
    "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\nnonsense\r\n\r\n",
  );
  assert.doesNotMatch(answer, /request_malformed/);
  assert.match(answer, /\r\n\r\nhalf$|^$/);
});
