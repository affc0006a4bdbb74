/**
 * The stores of exports, of lists of them, and of accesses: the owner of each row, each boundary, and the rows that a
 * change leaves alone.
 */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { MAX_EXAMINED_ROWS } from "@svc/api/limits";
import type { PackageRange } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import {
  anyTicketBefore,
  findAccess,
  findTicket,
  findVerification,
  insertTicket,
  insertVerification,
  removeTicketsBefore,
  useTicket,
  type Verification,
  verifiersOf,
} from "../../src/exports/accesses-store.ts";
import {
  beginBuild,
  type ChosenBundle,
  chosenBundle,
  type ExportRow,
  type ExportState,
  expiredExports,
  exportsAtWork,
  exportsWithFiles,
  exportsWithPayload,
  findExport,
  insertExport,
  keepChoice,
  markDeleted,
  markExportFailed,
  markFileRemoved,
  markReady,
  rangesOf,
  readyExports,
  storedExports,
  waitingExports,
} from "../../src/exports/exports-store.ts";
import { type ExportsAsked, exportsOfActor } from "../../src/exports/list-store.ts";
import {
  at,
  BANK,
  CARDS,
  CLAIMS,
  eventOf,
  hashNo,
  INSURER,
  LOANS,
  plain,
  principalOf,
  record,
  type Store,
  storeWithStreams,
} from "../store-under-test.ts";

const [OF_LOANS, OF_CARDS, OF_CLAIMS] = [principalOf(LOANS), principalOf(CARDS), principalOf(CLAIMS)];
const BUILT = { packageSha256: "p", manifestSha256: "m", sizeBytes: 7, challenge: hashNo(8), proofSha256: hashNo(9) };
const EVENT = eventOf("str_bank_3", 1);

/** Resolves to the store with one event that may record something. */
async function stored(t: TestContext): Promise<Store> {
  const store = await storeWithStreams(t);
  await record(store, BANK, [EVENT]);
  return store;
}

interface Made {
  readonly payloads?: ExportRow["payloads"];
  readonly ranges?: readonly PackageRange[];
  readonly state?: ExportState;
  /** The time at which a ready package expires. */
  readonly expires?: number;
}

const rangeOf = (stream_id: string, from_seq_no: number, to_seq_no: number) => ({ stream_id, from_seq_no, to_seq_no });

/** Makes an export and brings it into a state, as the builder does. */
async function make(
  { write }: Store,
  actor: Principal,
  export_id: string,
  { payloads = "included", ranges = [rangeOf("str_bank_1", 1, 2)], state = "queued", expires = 100 }: Made = {},
): Promise<void> {
  await write(async (writer) => {
    await insertExport(writer, actor, { export_id, payloads, created_at: at(1) }, ranges);
    if (state === "failed") await markExportFailed(writer, export_id, "internal_error", at(3));
    if (state === "deleted") await markDeleted(writer, export_id, "requested", at(4));
    if (state !== "building" && state !== "ready") return;
    const build = await beginBuild(writer, export_id, at(2));
    assert.ok(build !== null);
    const ready = { readyAt: at(3), expiresAt: at(expires), eventId: EVENT.stream_event_id };
    if (state === "ready") await markReady(writer, build, BUILT, ready);
  });
}

const STATES = ["queued", "building", "ready", "failed", "deleted"] as const;

/** Makes an export in each state, for each of three systems; the ids say the owner and the state. */
async function oneOfEach(store: Store): Promise<void> {
  for (const [name, actor] of [
    ["cards", OF_CARDS],
    ["claims", OF_CLAIMS],
    ["loans", OF_LOANS],
  ] as const)
    for (const state of STATES) await make(store, actor, `exp_${name}_${state}`, { state });
}

const idsOf = (rows: readonly { readonly export_id: string }[]) => rows.map(({ export_id }) => export_id);

async function allStates({ read }: Store): Promise<Record<string, string>> {
  const sql = "SELECT export_id, state FROM exports ORDER BY export_id";
  const rows = await read((reader) => reader.all<Pick<ExportRow, "export_id" | "state">>(sql));
  return Object.fromEntries(rows.map(({ export_id, state }) => [export_id, state]));
}

