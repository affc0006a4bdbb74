/**
 * Erasure by the real program: a key with the permission, a kill right after the answer, and the operator's log of it.
 */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { contentsOf } from "@svc/testkit/folder-contents";
import { command, startChild } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

const MARKER = "erase-me-0123456789";

test("kill -9 right after an erasure: it holds, and the next start clears the files", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const first = await startChild(t, folder);
  const run = async (...words: string[]) => {
    const { code, out, err } = await command([...words, "--data", folder, "--json"]);
    assert.equal(code, 0, err);
    return JSON.parse(out);
  };
  const { api_key, system_id } = await run("keys", "create", "--allow", "read,append,create_stream,erase");
  const client = new Client(first.url, api_key);
  const request = { system_id, use_case: "loans", policy_id: "default", metadata: {} };
  const { body: stream } = await client.post("/v2/streams", request);
  const { body: record } = await client.append(stream.stream_id, loan(1, { payload: { text: MARKER } }));
  const path = `/v2/streams/${stream.stream_id}/events/${record.stream_event_id}/erase`;
  const { status, text } = await client.post(path, { reason: "request 17" });
  assert.equal(await first.end("SIGKILL"), null);
  assert.equal(status, 200, text);

  const second = await startChild(t, folder);
  const { body } = await new Client(second.url, api_key).get(`/v2/receipts/${record.stream_event_id}`);
  assert.deepEqual([body.event_hash, body.payload], [record.event_hash, undefined]);
  await until("no file holds the payload", async () =>
    contentsOf(folder).some((bytes) => bytes.includes(MARKER)) ? null : true,
  );

  const unknown = await command(["audit-log", "--tenant", "tnt_bogus", "--data", folder]);
  assert.deepEqual([unknown.code, unknown.out], [64, ""]);
  assert.match(unknown.err, /There is no tenant "tnt_bogus"\. There are:\n {2}tnt_/);
  const { entries } = await run("audit-log", "--action", "event.erased");
  const [{ access_id: _id, tenant_id: _tenant, at: _at, ...entry }] = entries;
  assert.deepEqual(entry, {
    actor_kind: "system",
    actor_id: system_id,
    action: "event.erased",
    object_id: record.stream_event_id,
    detail: { stream_id: stream.stream_id, reason: "request 17" },
  });
  const actions = async (...words: string[]) =>
    (await run("audit-log", ...words)).entries.map(({ action }: { action: string }) => action);
  assert.deepEqual(await actions("--action", "system_key"), ["system_key.created"]);
  assert.deepEqual(await actions("--object", stream.stream_id), ["stream.created"]);
  assert.deepEqual(await actions("--last", "1"), ["event.erased"]);
  assert.deepEqual(await actions("--action", "event_"), []);
});
