/**
 * Making legacy streams while new integrations should use provenance streams, and repeating that after the setting has
 * changed.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@svc/testkit/server/client";
import { serveAgain, startServer } from "@svc/testkit/server/running-server";

test("the first answer holds the warning of its time, and its repetition is the same bytes under any setting", async (t) => {
  const here = await startServer(t, { provenanceLaneEnabled: true });
  const { client, made } = here;
  const request = { system_id: made.system_id, use_case: "loans", policy_id: "lending", metadata: { owner: "risk" } };
  const create = (who: Client, key: string) => who.post("/v2/streams", request, { "idempotency-key": key });
  const warned = await create(client, "while-on");
  assert.equal(warned.status, 201);
  assert.match(warned.body.compatibilityWarning, /go on working.*provenance streams/);

  // Resolves to servers with other settings, on the same folder.
  const withSettings = async (settings: Record<string, string>) => {
    const other = await serveAgain(t, here, settings);
    return new Client(other.url, client.key);
  };
  const off = await withSettings({});
  assert.equal((await create(off, "while-on")).text, warned.text);
  const plain = await create(off, "while-off");
  assert.equal("compatibilityWarning" in plain.body, false);

  const closed = await withSettings({ PROVENANCE_LANE_ENABLED: "1", LEGACY_STREAM_CREATION_ENABLED: "0" });
  assert.equal((await create(closed, "while-on")).text, warned.text);
  assert.equal((await create(closed, "while-off")).text, plain.text);
  assert.equal((await create(closed, "new")).body.detail.code, "legacy_stream_creation_disabled");
});