test("an export is found by its own tenant alone, as it was asked for", async (t) => {
  const store = await stored(t);
  await make(store, OF_LOANS, "exp_1", { payloads: "redacted" });
  await make(store, OF_CLAIMS, "exp_2");
  const find = (tenantId: string, id: string) => store.read((reader) => findExport(reader, tenantId, id));
  assert.deepEqual(
    [await find(INSURER, "exp_1"), await find(BANK, "exp_2"), await find(BANK, "exp_3")],
    [null, null, null],
  );
  assert.equal((await find(INSURER, "exp_2"))?.export_id, "exp_2");
  const nulls = {
    packaged_at: null,
    package_sha256: null,
    manifest_sha256: null,
    size_bytes: null,
    challenge: null,
    proof_sha256: null,
    generated_event_id: null,
    ready_at: null,
    expires_at: null,
    failed_at: null,
    failure_code: null,
    deleted_at: null,
    deleted_because: null,
    file_removed_at: null,
  };
  const asked = {
    export_id: "exp_1",
    payloads: "redacted",
    created_at: at(1),
    state: "queued",
    build_no: 0,
    attempts: 0,
  };
  const expected = { ...asked, tenant_id: BANK, actor_kind: "system", actor_id: LOANS.systemId, ...nulls };
  assert.deepEqual({ ...(await find(BANK, "exp_1")) }, expected);
});

test("the ranges of an export are its own, ascending by stream", async (t) => {
  const store = await stored(t);
  const ranges = [rangeOf("str_bank_4", 1, 3), rangeOf("str_bank_1", 2, 5)];
  await make(store, OF_LOANS, "exp_1", { ranges });
  await make(store, OF_LOANS, "exp_2", { ranges: [rangeOf("str_bank_1", 1, 1)] });
  const found = (id: string) => store.read((reader) => rangesOf(reader, id));
  assert.deepEqual(plain(await found("exp_1")), [ranges[1], ranges[0]]);
  assert.deepEqual(plain(await found("exp_2")), [rangeOf("str_bank_1", 1, 1)]);
  assert.deepEqual(await found("exp_3"), []);
});

test("the exports that are kept are those that wait, are built or are ready: of a tenant, and of one of its actors", async (t) => {
  const store = await stored(t);
  const kept = (principal: Principal) => store.read((reader) => storedExports(reader, principal));
  assert.deepEqual(await kept(OF_LOANS), { ofTenant: 0, ofActor: 0 });
  await oneOfEach(store);
  await make(store, OF_CARDS, "exp_cards_more");
  assert.deepEqual(await kept(OF_LOANS), { ofTenant: 7, ofActor: 3 });
  assert.deepEqual(await kept(OF_CARDS), { ofTenant: 7, ofActor: 4 });
  assert.deepEqual(await kept(OF_CLAIMS), { ofTenant: 3, ofActor: 3 });
  assert.deepEqual(await kept({ ...OF_CLAIMS, id: "sys_none" }), { ofTenant: 3, ofActor: 0 });
});

test("the exports of all tenants are found by their states, in order", async (t) => {
  const store = await stored(t);
  const count = () => store.read(waitingExports);
  assert.equal(await count(), 0);
  await oneOfEach(store);
  const found = await store.read(async (reader) => ({
    atWork: idsOf(await exportsAtWork(reader)),
    ready: idsOf(await readyExports(reader)),
    withFiles: idsOf(await exportsWithFiles(reader, 10)),
    withFilesAtMost: idsOf(await exportsWithFiles(reader, 2)),
  }));
  const each = (...states: string[]) =>
    ["cards", "claims", "loans"].flatMap((name) => states.map((state) => `exp_${name}_${state}`));
  assert.deepEqual(found, {
    atWork: each("building", "queued"),
    ready: each("ready"),
    withFiles: each("deleted"),
    withFilesAtMost: each("deleted").slice(0, 2),
  });
  assert.equal(await count(), 6);
});

