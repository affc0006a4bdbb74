/**
 * Exports from the side of their makers, without HTTP: who sees one, its form in each state, the limits of their
 * number, and their ends.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_EXPORTS_KEPT, MAX_SYSTEM_EXPORTS_KEPT } from "@svc/api/limits";
import { ARTIFACT_PATHS } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import { exportsChanged } from "../../src/exports/built.ts";
import { deleteExport, loseExport, withdrawPayload } from "../../src/exports/delete-export.ts";
import { beginBuild, type ExportRow, insertExport, markExportFailed } from "../../src/exports/exports-store.ts";
import { exportView, fileNameOf, queuedView } from "../../src/exports/view.ts";
import { requireBuilt, requireReady, visibleExport } from "../../src/exports/visible-export.ts";
import { findIdempotencyRecord } from "../../src/idempotency/store.ts";
import { insertSystem } from "../../src/tenancy/tenants-store.ts";
import { append, heard, ONE_STREAM, OTHER_STREAM } from "../context-under-test.ts";
import { at, BANK, CARDS, CLAIMS, INSURER, LOANS, principalOf } from "../store-under-test.ts";
import { exportsUnderTest, SERVICE } from "./package-under-test.ts";

const OWN = principalOf(LOANS);
const SYSTEM = `system ${LOANS.systemId}`;
const RANGE = { stream_id: ONE_STREAM, from_seq_no: 1, to_seq_no: 5 };

test("an export that is asked for is queued, noted and told of; the same request again gets the same answer", async (t) => {
  const { exports, context, store, noted, rowOf, buildAll } = await exportsUnderTest(t);
  const changed = heard(context, exportsChanged);
  const request = { streams: [OTHER_STREAM, ONE_STREAM], payloads: "redacted" } as const;
  const first = await exports.create(OWN, request, "key");
  const { export_id } = first;
  const ranges = [RANGE, { stream_id: OTHER_STREAM, from_seq_no: 1, to_seq_no: 2 }];
  assert.deepEqual(
    { ...first, ranges: first.ranges.map((range) => ({ ...range })) },
    {
      export_id,
      state: "queued",
      payloads: "redacted",
      events: 7,
      ranges,
      created_at: at(1000),
      ready_at: null,
      expires_at: null,
      package: null,
      failure: null,
      deletion: null,
    },
  );
  assert.equal(changed.length, 1);
  assert.deepEqual(await noted(export_id), [
    ["export.created", SYSTEM, BANK, at(1000), { payloads: "redacted", ranges }],
  ]);
  const scope = { tenantId: BANK, principalId: LOANS.systemId, route: "POST /v1/exports", key: "key" };
  const kept = await store.read((reader) => findIdempotencyRecord(reader, scope));
  assert.deepEqual(
    { ...kept },
    {
      request_mac: context.keyedHash.hash(
        "request",
        context.kernel.canonicalize(["POST /v1/exports", "", { ...request, streams: [...request.streams] }]),
      ),
      stream_id: ONE_STREAM,
      from_seq_no: 0,
      to_seq_no: 0,
      result: JSON.stringify({ export_id }),
    },
  );
  await buildAll();
  assert.equal((await rowOf(export_id)).state, "ready");
  assert.deepEqual(await exports.create(OWN, request, "key"), first);
  assert.equal((await noted(export_id)).length, 1);
  await assert.rejects(exports.create(OWN, { streams: [ONE_STREAM] }, "key"), { code: "idempotency_conflict" });
  const whole = await exports.create(OWN, { streams: [ONE_STREAM] }, "other");
  assert.equal(whole.payloads, "included");
  assert.notEqual(whole.export_id, export_id);
});

test("an export is seen by its maker, by no other system, and by no key that is kept from one of its streams", async (t) => {
  const { ask, store } = await exportsUnderTest(t);
  const exportId = await ask({ streams: [ONE_STREAM, OTHER_STREAM] });
  const limited = (...streams: string[]): Principal => ({ ...OWN, limits: { actions: null, streams } });
  const seen = (principal: Principal, id = exportId) =>
    store
      .read((reader) => visibleExport(reader, principal, id))
      .then(
        ({ row, ranges }) => [row.export_id, ranges.length],
        (error) => error.code,
      );
  const all = [exportId, 2];
  assert.deepEqual(await seen(OWN), all);
  assert.deepEqual(await seen({ ...OWN, limits: { actions: null, streams: null } }), all);
  assert.deepEqual(await seen(limited(OTHER_STREAM, ONE_STREAM)), all);
  assert.equal(await seen(limited(ONE_STREAM)), "export_forbidden");
  assert.equal(await seen(limited()), "export_forbidden");
  assert.equal(await seen(principalOf(CARDS)), "export_forbidden");
  assert.equal(await seen({ ...OWN, kind: "user" }), "export_forbidden");
  assert.equal(await seen(principalOf(CLAIMS)), "export_not_found");
  assert.equal(await seen({ ...OWN, tenantId: INSURER }), "export_not_found");
  assert.equal(await seen(OWN, "exp_none"), "export_not_found");
});

test("an export shows what became of it, and all of that or nothing", async (t) => {
  const { ready } = await exportsUnderTest(t);
  const row = await ready();
  const ranges = [RANGE, { stream_id: OTHER_STREAM, from_seq_no: 2, to_seq_no: 2 }];
  const view = exportView({ row, ranges });
  const { export_id, size_bytes, package_sha256, manifest_sha256, generated_event_id, ready_at, expires_at } = row;
  assert.equal(fileNameOf(export_id), `${export_id}.truth.zip`);
  assert.deepEqual(view, {
    export_id,
    state: "ready",
    payloads: "included",
    events: 6,
    ranges,
    created_at: at(1000),
    ready_at,
    expires_at,
    package: {
      file_name: `${export_id}.truth.zip`,
      size_bytes,
      sha256: package_sha256,
      manifest_sha256,
      artifacts: ARTIFACT_PATHS.length,
      generated_event_id,
    },
    failure: null,
    deletion: null,
  });
  assert.equal(exportView({ row: { ...row, package_sha256: null }, ranges }).package, null);
  const [failed_at, deleted_at] = [at(5), at(6)];
  const ended = (changes: Partial<ExportRow>) => {
    const { failure, deletion } = exportView({ row: { ...row, ...changes }, ranges });
    return [failure, deletion];
  };
  const [failure] = ended({ failed_at, failure_code: "store_full" });
  assert.match(failure && "message" in failure ? failure.message : "", /disk/);
  assert.deepEqual({ ...failure, message: "" }, { failed_at, code: "store_full", message: "" });
  assert.deepEqual(ended({ deleted_at, deleted_because: "expired" }), [null, { deleted_at, because: "expired" }]);
  for (const half of [
    { failed_at },
    { failure_code: "store_full" },
    { deleted_at },
    { deleted_because: "lost" },
  ] as const)
    assert.deepEqual(ended(half), [null, null], JSON.stringify(half));
  const never = { ready_at: null, expires_at: null, package: null, failure: null, deletion: null };
  const gone = { ...row, failed_at, failure_code: "store_full", deleted_at, deleted_because: "lost" } as const;
  assert.deepEqual(queuedView({ row: gone, ranges }), { ...view, state: "queued", ...never });
});

test("a package is built where all of it is known, and ready where it is here", async (t) => {
  const { ready } = await exportsUnderTest(t);
  const row = await ready();
  const code = (work: () => unknown) => {
    try {
      work();
      return null;
    } catch (error) {
      return (error as { code?: string }).code;
    }
  };
  for (const state of ["ready", "deleted"] as const)
    assert.deepEqual(requireBuilt({ ...row, state }), { ...row, state });
  assert.deepEqual(requireReady(row), row);
  assert.equal(
    code(() => requireReady({ ...row, state: "deleted" })),
    "export_deleted",
  );
  for (const missing of ["package_sha256", "manifest_sha256", "size_bytes"])
    for (const [state, refusal] of [
      ["queued", "export_not_ready"],
      ["building", "export_not_ready"],
      ["failed", "export_failed"],
      ["deleted", "export_deleted"],
    ] as const) {
      const partly = { ...row, state, [missing]: null };
      assert.deepEqual(
        [code(() => requireBuilt(partly)), code(() => requireReady(partly))],
        [refusal, refusal],
        missing,
      );
    }
  assert.deepEqual(
    code(() => requireBuilt({ ...row, package_sha256: null, manifest_sha256: null })),
    "export_not_ready",
  );
});

test("an export is deleted once, by whom it says, and its maker sees it so", async (t) => {
  const { exports, reading, context, ready, noted, rowOf, now, store } = await exportsUnderTest(t);
  const { export_id } = await ready();
  const changed = heard(context, exportsChanged);
  now.seconds = 1005;
  const first = await exports.delete(OWN, export_id);
  assert.deepEqual([first.state, first.deletion], ["deleted", { deleted_at: at(1005), because: "requested" }]);
  now.seconds = 1006;
  assert.deepEqual(await exports.delete(OWN, export_id), first);
  assert.equal(changed.length, 2);
  const entries = [["export.deleted", SYSTEM, BANK, at(1005), { because: "requested" }]];
  assert.deepEqual((await noted(export_id)).slice(1), entries);
  const row = await rowOf(export_id);
  await store.write((writer) => loseExport(writer, row, at(1007)));
  assert.deepEqual([(await noted(export_id)).length, await reading.one(OWN, export_id)], [2, first]);
  const other = await ready();
  await store.write((writer) => loseExport(writer, other, at(1008)));
  assert.deepEqual((await noted(other.export_id)).slice(1), [
    ["export.deleted", SERVICE, BANK, at(1008), { because: "lost" }],
  ]);
  await assert.rejects(exports.delete(principalOf(CARDS), export_id), { code: "export_forbidden" });
});

test("an erased payload ends the packages that hold it, and begins those again that are being built", async (t) => {
  const { store, ready, ask, rowOf, noted } = await exportsUnderTest(t);
  const own = await ready();
  const redacted = await ready({ streams: [ONE_STREAM], payloads: "redacted" });
  const other = await ready({ streams: [ONE_STREAM], to_seq_no: 3 });
  const building = await ask();
  await store.write((writer) => beginBuild(writer, building, at(1)));
  await store.write((writer) => beginBuild(writer, building, at(1)));
  await store.write((writer) => withdrawPayload(writer, OWN, { stream_id: ONE_STREAM, seq_no: 4 }, at(1009)));
  const found = await Promise.all([own.export_id, redacted.export_id, other.export_id, building].map(rowOf));
  assert.deepEqual(
    found.map(({ state, deleted_because, attempts }) => [state, deleted_because, attempts]),
    [
      ["deleted", "payload_erased", 0],
      ["ready", null, 0],
      ["ready", null, 0],
      ["queued", null, 0],
    ],
  );
  assert.deepEqual((await noted(own.export_id)).slice(1), [
    ["export.deleted", SYSTEM, BANK, at(1009), { because: "payload_erased" }],
  ]);
  await store.write((writer) => deleteExport(writer, OWN, other, "requested", at(1010)));
  assert.equal((await rowOf(other.export_id)).deleted_because, "requested");
});

test("a system that has an export keeps so many, its tenant so many in all, and each system of it one", async (t) => {
  const { exports, store, context } = await exportsUnderTest(t);
  const fill = (principal: Principal, count: number, prefix: string) =>
    store.write(async (writer) => {
      for (let number = 0; number < count; number++) {
        const row = { export_id: `exp_${prefix}_${number}`, payloads: "included", created_at: at(1) } as const;
        await insertExport(writer, principal, row, [RANGE]);
      }
    });
  const create = () => exports.create(OWN, { streams: [ONE_STREAM] }, "");
  await fill(OWN, MAX_SYSTEM_EXPORTS_KEPT - 1, "own");
  const { export_id } = await create();
  await assert.rejects(create(), {
    code: "too_many_exports",
    details: { max_exports: MAX_SYSTEM_EXPORTS_KEPT },
    message: /Your system has/,
  });
  await exports.delete(OWN, export_id);
  await fill(principalOf(CARDS), MAX_EXPORTS_KEPT - MAX_SYSTEM_EXPORTS_KEPT + 1, "cards");
  await assert.rejects(create(), {
    code: "too_many_exports",
    details: { max_exports: MAX_EXPORTS_KEPT },
    message: /Your tenant has/,
  });
  await store.write((writer) => markExportFailed(writer, "exp_cards_0", "internal_error", at(2)));
  await create();
  // A system without exports gets one, even if its tenant's room is full.
  const third = { tenantId: BANK, systemId: "sys_bank_third" };
  await store.write((writer) => insertSystem(writer, { ...third, name: "Third", sourceTimezone: null }, at(3)));
  await store.write((writer) =>
    writer.run("UPDATE streams SET system_id = $1 WHERE stream_id = $2", third.systemId, OTHER_STREAM),
  );
  await append(context, third, OTHER_STREAM, 1);
  await exports.create({ ...OWN, id: third.systemId }, { streams: [OTHER_STREAM] }, "");
});

test("a list of exports comes in pages, each with the way to the next", async (t) => {
  const { reading, ask } = await exportsUnderTest(t);
  const ids = [await ask(), await ask({ streams: [OTHER_STREAM] }), await ask()].sort();
  const page = async (limit: number, after: string | null, principal = OWN) => {
    const { items, next_cursor } = await reading.list(principal, null, { limit, after });
    return [...items.map(({ export_id }) => export_id), Buffer.from(next_cursor ?? "", "base64url").toString("latin1")];
  };
  assert.deepEqual(await page(2, null), [...ids.slice(0, 2), ids[1]]);
  assert.deepEqual(await page(3, null), [...ids, ""]);
  assert.deepEqual(await page(2, ids[1] ?? null), [...ids.slice(2), ""]);
  assert.deepEqual(await page(2, null, principalOf(CARDS)), [""]);
  const limits = { actions: null, streams: [OTHER_STREAM] };
  assert.deepEqual((await page(3, null, { ...OWN, limits })).length, 2);
  const { items } = await reading.list(OWN, "ready", { limit: 3, after: null });
  assert.deepEqual(items, []);
});
