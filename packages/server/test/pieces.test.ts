/** Answers in pieces, and a connection that ends where a piece cannot be made. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { referenceKernel } from "@svc/core";
import { createListener, sendPieces } from "@svc/host/http";
import { loan, startServer } from "./running-server.ts";

test("a pack is sent in pieces that are canonical as a whole", async (t) => {
  const { client, made } = await startServer(t);
  const { stream_id } = made;
  await client.appendBatch(
    stream_id,
    Array.from({ length: 300 }, (_, index) => loan(index)),
  );
  await client.witnessed(stream_id, 300);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 300 });
  assert.equal(pack.headers.get("transfer-encoding"), "chunked");
  assert.equal(pack.text, Buffer.from(referenceKernel.canonicalize(pack.body)).toString());
});

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