test("a file that was taken away is noted of one export", async (t) => {
  const store = await stored(t);
  for (const id of ["exp_1", "exp_2", "exp_3"]) await make(store, OF_LOANS, id, { state: "deleted" });
  await make(store, OF_LOANS, "exp_4");
  await store.write((writer) => markFileRemoved(writer, "exp_2", at(9)));
  const left = await store.read((reader) => exportsWithFiles(reader, 10));
  assert.deepEqual(idsOf(left), ["exp_1", "exp_3"]);
  assert.equal((await store.read((reader) => findExport(reader, BANK, "exp_2")))?.file_removed_at, at(9));
});

test("a package has expired at its time and not before, the first to end first", async (t) => {
  const store = await stored(t);
  for (const [id, expires] of [
    ["exp_1", 12],
    ["exp_2", 10],
    ["exp_3", 11],
    ["exp_4", 13],
  ] as const)
    await make(store, id === "exp_3" ? OF_CLAIMS : OF_LOANS, id, { state: "ready", expires });
  await make(store, OF_LOANS, "exp_5", { state: "ready", expires: 9 });
  await store.write((writer) => markDeleted(writer, "exp_5", "expired", at(9)));
  const expired = async (time: string, most = 10) =>
    idsOf(await store.read((reader) => expiredExports(reader, time, most)));
  assert.deepEqual(await expired(at(9.999)), []);
  assert.deepEqual(await expired(at(10)), ["exp_2"]);
  assert.deepEqual(await expired(at(12)), ["exp_2", "exp_3", "exp_1"]);
  assert.deepEqual(await expired(at(12), 2), ["exp_2", "exp_3"]);
});

test("a payload is in the exports that hold its event, both ends included, are whole, and are being built or ready", async (t) => {
  const store = await stored(t);
  const ranges = [rangeOf("str_bank_1", 3, 5)];
  for (const state of STATES) await make(store, OF_LOANS, `exp_${state}`, { state, ranges });
  await make(store, OF_LOANS, "exp_redacted", { state: "ready", ranges, payloads: "redacted" });
  await make(store, OF_LOANS, "exp_other", { state: "ready", ranges: [rangeOf("str_bank_4", 3, 5)] });
  await make(store, OF_CLAIMS, "exp_claims", { state: "ready", ranges: [rangeOf("str_insurer_1", 3, 5)] });
  const holding = async (tenantId: string, streamId: string, seqNo: number) =>
    idsOf(await store.read((reader) => exportsWithPayload(reader, tenantId, streamId, seqNo))).sort();
  for (const [seqNo, found] of [
    [2, []],
    [3, ["exp_building", "exp_ready"]],
    [4, ["exp_building", "exp_ready"]],
    [5, ["exp_building", "exp_ready"]],
    [6, []],
  ] as const)
    assert.deepEqual(await holding(BANK, "str_bank_1", seqNo), found, String(seqNo));
  assert.deepEqual(await holding(BANK, "str_bank_4", 3), ["exp_other"]);
  assert.deepEqual(await holding(INSURER, "str_insurer_1", 3), ["exp_claims"]);
  assert.deepEqual(await holding(INSURER, "str_bank_1", 3), []);
  assert.deepEqual(await holding(BANK, "str_bank_2", 3), []);
});

const CHOSEN: ChosenBundle = { bundle_id: "bnd_1", window_count: 2, statements: [] };

/** Resolves to the choice for each range of two exports, by their streams. */
async function choices({ read }: Store): Promise<readonly (ChosenBundle | null)[]> {
  return read(async (reader) => [
    await chosenBundle(reader, "exp_1", "str_bank_1"),
    await chosenBundle(reader, "exp_1", "str_bank_4"),
    await chosenBundle(reader, "exp_2", "str_bank_1"),
  ]);
}

