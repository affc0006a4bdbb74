/** Epochs before and after a rotation of the sealing key: a verifier that pins the old key follows. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { command } from "@svc/testkit/server/child-process";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { epochOver } from "./epochs.ts";

const HOUR_MS = 3_600_000;

test("an epoch of a new key extends one of the old key, also where the clock was set back", async (t) => {
  let offsetMs = 0;
  const { client, made } = await startServer(t, { epochIntervalMs: 20 }, () => Date.now() + offsetMs);
  const published = async (number: number) => {
    await client.append(made.stream_id, loan(number));
    return epochOver(client, (await client.witnessed(made.stream_id, number)).latest_checkpoint_id);
  };
  offsetMs = HOUR_MS;
  const before = await published(1);
  offsetMs = 0;
  const rotation = await command(["keys", "rotate-signing", "--data", made.data_folder]);
  assert.equal(rotation.code, 0, rotation.err);
  const after = await published(2);
  assert.notEqual(after.seal.kid, before.seal.kid);
  assert.ok(after.anchored_at >= before.anchored_at);
  const path = `/v2/anchors/${after.anchor_epoch_id}/consistency?from=${before.anchor_epoch_id}`;
  assertVerified((await client.get(path)).text, made.public_key_hex, "consistency");
  const range = { stream_id: made.stream_id, from_seq_no: 1, to_seq_no: 2 };
  const { text } = await client.post("/v2/audit/packs", range);
  assertVerified(text, made.public_key_hex, "bundle");
});
