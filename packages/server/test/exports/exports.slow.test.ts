/** Exports over HTTP: possible requests, who may see one, the content of a package, and refusals. */

import assert from "node:assert/strict";
import { test } from "node:test";
import {
  MAX_EXPORT_EVENTS,
  MAX_EXPORT_STREAMS,
  MAX_EXPORT_WAIT_SECONDS,
  MAX_EXPORTS_KEPT,
  MAX_SYSTEM_EXPORTS_KEPT,
} from "@svc/api/limits";
import { contentOf, openArchive, referenceKernel } from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { type Answer, Client } from "@svc/testkit/server/client";
import { jobNamed } from "@svc/testkit/server/jobs";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertPackageVerified } from "@svc/testkit/server/verified";
import { newId } from "../../src/ids.ts";
import { systemKeysOf } from "../../src/tenancy/system-keys.ts";
import { insertSystem, insertTenant } from "../../src/tenancy/tenants-store.ts";
import { download, readyExport, settledExport } from "./export-client.ts";

const loans = (count: number) => Array.from({ length: count }, (_, index) => loan(index + 1));

/** Returns the entries of a package as texts. */
function entriesOf(bytes: Uint8Array): Record<string, string> {
  const opened = openArchive(bytes);
  assert.ok(opened.ok);
  return Object.fromEntries(
    opened.entries.map((entry) => {
      const content = contentOf(referenceKernel, entry);
      assert.ok(content.ok);
      return [entry.path, Buffer.from(content.bytes).toString()];
    }),
  );
}

/** Resolves to a server with two streams of three events each, all witnessed, and a clock that a test can move. */
async function start(t: Parameters<typeof startServer>[0]) {
  let ahead = 0;
  const here = await startServer(t, {}, () => Date.now() + ahead);
  const { client, made } = here;
  const { body: other } = await client.post("/v2/streams", {
    system_id: made.system_id,
    use_case: "cards",
    policy_id: "default",
    metadata: {},
  });
  const streams = [made.stream_id, other.stream_id].sort();
  for (const id of streams) await client.appendBatch(id, loans(3));
  for (const id of streams) await client.witnessed(id, 3);
  const move = (milliseconds: number) => {
    ahead += milliseconds;
  };
  return { ...here, streams, move };
}

test("an export of streams: queued, then ready, and its package verifies", async (t) => {
  const { client, made, streams } = await start(t);
  const { status, body } = await client.post("/v1/exports", { streams: streams.toReversed() });
  assert.deepEqual([status, body.state, body.events, body.package], [201, "queued", 6, null]);
  assert.deepEqual(
    body.ranges,
    streams.map((stream_id) => ({ stream_id, from_seq_no: 1, to_seq_no: 3 })),
  );
  const ready = await settledExport(client, body.export_id, "ready");
  const { bytes } = await download(client, ready);
  const report = assertPackageVerified(bytes, made.public_key_hex);
  assert.equal(report.subject.id, body.export_id);
  assert.deepEqual([report.assurance.complete, report.assurance.redacted], [true, 0]);
  const entries = entriesOf(bytes);
  assert.deepEqual(Object.keys(entries), [
    "events.csv",
    "manifest.json",
    "proofs.json",
    "svc.truth-package.manifest.json",
  ]);
  assert.equal(entries["events.csv"]?.split("\r\n").length, 1 + 6 + 1);
  const manifest = JSON.parse(entries["svc.truth-package.manifest.json"] ?? "");
  assert.deepEqual([manifest.tenant_id, manifest.ranges], [made.tenant_id, body.ranges]);
  assert.deepEqual(
    JSON.parse(entries["manifest.json"] ?? "")
      .streams.map(({ use_case }: { use_case: string }) => use_case)
      .sort(),
    ["cards", "loan decisions"],
  );
  assert.equal(
    Buffer.from(referenceKernel.sha256(Buffer.from(entries["svc.truth-package.manifest.json"] ?? ""))).toString("hex"),
    ready.package.manifest_sha256,
  );
});

test("payloads out: nothing of a payload or salt is in the package, and it verifies", async (t) => {
  const { client, made, streams } = await start(t);
  const { bytes } = await download(client, await readyExport(client, { streams, payloads: "redacted" }));
  const report = assertPackageVerified(bytes, made.public_key_hex);
  assert.equal(report.assurance.redacted, 6);
  assert.ok(!bytes.includes("applicant") && !bytes.includes("payload_salt"));
});