async function withChoices(t: TestContext, state: ExportState = "queued"): Promise<Store> {
  const store = await stored(t);
  await make(store, OF_LOANS, "exp_1", { state, ranges: [rangeOf("str_bank_1", 1, 2), rangeOf("str_bank_4", 1, 1)] });
  await make(store, OF_LOANS, "exp_2", { state: "queued" });
  await store.write(async (writer) => {
    await keepChoice(writer, "exp_1", "str_bank_1", CHOSEN);
    await keepChoice(writer, "exp_2", "str_bank_1", { ...CHOSEN, bundle_id: "bnd_2" });
  });
  return store;
}

test("what was chosen is kept for one stream of one export", async (t) => {
  const store = await withChoices(t);
  assert.deepEqual(await choices(store), [CHOSEN, null, { ...CHOSEN, bundle_id: "bnd_2" }]);
  assert.equal(await store.read((reader) => chosenBundle(reader, "exp_3", "str_bank_1")), null);
});

test("what was chosen is forgotten with the end of its export alone", async (t) => {
  const left = [null, null, { ...CHOSEN, bundle_id: "bnd_2" }];
  const failed = await withChoices(t);
  assert.equal(await failed.write((writer) => markExportFailed(writer, "exp_1", "store_full", at(5))), true);
  assert.deepEqual(await choices(failed), left);
  const deleted = await withChoices(t);
  assert.equal(await deleted.write((writer) => markDeleted(writer, "exp_1", "lost", at(5))), true);
  assert.deepEqual(await choices(deleted), left);
  const ready = await withChoices(t);
  await ready.write(async (writer) => {
    const build = await beginBuild(writer, "exp_1", at(2));
    assert.ok(build !== null);
    const end = { readyAt: at(3), expiresAt: at(9), eventId: EVENT.stream_event_id };
    await markReady(writer, build, BUILT, end);
  });
  assert.deepEqual(await choices(ready), left);
  const refused = await withChoices(t, "ready");
  assert.equal(await refused.write((writer) => markExportFailed(writer, "exp_1", "store_full", at(5))), false);
  assert.deepEqual((await choices(refused))[0], CHOSEN, "it did not fail");
});

test("an export that ends or begins says what became of it, and the others stay", async (t) => {
  const store = await stored(t);
  for (const id of ["exp_1", "exp_2", "exp_3"]) await make(store, OF_LOANS, id);
  await store.write((writer) => beginBuild(writer, "exp_2", at(2)));
  await store.write((writer) => markExportFailed(writer, "exp_2", "export_too_large", at(5)));
  assert.deepEqual(await allStates(store), { exp_1: "queued", exp_2: "failed", exp_3: "queued" });
  const found = async () => {
    const row = await store.read((reader) => findExport(reader, BANK, "exp_2"));
    return [row?.failed_at, row?.failure_code, row?.deleted_at, row?.deleted_because, row?.build_no, row?.attempts];
  };
  assert.deepEqual(await found(), [at(5), "export_too_large", null, null, 1, 1]);
  await store.write((writer) => markDeleted(writer, "exp_2", "requested", at(6)));
  assert.deepEqual(await allStates(store), { exp_1: "queued", exp_2: "deleted", exp_3: "queued" });
  assert.deepEqual(await found(), [null, null, at(6), "requested", 1, 1]);
  const again = await store.write((writer) => markDeleted(writer, "exp_2", "lost", at(7)));
  assert.deepEqual([again, await found()], [false, [null, null, at(6), "requested", 1, 1]]);
});

test("a ready export has all of its package, and its attempts are over", async (t) => {
  const store = await stored(t);
  await make(store, OF_LOANS, "exp_1", { state: "ready", expires: 50 });
  const row = await store.read((reader) => findExport(reader, BANK, "exp_1"));
  assert.deepEqual(
    { ...row },
    {
      ...row,
      state: "ready",
      build_no: 1,
      attempts: 0,
      packaged_at: at(2),
      package_sha256: "p",
      manifest_sha256: "m",
      size_bytes: 7,
      challenge: hashNo(8),
      proof_sha256: hashNo(9),
      ready_at: at(3),
      expires_at: at(50),
      generated_event_id: EVENT.stream_event_id,
    },
  );
});

