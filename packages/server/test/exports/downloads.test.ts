/**
 * Tickets and downloads without HTTP: the owner of a ticket, the record of its first use, continuations, and refusals.
 */
import assert from "node:assert/strict";
import { truncateSync } from "node:fs";
import { type TestContext, test } from "node:test";
import { MAX_DOWNLOAD_RESUMPTIONS, MAX_TICKET_SECONDS } from "@svc/api/limits";
import { findTicket } from "../../src/exports/accesses-store.ts";
import { type Download, type DownloadRequest, Downloads } from "../../src/exports/download.ts";
import { DownloadRecords } from "../../src/exports/download-records.ts";
import { insertExport, markDeleted } from "../../src/exports/exports-store.ts";
import { type OpenPackage, PackageFiles } from "../../src/exports/package-files.ts";
import { requireReady } from "../../src/exports/visible-export.ts";
import { OTHER_STREAM } from "../context-under-test.ts";
import { at, BANK, CARDS, LOANS, principalOf, serviceIn } from "../store-under-test.ts";
import { exportsUnderTest, SERVICE } from "./package-under-test.ts";

const OWN = principalOf(LOANS);
const SYSTEM = `system ${LOANS.systemId}`;

/** Package files that count the opened files that were not closed again. */
class CountedFiles extends PackageFiles {
  readonly all: OpenPackage[] = [];
  opened = 0;
  override async open(...asked: Parameters<PackageFiles["open"]>): Promise<OpenPackage | null> {
    const file = await super.open(...asked);
    if (file === null) return null;
    this.opened += 1;
    this.all.push(file);
    return {
      ...file,
      close: async () => {
        this.opened -= 1;
        await file.close();
      },
    };
  }
}

async function downloading(t: TestContext) {
  const made = await exportsUnderTest(t);
  const { context } = made;
  const files = new CountedFiles(context.folder.exportsPath);
  t.after(() => Promise.all(files.all.map((file) => file.close())));
  const downloads = new Downloads(context, files);
  const records = new DownloadRecords(context);
  const row = requireReady(await made.ready());
  const bytes = await made.bytesOf(row.export_id);
  const exportId = row.export_id;
  made.told.recorded.splice(0);
  const ticket = async () => (await records.prepare(OWN, exportId)).ticket;
  const open = (asked: Partial<DownloadRequest> & Pick<DownloadRequest, "ticket">) =>
    downloads.open({ exportId, range: null, ifRange: null, address: "192.0.2.1", userAgent: null, ...asked });
  return { ...made, files, records, row, bytes, exportId, ticket, open };
}

