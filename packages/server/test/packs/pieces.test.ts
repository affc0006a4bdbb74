/** Answers in pieces are the same bytes as a whole one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { referenceKernel } from "@svc/core";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";

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