test("a list of exports has those of one actor, narrowed by state and by streams, in parts", async (t) => {
  const store = await stored(t);
  await oneOfEach(store);
  await make(store, OF_LOANS, "exp_loans_two", { ranges: [rangeOf("str_bank_1", 1, 1), rangeOf("str_bank_4", 1, 1)] });
  const any: ExportsAsked = { state: null, only: null, afterId: "", most: 10 };
  const list = (principal: Principal, asked: Partial<ExportsAsked> = {}) =>
    store.read(async (reader) => {
      const { rows, end } = await exportsOfActor(reader, principal, { ...any, ...asked });
      return [...idsOf(rows), end];
    });
  const own = ["building", "deleted", "failed", "queued", "ready", "two"].map((state) => `exp_loans_${state}`);
  assert.deepEqual(await list(OF_LOANS), [...own, null]);
  assert.deepEqual(await list({ ...OF_LOANS, tenantId: INSURER }), [null]);
  assert.equal((await list(OF_CLAIMS)).length, 6);
  assert.deepEqual(await list(OF_LOANS, { most: 2 }), [...own.slice(0, 2), [own[1]]]);
  assert.deepEqual(await list(OF_LOANS, { most: 2, afterId: own[3] ?? "" }), [...own.slice(4), [own[5]]]);
  assert.deepEqual(await list(OF_LOANS, { state: "queued" }), ["exp_loans_queued", "exp_loans_two", null]);
  assert.deepEqual(await list(OF_LOANS, { only: ["str_bank_1"] }), [...own.slice(0, 5), null]);
  assert.deepEqual(await list(OF_LOANS, { only: ["str_bank_4", "str_bank_1"] }), [...own, null]);
  assert.deepEqual(await list(OF_LOANS, { only: [] }), [null]);
  assert.deepEqual(await list(OF_LOANS, { only: ["str_bank_1"], state: "queued" }), ["exp_loans_queued", null]);
});

test("a page of a list examines no more rows than it may, those of the ranges of each export counted too", async (t) => {
  const store = await stored(t);
  const count = Math.floor(MAX_EXAMINED_ROWS / 3) + 1;
  await store.write(async (writer) => {
    for (let number = 0; number < count; number++) {
      const row = {
        export_id: `exp_${String(number).padStart(5, "0")}`,
        payloads: "included",
        created_at: at(1),
      } as const;
      await insertExport(writer, OF_LOANS, row, [rangeOf("str_bank_1", 1, 1)]);
    }
  });
  const end = (only: readonly string[] | null) =>
    store.read(async (reader) => {
      const asked = { state: null, only, afterId: "", most: count };
      return (await exportsOfActor(reader, OF_LOANS, asked)).end?.[0] ?? null;
    });
  const placed = (streams: number) =>
    `exp_${String(Math.floor(MAX_EXAMINED_ROWS / (2 + streams)) - 1).padStart(5, "0")}`;
  assert.equal(await end(["str_none"]), placed(1));
  assert.equal(await end(["str_none", "str_other"]), placed(2));
  const many = Array.from({ length: 150 }, (_, index) => `str_${index}`);
  assert.equal(await end(many), placed(100), "an export has a hundred streams at most");
});

const TICKET = { export_id: "exp_1", prepared_at: at(1), expires_at: at(10) };

