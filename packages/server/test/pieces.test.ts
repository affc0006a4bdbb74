/** Answers in pieces: the same bytes as in one, and a connection that ends where a piece cannot be made. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { test } from "node:test";
import { type Json, referenceKernel } from "@svc/core";
import { canonicalPieces } from "../src/http/canonical-pieces.ts";
import { createListener } from "../src/http/listener.ts";
import { sendPieces } from "../src/http/responses.ts";
import { kernel } from "../src/kernel.ts";
import { loan, startServer } from "./running-server.ts";

test("the pieces of any value are its canonical text", () => {
  const list = (count: number) => Array.from({ length: count }, (_, index) => ({ b: index, a: [null, "\u20ac"] }));
  const named = (count: number) => Object.fromEntries(list(count).map((item, index) => [`k${index}`, item]));
  const values: Json[] = [null, 1.5, "\u2028", [], {}, { a: {} }, { "\ufb33": 1, "\ud83d\ude00": 2, "": [] }];
  for (const count of [0, 1, 32, 33, 64, 65])
    values.push(list(count), named(count), { z: list(count), a: { y: named(count) } });
  for (const value of values)
    for (const depth of [0, 1, 2, 5]) {
      const text = Buffer.concat([...canonicalPieces(kernel, value, depth)]).toString();
      assert.equal(text, Buffer.from(referenceKernel.canonicalize(value)).toString());
    }
});

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
  function* failing() {
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