test("a range of numbers: neighbours come without payloads, and are in no line of the table", async (t) => {
  const { client, made } = await start(t);
  const { stream_id } = made;
  const { bytes } = await download(
    client,
    await readyExport(client, { streams: [stream_id], from_seq_no: 2, to_seq_no: 2 }),
  );
  const report = assertPackageVerified(bytes, made.public_key_hex);
  assert.deepEqual([report.subject.from_seq_no, report.subject.to_seq_no], [2, 2]);
  const entries = entriesOf(bytes);
  assert.equal(entries["events.csv"]?.split("\r\n").length, 1 + 1 + 1);
  const [bundle] = JSON.parse(entries["proofs.json"] ?? "");
  assert.deepEqual([bundle.artifacts["receipts.json"].length, Object.keys(bundle.payloads).length], [3, 1]);
});

test("a time of receipt: from it on, and before the other one, to the millisecond", async (t) => {
  const { client, made, move } = await start(t);
  const { stream_id } = made;
  const times: string[] = [];
  for (let number = 4; number <= 6; number++) {
    move(60_000);
    times.push((await client.append(stream_id, loan(number))).body.received_at);
  }
  const [fourth = "", fifth = "", sixth = ""] = times;
  const rangeOf = async (request: object) => {
    const { body } = await client.post("/v1/exports", { streams: [stream_id], ...request });
    return body.ranges === undefined ? body.detail.code : [body.ranges[0].from_seq_no, body.ranges[0].to_seq_no];
  };
  const zoned = (time: string) => `${new Date(Date.parse(time) + 7_200_000).toISOString().slice(0, -1)}000+02:00`;
  assert.deepEqual(await rangeOf({ received_from: fourth }), [4, 6]);
  assert.deepEqual(await rangeOf({ received_from: zoned(fourth), received_before: zoned(sixth) }), [4, 5]);
  assert.deepEqual(
    await rangeOf({ received_from: fourth.replace("Z", "1Z") }),
    [5, 6],
    "a part of a millisecond later",
  );
  assert.deepEqual(await rangeOf({ received_before: fifth.replace("Z", "1Z") }), [1, 5]);
  assert.deepEqual(await rangeOf({ received_from: fourth, to_seq_no: 5 }), [4, 5]);
  assert.deepEqual(await rangeOf({ received_from: fifth, from_seq_no: 2, to_seq_no: 4 }), "export_empty");
  assert.deepEqual(await rangeOf({ received_from: sixth.replace("Z", "1Z") }), "export_empty");
  assert.deepEqual(await rangeOf({ received_from: fifth, received_before: fifth }), "export_empty");
  assert.deepEqual(await rangeOf({ received_from: "2026-03-01T10:00:00" }), "timezone_required");
});

test("systems mean all of their streams, but those without events and those that a key is kept from", async (t) => {
  const { client, made, server, streams } = await start(t);
  const { body: twice } = await client.post("/v1/exports", {
    streams: [streams[0], streams[0]],
    systems: [made.system_id],
  });
  assert.equal(twice.events, 6, "one that is named twice is there once");
  await client.post("/v2/streams", { system_id: made.system_id, use_case: "x", policy_id: "default", metadata: {} });
  const { body } = await client.post("/v1/exports", { systems: [made.system_id] });
  const idsOf = ({ ranges }: Answer["body"]) => ranges.map(({ stream_id }: { stream_id: string }) => stream_id);
  assert.deepEqual(idsOf(body), streams);

  // A key that is limited to streams exports those of them that belong to its system.
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const key = await context.database.write((writer) =>
    systemKeys.create(
      writer,
      { tenantId: made.tenant_id, systemId: made.system_id, limits: { actions: null, streams: [streams[1] ?? ""] } },
      { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] },
    ),
  );
  const kept = await new Client(server.url, key).post("/v1/exports", { systems: [made.system_id] });
  assert.deepEqual([kept.status, idsOf(kept.body)], [201, streams.slice(1)], kept.text);
});

test("what makes no sense is refused with its place", async (t) => {
  const { client, made, streams } = await start(t);
  const one = { streams: [made.stream_id] };
  for (const [request, path] of [
    [{}, "/streams"],
    [{ streams, from_seq_no: 1 }, "/from_seq_no"],
    [{ ...one, systems: [made.system_id], to_seq_no: 1 }, "/from_seq_no"],
    [{ ...one, from_seq_no: 3, to_seq_no: 2 }, "/to_seq_no"],
    [{ ...one, to_seq_no: 4 }, "/to_seq_no"],
    [{ ...one, from_seq_no: 4 }, "/from_seq_no"],
    [{ streams: [] }, "/streams"],
  ] as const) {
    const { status, body } = await client.post("/v1/exports", request);
    assert.deepEqual([status, body.detail.code], [422, "invalid_request"], JSON.stringify(request));
    assert.equal(body.detail.problems[0].path, path, JSON.stringify(request));
  }
  assert.equal((await client.post("/v1/exports", { systems: [newId("sys")] })).body.detail.code, "system_forbidden");
  assert.equal((await client.post("/v1/exports", { streams: ["str_x"] })).body.detail.code, "stream_not_found");
});