test("a ticket is found by its hash, and is an access to its export alone once it was used", async (t) => {
  const store = await stored(t);
  for (const id of ["exp_1", "exp_2"]) await make(store, OF_LOANS, id);
  await store.write(async (writer) => {
    for (const access_id of ["tpa_1", "tpa_2"])
      await insertTicket(writer, OF_LOANS, { ...TICKET, access_id, ticket_mac: `mac of ${access_id}` });
  });
  const find = (mac: string) => store.read((reader) => findTicket(reader, [mac]));
  const access = (exportId: string, id: string) => store.read((reader) => findAccess(reader, exportId, id));
  const use = (id: string) => store.write((writer) => useTicket(writer, id, EVENT.stream_event_id));
  assert.equal(await find("mac of tpa_3"), null);
  const unused = {
    ...TICKET,
    access_id: "tpa_2",
    ticket_mac: "mac of tpa_2",
    tenant_id: BANK,
    actor_kind: "system",
    actor_id: LOANS.systemId,
    accessed_event_id: null,
  };
  assert.deepEqual({ ...(await find("mac of tpa_2")) }, unused);
  assert.equal(await access("exp_1", "tpa_2"), null);
  assert.deepEqual([await use("tpa_2"), await use("tpa_2"), await use("tpa_3")], [true, false, false]);
  assert.deepEqual({ ...(await access("exp_1", "tpa_2")) }, { ...unused, accessed_event_id: EVENT.stream_event_id });
  assert.deepEqual([await access("exp_2", "tpa_2"), await access("exp_1", "tpa_1")], [null, null]);
  assert.equal((await find("mac of tpa_1"))?.accessed_event_id, null);
});

test("a ticket that was never used is removed behind its time, at most so many", async (t) => {
  const store = await stored(t);
  await make(store, OF_LOANS, "exp_1");
  await store.write(async (writer) => {
    for (const [access_id, seconds] of [
      ["tpa_1", 10],
      ["tpa_2", 11],
      ["tpa_3", 10],
      ["tpa_4", 10],
    ] as const) {
      const ticket = { ...TICKET, access_id, ticket_mac: `mac of ${access_id}`, expires_at: at(seconds) };
      await insertTicket(writer, OF_LOANS, ticket);
    }
    await useTicket(writer, "tpa_3", EVENT.stream_event_id);
  });
  const left = async () => {
    const sql = "SELECT access_id FROM export_accesses ORDER BY access_id";
    return (await store.read((reader) => reader.all<{ access_id: string }>(sql))).map(({ access_id }) => access_id);
  };
  const any = (time: string) => store.read((reader) => anyTicketBefore(reader, time));
  const remove = (time: string, most: number) => store.write((writer) => removeTicketsBefore(writer, time, most));
  assert.deepEqual([await any(at(10)), await any(at(10.001))], [false, true]);
  await remove(at(10), 10);
  assert.equal((await left()).length, 4);
  await remove(at(10.001), 1);
  assert.equal((await left()).length, 3);
  await remove(at(10.001), 10);
  assert.deepEqual([await left(), await any(at(11))], [["tpa_2", "tpa_3"], false]);
});

test("a verification is known by its access and both names of its verifier, and counted by its access", async (t) => {
  const store = await stored(t);
  const later = eventOf("str_bank_3", 2);
  await record(store, BANK, [later]);
  await make(store, OF_LOANS, "exp_1");
  const first: Verification = { accessId: "tpa_1", verifierKind: "cli", verifierVersion: "1" };
  const second: Verification = { accessId: "tpa_2", verifierKind: "cli", verifierVersion: "1" };
  const others: readonly Verification[] = [
    { ...first, accessId: "tpa_3" },
    { ...first, verifierKind: "page" },
    { ...first, verifierVersion: "2" },
  ];
  const find = (one: Verification) => store.read((reader) => findVerification(reader, one));
  const count = (id: string) => store.read((reader) => verifiersOf(reader, id));
  await store.write(async (writer) => {
    for (const access_id of ["tpa_1", "tpa_2"])
      await insertTicket(writer, OF_LOANS, { ...TICKET, access_id, ticket_mac: `mac of ${access_id}` });
    await insertVerification(writer, BANK, first, EVENT.stream_event_id);
    await insertVerification(writer, BANK, second, later.stream_event_id);
    await insertVerification(writer, BANK, { ...first, verifierVersion: "3" }, later.stream_event_id);
  });
  assert.deepEqual([await find(first), await find(second)], [EVENT.stream_event_id, later.stream_event_id]);
  for (const other of others) assert.equal(await find(other), null);
  assert.deepEqual([await count("tpa_1"), await count("tpa_2"), await count("tpa_3")], [2, 1, 0]);
});
