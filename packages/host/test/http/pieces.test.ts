/** Answers in pieces, and a connection that ends when a piece cannot be made. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { createListener } from "../../src/http/listener.ts";
import { sendPieces } from "../../src/http/responses.ts";

test("a failure in the middle is a broken answer", async (t) => {
  async function* failing() {
    yield Buffer.from("[1");
    throw new Error("no more");
  }
  const listener = createListener((_request, response) => {
    sendPieces(response, 200, failing()).catch(() => undefined);
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  const { port } = listener.address() as { port: number };
  await assert.rejects(fetch(`http://127.0.0.1:${port}/`).then((response) => response.text()));
});

test("a failure before the first piece can still be answered otherwise", async (t) => {
  async function* failing() {
    if (listener.listening) throw new Error("none at all");
    yield Buffer.from("never");
  }
  const listener = createListener((_request, response) => {
    sendPieces(response, 200, failing()).catch(() => response.writeHead(500).end("no"));
  });
  listener.listen(0, "127.0.0.1");
  await once(listener, "listening");
  t.after(() => listener.close());
  const { port } = listener.address() as { port: number };
  const response = await fetch(`http://127.0.0.1:${port}/`);
  assert.deepEqual([response.status, await response.text()], [500, "no"]);
});