test("limits: events (MAX_EXPORT_EVENTS), streams (MAX_EXPORT_STREAMS), exports at a time (MAX_EXPORTS_KEPT)", async (t) => {
  const { client, made, server } = await start(t);
  const { database } = server.service.context;
  const request = { streams: [made.stream_id] };
  const ids: string[] = [];
  for (let made = 0; made < MAX_EXPORTS_KEPT; made++)
    ids.push((await client.post("/v1/exports", request)).body.export_id);
  const { status, body } = await client.post("/v1/exports", request);
  assert.deepEqual([status, body.detail.code], [409, "too_many_exports"]);
  assert.equal((await client.send("DELETE", `/v1/exports/${ids[0]}`, undefined, {})).body.state, "deleted");
  assert.equal((await client.post("/v1/exports", request)).status, 201, "a deleted one makes room");

  for (let more = 2; more <= MAX_EXPORT_STREAMS; more++)
    await client.post("/v2/streams", { system_id: made.system_id, use_case: "x", policy_id: "default", metadata: {} });
  const many = await client.post("/v1/exports", { systems: [made.system_id] });
  assert.deepEqual([many.status, many.body.detail.code], [422, "range_too_large"]);
  await database.write((writer) =>
    writer.run("UPDATE streams SET head_seq_no = $1 WHERE stream_id = $2", MAX_EXPORT_EVENTS + 1, made.stream_id),
  );
  const large = await client.post("/v1/exports", request);
  assert.deepEqual([large.status, large.body.detail.code], [422, "range_too_large"]);
});

test("one system does not take the exports of the others (MAX_SYSTEM_EXPORTS_KEPT), and each may have one", async (t) => {
  const { client, made, server } = await start(t);
  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const actor = { tenantId: made.tenant_id, kind: "service", id: "test", roles: [] } as const;
  /** Resolves to another system of the tenant, with a stream of one witnessed event. */
  const neighbour = async (name: string) => {
    const systemId = newId("sys");
    const place = { tenantId: made.tenant_id, systemId, name, sourceTimezone: null };
    const key = await context.database.write(async (writer) => {
      await insertSystem(writer, place, serviceTime(context.clock()));
      return systemKeys.create(writer, { tenantId: made.tenant_id, systemId }, actor);
    });
    const own = new Client(server.url, key);
    const request = { system_id: systemId, use_case: name, policy_id: "default", metadata: {} };
    const { stream_id } = (await own.post("/v2/streams", request)).body;
    await own.append(stream_id, loan(1));
    await own.witnessed(stream_id, 1);
    return { own, stream_id };
  };
  /** Resolves to the number of exports that it can request, and the refusal of the next one. */
  const fill = async (one: Client, streamId: string) => {
    for (let asked = 0; ; asked++) {
      const { status, body } = await one.post("/v1/exports", { streams: [streamId] });
      if (status !== 201) return [asked, status, body.detail.code, body.detail.max_exports];
    }
  };
  const [cards, claims, late] = [await neighbour("cards"), await neighbour("claims"), await neighbour("late")];
  assert.deepEqual(await fill(client, made.stream_id), [
    MAX_SYSTEM_EXPORTS_KEPT,
    409,
    "too_many_exports",
    MAX_SYSTEM_EXPORTS_KEPT,
  ]);
  const rest = MAX_EXPORTS_KEPT - MAX_SYSTEM_EXPORTS_KEPT;
  const single = await cards.own.post("/v1/exports", { streams: [cards.stream_id] });
  assert.equal(single.status, 201);
  assert.deepEqual(await fill(claims.own, claims.stream_id), [rest - 1, 409, "too_many_exports", MAX_EXPORTS_KEPT]);
  // The tenant has all that it may have: a system without exports gets one, but no second one.
  assert.deepEqual(await fill(late.own, late.stream_id), [1, 409, "too_many_exports", MAX_EXPORTS_KEPT]);
  assert.deepEqual(await fill(cards.own, cards.stream_id), [0, 409, "too_many_exports", MAX_EXPORTS_KEPT]);
});

test("a repeated request makes one export, and gets the first answer byte for byte", async (t) => {
  const { client, made } = await start(t);
  const request = { streams: [made.stream_id] };
  const key = { "idempotency-key": "march" };
  const first = await client.post("/v1/exports", request, key);
  await settledExport(client, first.body.export_id, "ready");
  assert.equal((await client.post("/v1/exports", request, key)).text, first.text);
  const other = await client.post("/v1/exports", { ...request, payloads: "redacted" }, key);
  assert.deepEqual([other.status, other.body.detail.code], [409, "idempotency_conflict"]);
  assert.equal((await client.get("/v1/exports")).body.items.length, 1);
});

