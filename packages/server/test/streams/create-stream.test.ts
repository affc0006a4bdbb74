/** Making a stream: the owner, the key under which it is repeated, and its entry in the access log. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { Principal } from "@svc/host/principal";
import { Idempotency } from "../../src/idempotency/idempotency.ts";
import { findIdempotencyRecord } from "../../src/idempotency/store.ts";
import { CreateStream, type LegacySettings, type StreamRequest } from "../../src/streams/create-stream.ts";
import { findStream } from "../../src/streams/streams-store.ts";
import { accessBefore } from "../../src/tenancy/access-log-store.ts";
import { contextUnderTest } from "../context-under-test.ts";
import { at, BANK, INSURER, LOANS, plain, principalOf } from "../store-under-test.ts";

const REQUEST: StreamRequest = {
  system_id: LOANS.systemId,
  use_case: "loans",
  policy_id: "strict",
  metadata: { b: "2", a: "1" },
};
const ENABLED: LegacySettings = { legacyStreamCreationEnabled: true, provenanceLaneEnabled: false };

async function creating(t: Parameters<typeof contextUnderTest>[0], settings = ENABLED) {
  const made = await contextUnderTest(t);
  const create = new CreateStream(made.context, new Idempotency(made.context), settings);
  const noted = async () => {
    const any = { tenantId: null, action: null, objectId: null };
    const { rows } = await made.store.read((reader) => accessBefore(reader, any, { after: null, most: 10 }));
    return rows.map(({ access_id: _id, ...row }) => row);
  };
  return { ...made, create, noted };
}

test("a stream is answered as it was asked for, is there, and is in the access log", async (t) => {
  const { create, noted, store } = await creating(t);
  const made = await create.create(principalOf(LOANS), REQUEST, "");
  const { stream_id } = made;
  assert.match(stream_id, /^str_[0-9a-z]{26}$/);
  assert.deepEqual(
    { ...made, metadata: { ...made.metadata } },
    { ...REQUEST, stream_id, class: "legacy", created: true, created_at: at(1000) },
  );
  const stream = await store.read((reader) => findStream(reader, BANK, stream_id));
  assert.deepEqual(
    [stream?.system_id, stream?.policy_id, stream?.event_log_no, stream?.created_at],
    [LOANS.systemId, "strict", null, at(1000)],
  );
  assert.deepEqual(await noted(), [
    {
      tenant_id: BANK,
      at: at(1000),
      actor_kind: "system",
      actor_id: LOANS.systemId,
      action: "stream.created",
      object_id: stream_id,
      detail: '{"policy_id":"strict"}',
    },
  ]);
});

test("a stream is not made before its policy was declared, also where the clock has been set back", async (t) => {
  const { create, now } = await creating(t);
  const first = await create.create(principalOf(LOANS), REQUEST, "");
  now.seconds = 500;
  const second = await create.create(principalOf(LOANS), REQUEST, "");
  assert.deepEqual([first.created_at, second.created_at], [at(1000), at(1000)]);
});

test("only the key of a system makes streams, for that system, and only where it is not kept to others", async (t) => {
  const { create, noted } = await creating(t);
  const own = principalOf(LOANS);
  const others: readonly Principal[] = [
    { ...own, kind: "user" },
    { ...own, id: "sys_bank_cards" },
  ];
  for (const principal of others)
    await assert.rejects(create.create(principal, REQUEST, "key"), { code: "system_forbidden" });
  const limits = { actions: null, streams: ["str_bank_1"] };
  await assert.rejects(create.create({ ...own, limits }, REQUEST, "key"), {
    code: "action_forbidden",
    details: { action: "create_stream" },
  });
  assert.deepEqual(await noted(), []);
  await create.create({ ...own, limits: { actions: null, streams: null } }, REQUEST, "key");
});

test("a request is repeated by its key, and kept in the form of every release", async (t) => {
  const { create, context, store, noted } = await creating(t);
  const principal = principalOf(LOANS);
  const first = await create.create(principal, REQUEST, "key");
  assert.deepEqual(await create.create(principal, { ...REQUEST, metadata: { a: "1", b: "2" } }, "key"), first);
  await assert.rejects(create.create(principal, { ...REQUEST, use_case: "other" }, "key"), {
    code: "idempotency_conflict",
    details: { stream_id: first.stream_id },
  });
  assert.equal((await noted()).length, 1);
  const scope = { tenantId: BANK, principalId: LOANS.systemId, route: "POST /v2/streams", key: "key" };
  const kept = await store.read((reader) => findIdempotencyRecord(reader, scope));
  const canonical = context.kernel.canonicalize(["POST /v2/streams", "", { ...REQUEST }]);
  assert.deepEqual(
    { ...kept },
    {
      request_mac: context.keyedHash.hash("request", canonical),
      stream_id: first.stream_id,
      from_seq_no: 0,
      to_seq_no: 0,
      result: "{}",
    },
  );
  const [time] = plain(
    await store.read((reader) => reader.all<object>("SELECT created_at, tenant_id FROM idempotency_records")),
  );
  assert.deepEqual(time, { created_at: at(1000), tenant_id: BANK });
});

test("two tenants name the same policy, and each stream is its own tenant's", async (t) => {
  const { create, store } = await creating(t);
  const { stream_id } = await create.create(principalOf(LOANS), REQUEST, "");
  assert.equal(await store.read((reader) => findStream(reader, INSURER, stream_id)), null);
});

test("where no legacy streams are made a repeated request still gets its answer, with the warning of its time", async (t) => {
  const { create, context } = await creating(t, { legacyStreamCreationEnabled: true, provenanceLaneEnabled: true });
  const principal = principalOf(LOANS);
  const first = await create.create(principal, REQUEST, "key");
  assert.match(first.compatibilityWarning ?? "", /provenance streams/);
  const settings = { legacyStreamCreationEnabled: false, provenanceLaneEnabled: false };
  const later = new CreateStream(context, new Idempotency(context), settings);
  assert.deepEqual(await later.create(principal, REQUEST, "key"), first);
  await assert.rejects(later.create(principal, REQUEST, "new"), { code: "legacy_stream_creation_disabled" });
});