async function contentOf({ pieces }: Download): Promise<Buffer> {
  const all: Uint8Array[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}

test("a ticket says what it opens, is kept as a hash, and is in the access log", async (t) => {
  const { records, row, exportId, context, store, noted } = await downloading(t);
  const prepared = await records.prepare(OWN, exportId);
  const { access_id, ticket } = prepared;
  assert.match(ticket, /^[\w-]{43}$/);
  assert.match(access_id, /^tpa_[0-9a-z]{26}$/);
  assert.deepEqual(prepared, {
    access_id,
    ticket,
    path: `/v1/exports/${exportId}/download?ticket=${ticket}`,
    expires_at: at(1000 + MAX_TICKET_SECONDS),
    file_name: `${exportId}.truth.zip`,
    size_bytes: row.size_bytes,
    sha256: row.package_sha256,
    challenge: row.challenge,
  });
  const kept = await store.read((reader) => findTicket(reader, context.keyedHash.hashes("ticket", ticket)));
  assert.deepEqual([kept?.access_id, kept?.prepared_at, kept?.accessed_event_id], [access_id, at(1000), null]);
  assert.deepEqual((await noted(exportId)).slice(1), [
    ["export.download_prepared", SYSTEM, BANK, at(1000), { access_id }],
  ]);
  await assert.rejects(records.prepare(principalOf(CARDS), exportId), { code: "export_forbidden" });
});

test("a first download is the whole package, and is recorded before it begins", async (t) => {
  const { open, ticket, row, bytes, exportId, context, told, store } = await downloading(t);
  for (const userAgent of [null, "a browser"]) {
    const own = await ticket();
    const download = await open({ ticket: own, userAgent });
    const access = await store.read((reader) => findTicket(reader, context.keyedHash.hashes("ticket", own)));
    const [event] = told.recorded.splice(0);
    assert.deepEqual([event?.isWindowFull, event?.last.stream_event_id], [false, access?.accessed_event_id]);
    assert.deepEqual([event?.last.event_type, event?.last.source_ref], ["truth_package.accessed", exportId]);
    assert.deepEqual(JSON.parse(event?.last.payload ?? ""), {
      access_id: access?.access_id,
      export_id: exportId,
      package_sha256: row.package_sha256,
      manifest_sha256: row.manifest_sha256,
      accessed_at: at(1000),
      actor: { kind: "system", id: LOANS.systemId },
      method: "download",
      network: {
        address_hash: context.keyedHash.hash("address", "192.0.2.1"),
        user_agent_hash: userAgent === null ? null : context.keyedHash.hash("user-agent", userAgent),
      },
    });
    const { pieces: _pieces, ...rest } = download;
    const { keyedHash } = context;
    assert.deepEqual(rest, {
      part: null,
      sizeBytes: bytes.length,
      etag: `"${row.package_sha256}.${keyedHash.hash("etag", access?.access_id ?? "")}"`,
      fileName: `${exportId}.truth.zip`,
      accessId: access?.access_id,
      challenge: row.challenge,
      lacksQuorum: false,
    });
    assert.deepEqual(await contentOf(download), bytes);
  }
});

test("a first download is of a part where that is asked for, and of the whole where If-Range names another package", async (t) => {
  const { open, ticket, row, bytes } = await downloading(t);
  const range = "bytes=10-19";
  const { etag } = await open({ ticket: await ticket() });
  const [hash, other] = [row.package_sha256, "0".repeat(64)];
  for (const [ifRange, part] of [
    [null, { start: 10, end: 19 }],
    [`"${hash}"`, { start: 10, end: 19 }],
    [etag, { start: 10, end: 19 }],
    [`"${hash}.${other}"`, { start: 10, end: 19 }],
    [`"${other}"`, null],
    [hash, null],
    [`"${hash}" `, null],
    [`x"${hash}"`, null],
    [`"${hash}.${other}0"`, null],
    [`"${hash}."`, null],
    ["", null],
  ] as const) {
    const download = await open({ ticket: await ticket(), range, ifRange });
    assert.deepEqual(download.part, part, String(ifRange));
    assert.deepEqual(await contentOf(download), part === null ? bytes : bytes.subarray(10, 20), String(ifRange));
  }
});

test("a download goes on with its own ETag and a Range, is noted each time, and so often at most", async (t) => {
  const { open, ticket, bytes, exportId, context, noted, files, told } = await downloading(t);
  const own = await ticket();
  const { etag, accessId } = await open({ ticket: own });
  told.recorded.splice(0);
  const { etag: foreign } = await open({ ticket: await ticket() });
  told.recorded.splice(0);
  const range = "bytes=5-";
  for (const refused of [
    {},
    { range },
    { ifRange: etag },
    { range, ifRange: foreign },
    { range, ifRange: `"${etag.slice(1, 65)}"` },
    { range: "lines=1", ifRange: etag },
  ])
    await assert.rejects(open({ ticket: own, ...refused }), { code: "ticket_used" }, JSON.stringify(refused));
  assert.deepEqual(await noted(accessId), []);
  const begun = files.opened;
  for (let count = 0; count < MAX_DOWNLOAD_RESUMPTIONS; count++) {
    const download = await open({ ticket: own, range, ifRange: etag });
    assert.deepEqual([download.part?.start, download.etag, download.accessId], [5, etag, accessId]);
    if (count === 0) assert.deepEqual(await contentOf(download), bytes.subarray(5));
  }
  const entries = await noted(accessId);
  assert.equal(entries.length, MAX_DOWNLOAD_RESUMPTIONS);
  const address_hash = context.keyedHash.hash("address", "192.0.2.1");
  const detail = { export_id: exportId, from_byte: 5, to_byte: bytes.length - 1, address_hash };
  assert.deepEqual(entries[0], ["export.download_resumed", SYSTEM, BANK, at(1000), detail]);
  const opened = files.opened;
  assert.equal(opened, begun + MAX_DOWNLOAD_RESUMPTIONS);
  await assert.rejects(open({ ticket: own, range, ifRange: etag }), { code: "ticket_used" });
  assert.equal(files.opened, opened, "what is refused is closed");
  assert.deepEqual(told.recorded, []);
});

test("a Range behind the end is refused, and the ticket stays unused", async (t) => {
  const { open, ticket, bytes } = await downloading(t);
  const own = await ticket();
  await assert.rejects(open({ ticket: own, range: `bytes=${bytes.length}-` }), {
    code: "range_not_satisfiable",
    details: { size_bytes: bytes.length },
  });
  const { etag } = await open({ ticket: own });
  await assert.rejects(open({ ticket: own, range: `bytes=${bytes.length}-`, ifRange: etag }), {
    code: "range_not_satisfiable",
  });
});

test("a ticket opens its own export alone, until its time", async (t) => {
  const { open, ticket, now, ask, store } = await downloading(t);
  const own = await ticket();
  const another = await ask({ streams: [OTHER_STREAM] });
  for (const asked of [{ ticket: "none" }, { ticket: own, exportId: "exp_none" }, { ticket: own, exportId: another }])
    await assert.rejects(open(asked), { code: "ticket_invalid" });
  await store.write((writer) =>
    insertExport(writer, serviceIn(BANK), { export_id: "exp_1", payloads: "included", created_at: at(1) }, []),
  );
  await assert.rejects(open({ ticket: "none", exportId: "exp_1" }), { code: "ticket_invalid" });
  now.seconds += MAX_TICKET_SECONDS;
  await assert.rejects(open({ ticket: own }), { code: "ticket_expired" });
  now.seconds -= 0.001;
  await open({ ticket: own });
});

test("a package whose file is gone or shorter is lost, for this download and for all", async (t) => {
  for (const spoil of ["gone", "shorter"]) {
    const { open, ticket, exportId, row, files, rowOf, noted, told } = await downloading(t);
    const own = await ticket();
    if (spoil === "gone") await files.remove(exportId);
    else truncateSync(files.pathOf(row), 100);
    await assert.rejects(open({ ticket: own }), { code: "export_deleted", details: { deleted_because: "lost" } });
    const { state, deleted_because, deleted_at } = await rowOf(exportId);
    assert.deepEqual([state, deleted_because, deleted_at], ["deleted", "lost", at(1000)]);
    assert.deepEqual((await noted(exportId)).slice(2), [
      ["export.deleted", SERVICE, BANK, at(1000), { because: "lost" }],
    ]);
    assert.deepEqual([files.opened, told.recorded], [0, []]);
    await assert.rejects(open({ ticket: own }), { code: "export_deleted" });
  }
});

test("a package that is deleted between the look at its ticket and the note of it is not handed out", async (t) => {
  const { ticket, exportId, store, files, context, told } = await downloading(t);
  const downloads = new Downloads(context, files);
  const request = { exportId, range: null, ifRange: null, address: "192.0.2.1", userAgent: null };
  const [first, second] = [await ticket(), await ticket()];
  const { etag } = await downloads.open({ ...request, ticket: first });
  told.recorded.splice(0);
  const opened = files.opened;
  const { open } = files;
  files.open = async (build) => {
    const file = await open.call(files, build);
    await store.write((writer) => markDeleted(writer, exportId, "payload_erased", at(1001)));
    return file;
  };
  const refusal = { code: "export_deleted", details: { deleted_because: "payload_erased" } };
  await assert.rejects(downloads.open({ ...request, ticket: second }), refusal);
  assert.deepEqual([files.opened, told.recorded], [opened, []]);
  await store.write((writer) => writer.run("UPDATE exports SET state = 'ready' WHERE export_id = $1", exportId));
  await assert.rejects(downloads.open({ ...request, ticket: first, range: "bytes=1-", ifRange: etag }), refusal);
  assert.equal(files.opened, opened);
});

test("of two downloads that begin with one ticket at once one is refused", async (t) => {
  const { open, ticket, told, files } = await downloading(t);
  const own = await ticket();
  const outcomes = await Promise.allSettled([open({ ticket: own }), open({ ticket: own })]);
  assert.deepEqual(outcomes.map((one) => (one.status === "rejected" ? one.reason.code : "open")).sort(), [
    "open",
    "ticket_used",
  ]);
  assert.deepEqual([told.recorded.length, files.opened], [1, 1]);
});