test("lists: in pages, by state, and those of the own system only", async (t) => {
  const { client, server, made, streams } = await start(t);
  const made1: string[] = [];
  for (const stream of [...streams, streams[0]])
    made1.push((await readyExport(client, { streams: [stream] })).export_id);
  await client.send("DELETE", `/v1/exports/${made1[1]}`, undefined, {});
  const idsOf = ({ body }: Answer) => body.items.map(({ export_id }: { export_id: string }) => export_id);
  const page = await client.get("/v1/exports?limit=2");
  const rest = await client.get(`/v1/exports?limit=2&cursor=${page.body.next_cursor}`);
  assert.deepEqual([...idsOf(page), ...idsOf(rest)], made1);
  assert.equal(rest.body.next_cursor, null);
  assert.deepEqual(idsOf(await client.get("/v1/exports?state=deleted")), [made1[1]]);

  const { context } = server.service;
  const systemKeys = systemKeysOf(context);
  const keyFor = (tenantId: string, systemId: string, only: string[] | null = null) =>
    context.database.write((writer) =>
      systemKeys.create(
        writer,
        { tenantId, systemId, limits: only === null ? null : { actions: null, streams: only } },
        { tenantId, kind: "service", id: "test", roles: [] },
      ),
    );
  const systemId = newId("sys");
  const [tenantId, foreignId] = [newId("tnt"), newId("sys")];
  const now = serviceTime(Date.now());
  await context.database.write(async (writer) => {
    await insertSystem(writer, { tenantId: made.tenant_id, systemId, name: "Cards", sourceTimezone: null }, now);
    await insertTenant(writer, { tenantId, name: "Other", timeZone: "UTC" }, now);
    await insertSystem(writer, { tenantId, systemId: foreignId, name: "Claims", sourceTimezone: null }, now);
  });
  const narrow = new Client(server.url, await keyFor(made.tenant_id, made.system_id, [streams[1] ?? ""]));
  const neighbour = new Client(server.url, await keyFor(made.tenant_id, systemId));
  const stranger = new Client(server.url, await keyFor(tenantId, foreignId));
  // A key whose limits lack one of its streams sees nothing of an export.
  const { export_id: both } = await readyExport(client, { streams });
  assert.deepEqual(idsOf(await narrow.get("/v1/exports")), [made1[1]]);
  const ofBoth = await narrow.get(`/v1/exports/${both}`);
  assert.deepEqual([ofBoth.status, ofBoth.body.detail.code], [403, "export_forbidden"]);
  for (const [one, code] of [
    [narrow, "export_forbidden"],
    [neighbour, "export_forbidden"],
    [stranger, "export_not_found"],
  ] as const) {
    if (one !== narrow) assert.deepEqual(idsOf(await one.get("/v1/exports")), []);
    const path = `/v1/exports/${made1[0]}`;
    const answers = [
      await one.get(path),
      await one.send("DELETE", path, undefined, {}),
      await one.post(`${path}/download/prepare`, ""),
    ];
    assert.deepEqual(
      answers.map(({ body }) => body.detail.code),
      [code, code, code],
    );
  }
  assert.equal((await client.get(`/v1/exports/${made1[0]}`)).body.state, "ready");
});

test(
  "an export waits for the evidence of its events (MAX_EXPORT_WAIT_SECONDS), holds up no other, and is given up in " +
    "the end",
  async (t) => {
    const { client, made, server, move } = await start(t);
    const { stream_id } = made;
    // Nobody seals any more.
    await jobNamed(server, "sealer").stop();
    await client.append(stream_id, loan(4));
    const { body } = await client.post("/v1/exports", { streams: [stream_id] });
    assert.equal(body.events, 4);
    await readyExport(client, { streams: [stream_id], to_seq_no: 3 });
    assert.equal((await client.get(`/v1/exports/${body.export_id}`)).body.state, "queued");
    const early = await client.post(`/v1/exports/${body.export_id}/download/prepare`, "");
    assert.deepEqual([early.status, early.body.detail.code], [409, "export_not_ready"]);

    move(MAX_EXPORT_WAIT_SECONDS * 1000);
    const failed = await settledExport(client, body.export_id, "failed");
    assert.deepEqual([failed.failure.code, failed.package], ["evidence_missing", null]);
    const late = await client.post(`/v1/exports/${body.export_id}/download/prepare`, "");
    assert.deepEqual([late.status, late.body.detail.code], [409, "export_failed"]);
  },
);
