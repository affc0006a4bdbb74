/**
 * Tickets and downloads: once, for a short time, of one export; interrupted and continued; each access recorded before
 * a byte leaves.
 */

import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readlinkSync, truncateSync } from "node:fs";
import { get } from "node:http";
import { join } from "node:path";
import { test } from "node:test";
import { MAX_DOWNLOAD_RESUMPTIONS, MAX_EXPORT_DAYS, MAX_TICKET_SECONDS } from "@svc/api/limits";
import { Channel } from "@svc/host/channel";
import { PartsHere } from "@svc/host/parts";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { until } from "@svc/testkit/until";
import type { Context } from "../../src/context.ts";
import { Downloads } from "../../src/exports/download.ts";
import { PackageFiles } from "../../src/exports/package-files.ts";
import { recorded } from "../../src/streams/recorded.ts";
import { download, follow, packagesIn, prepared, readyExport, settledExport } from "./export-client.ts";
import { watched } from "./watched-database.ts";

/** Resolves to a server with a ready export, and a clock that a test can move. */
async function start(t: Parameters<typeof startServer>[0]) {
  let ahead = 0;
  const here = await startServer(t, {}, () => Date.now() + ahead);
  const { client, made } = here;
  await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  await client.witnessed(made.stream_id, 3);
  const ready = await readyExport(client, { streams: [made.stream_id] });
  const folder = join(made.data_folder, "exports");
  const move = (milliseconds: number) => {
    ahead += milliseconds;
  };
  /** Resolves to the lifecycle events about the export, oldest first. */
  const lifecycle = async (exportId = ready.export_id) => {
    const { body } = await client.get("/v2/streams?class=lifecycle");
    const { stream_id } = body.items[0];
    const { body: page } = await client.get(`/v2/streams/${stream_id}/events?source_ref=${exportId}`);
    const records = [];
    for (const { stream_event_id } of page.items)
      records.push((await client.get(`/v2/receipts/${stream_event_id}`)).body);
    return records;
  };
  /** Resolves to the entries of the audit log about continued downloads. */
  const resumptions = async () => {
    const { database } = here.server.service.context;
    const sql =
      "SELECT actor_id, object_id, detail FROM access_log WHERE action = 'export.download_resumed' ORDER BY access_id";
    const rows = await database.read((reader) => reader.all<Record<string, string>>(sql));
    return rows.map(({ actor_id, object_id, detail = "" }) => ({ actor_id, object_id, ...JSON.parse(detail) }));
  };
  return { ...here, ready, folder, move, lifecycle, resumptions };
}

test("a browser that prefetches is refused, uses no ticket, and is no access", async (t) => {
  const { client, ready, lifecycle } = await start(t);
  const { path } = await prepared(client, ready.export_id);
  const before = await lifecycle();
  for (const headers of [
    { "Sec-Purpose": "prefetch" },
    { "sec-purpose": "Prefetch;prerender" },
    { "Sec-Purpose": "prefetch;anonymous-client-ip" },
    { Purpose: "prefetch" },
  ] as Record<string, string>[]) {
    const refused = await follow(client, path, headers);
    assert.deepEqual(
      [refused.status, refused.code, refused.headers.get("cache-control"), refused.headers.get("svc-access-id")],
      [403, "prefetch_refused", "no-store", null],
      JSON.stringify(headers),
    );
  }
  assert.deepEqual(await lifecycle(), before);
  assert.equal((await follow(client, path, { Purpose: "prefetching" })).status, 200);
  assert.equal((await lifecycle()).length, before.length + 1);
});

test("a download: name, type, length, ETag, and its access with a receipt", async (t) => {
  const { client, made, ready, lifecycle } = await start(t);
  const { path, access_id, ticket, challenge, ...said } = await prepared(client, ready.export_id);
  assert.match(access_id, /^tpa_[0-7][0-9a-z]{25}$/);
  assert.match(ticket, /^[\w-]{43}$/);
  assert.match(challenge, /^[0-9a-f]{64}$/);
  const { sha256, size_bytes, file_name } = ready.package;
  assert.deepEqual(said, { expires_at: said.expires_at, file_name, size_bytes, sha256 });
  const { status, headers, bytes } = await follow(client, path, { "user-agent": "curl/8" });
  assert.equal(status, 200);
  assert.deepEqual(
    [
      "content-type",
      "content-length",
      "content-disposition",
      "etag",
      "accept-ranges",
      "svc-access-id",
      "svc-challenge",
      "cache-control",
    ].map((name) => headers.get(name)),
    [
      "application/zip",
      `${size_bytes}`,
      `attachment; filename="${ready.export_id}.truth.zip"`,
      headers.get("etag"),
      "bytes",
      access_id,
      challenge,
      "no-store",
    ],
  );
  assert.equal(createHash("sha256").update(bytes).digest("hex"), sha256);

  const [generated, accessed, ...others] = await lifecycle();
  assert.deepEqual(others, []);
  assert.equal(generated.event_type, "truth_package.generated");
  assert.equal(generated.stream_event_id, ready.package.generated_event_id);
  assert.deepEqual(
    [generated.payload.package_sha256, generated.payload.manifest_sha256, generated.payload.size_bytes],
    [sha256, ready.package.manifest_sha256, size_bytes],
  );
  assert.equal(accessed.event_type, "truth_package.accessed");
  assert.deepEqual(accessed.payload.actor, { kind: "system", id: made.system_id });
  assert.deepEqual(
    [accessed.payload.access_id, accessed.payload.package_sha256, accessed.payload.method],
    [access_id, sha256, "download"],
  );
  assert.match(accessed.payload.network.address_hash, /^[0-9a-f]{64}$/);
  const guesses = ["127.0.0.1", "::ffff:127.0.0.1", "::1"].map((text) =>
    createHash("sha256").update(text).digest("hex"),
  );
  assert.ok(!guesses.includes(accessed.payload.network.address_hash));
  assert.ok(!JSON.stringify(accessed).includes("curl") && !JSON.stringify(accessed).includes(ticket));
  assertVerified(JSON.stringify(accessed), made.public_key_hex, "receipt");
});

test(
  "a ticket is good once (ticket_used), for a short time (MAX_TICKET_SECONDS, ticket_expired), and for its export " +
    "(ticket_invalid)",
  async (t) => {
    const { client, made, ready, move, lifecycle } = await start(t);
    const { path } = await prepared(client, ready.export_id);
    assert.equal((await follow(client, path)).status, 200);
    assert.deepEqual(await refusalOf(path), [410, "ticket_used"]);
    const other = await readyExport(client, { streams: [made.stream_id], to_seq_no: 2 });
    const fresh = await prepared(client, ready.export_id);
    assert.deepEqual(await refusalOf(fresh.path.replace(ready.export_id, other.export_id)), [403, "ticket_invalid"]);
    assert.deepEqual(await refusalOf(fresh.path.replace(fresh.ticket, "x".repeat(43))), [403, "ticket_invalid"]);
    assert.deepEqual(await refusalOf(fresh.path.replace(/\?.*/, "")), [422, "invalid_request"]);
    move((MAX_TICKET_SECONDS - 60) * 1000);
    assert.equal((await follow(client, fresh.path)).status, 200);
    const late = await prepared(client, ready.export_id);
    move(MAX_TICKET_SECONDS * 1000);
    assert.deepEqual(await refusalOf(late.path), [410, "ticket_expired"]);
    assert.equal((await lifecycle()).length, 1 + 2, "what was refused is no access");

    async function refusalOf(path: string) {
      const { status, code } = await follow(client, path);
      return [status, code];
    }
  },
);

test("a key opens no download, and HEAD uses no ticket up", async (t) => {
  const { client, ready } = await start(t);
  const { path } = await prepared(client, ready.export_id);
  const head = await fetch(client.url + path, { method: "HEAD" });
  assert.deepEqual([head.status, head.headers.get("allow")], [405, "GET"]);
  const keyed = await client.get(`/v1/exports/${ready.export_id}/download?ticket=none`);
  assert.deepEqual([keyed.status, keyed.body.detail.code], [403, "ticket_invalid"]);
  assert.equal((await follow(client, path)).status, 200);
});

test("two requests with one ticket at the same moment: one access", async (t) => {
  const { client, ready, lifecycle } = await start(t);
  const { path } = await prepared(client, ready.export_id);
  const answers = await Promise.all(Array.from({ length: 8 }, () => follow(client, path)));
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, ...Array(7).fill(410)]);
  assert.equal((await lifecycle()).length, 2);
});

test("Range: the parts make the whole, one access; what goes on needs the ETag of its first answer, and is noted", async (t) => {
  const { client, made, ready, lifecycle, resumptions } = await start(t);
  const { sha256, size_bytes: size } = ready.package;
  const { path, access_id } = await prepared(client, ready.export_id);
  const range = (bytes: string, more: Record<string, string> = {}) => ({ range: `bytes=${bytes}`, ...more });
  const unsatisfiable = await follow(client, path, range(`${size}-`));
  assert.deepEqual(
    [unsatisfiable.status, unsatisfiable.code, unsatisfiable.headers.get("content-range")],
    [416, "range_not_satisfiable", `bytes */${size}`],
  );
  const first = await follow(client, path, range("0-99"));
  assert.deepEqual([first.status, first.headers.get("content-range")], [206, `bytes 0-99/${size}`]);
  const etag = first.headers.get("etag") ?? "";
  assert.match(etag, new RegExp(`^"${sha256}\\.[0-9a-f]{64}"$`));
  const other = await prepared(client, ready.export_id);
  const etagOfOther = (await follow(client, other.path)).headers.get("etag") ?? "";
  for (const headers of [
    {},
    range("100-"),
    // Everything that is known of the package without that answer, and the answer to another ticket.
    range("0-", { "if-range": `"${sha256}"` }),
    range("0-", { "if-range": etagOfOther }),
    range("100-", { "if-range": '"other"' }),
    { "if-range": etag },
    range("x", { "if-range": etag }),
  ])
    assert.equal((await follow(client, path, headers)).code, "ticket_used", JSON.stringify(headers));
  assert.deepEqual(await resumptions(), []);
  const goOn = (bytes: string) => follow(client, path, range(bytes, { "if-range": etag }));
  const [second, third] = [await goOn("100-199"), await goOn("200-")];
  assert.deepEqual([second.status, third.status, third.headers.get("svc-access-id")], [206, 206, access_id]);
  const whole = Buffer.concat([first.bytes, second.bytes, third.bytes]);
  assert.equal(createHash("sha256").update(whole).digest("hex"), sha256);
  assert.deepEqual((await goOn("-7")).bytes, whole.subarray(-7));
  assert.equal((await goOn(`${size}-`)).status, 416);
  assert.equal((await lifecycle()).length, 3);
  const noted = await resumptions();
  assert.deepEqual(
    noted.map(({ from_byte, to_byte }) => [from_byte, to_byte]),
    [
      [100, 199],
      [200, size - 1],
      [size - 7, size - 1],
    ],
  );
  const [, accessed] = await lifecycle();
  assert.deepEqual(noted[0], {
    actor_id: made.system_id,
    object_id: access_id,
    export_id: ready.export_id,
    from_byte: 100,
    to_byte: 199,
    address_hash: accessed.payload.network.address_hash,
  });

  // A new ticket continues a download too; another file's ETag gets the whole.
  for (const known of [etag, `"${sha256}"`]) {
    const next = await prepared(client, ready.export_id);
    const rest = await follow(client, next.path, range("150-", { "if-range": known }));
    assert.deepEqual([rest.status, rest.bytes], [206, whole.subarray(150)]);
  }
  for (const unknown of ['"other"', `"${"0".repeat(64)}.${"0".repeat(64)}"`, `W/${etag}`]) {
    const another = await prepared(client, ready.export_id);
    const all = await follow(client, another.path, range("150-", { "if-range": unknown }));
    assert.deepEqual([all.status, all.bytes], [200, whole]);
  }
  assert.equal((await lifecycle()).length, 8);
});

test("a download goes on so often and no more (MAX_DOWNLOAD_RESUMPTIONS)", async (t) => {
  const { client, ready, resumptions } = await start(t);
  const { path } = await prepared(client, ready.export_id);
  const etag = (await follow(client, path, { range: "bytes=0-9" })).headers.get("etag") ?? "";
  const goOn = () => follow(client, path, { range: "bytes=10-19", "if-range": etag });
  const answers = await Promise.all(Array.from({ length: MAX_DOWNLOAD_RESUMPTIONS + 4 }, goOn));
  const refused = answers.filter(({ status }) => status !== 206);
  assert.deepEqual(
    refused.map(({ status, code }) => [status, code]),
    Array(4).fill([410, "ticket_used"]),
  );
  assert.equal((await resumptions()).length, MAX_DOWNLOAD_RESUMPTIONS);
});

test("a package that is deleted after its ticket was looked at, and before the access is recorded, does not leave", async (t) => {
  const { client, ready, folder, server, lifecycle, resumptions } = await start(t);
  const { context } = server.service;
  const requestOf = (ticket: string, more: object = {}) => ({
    exportId: ready.export_id,
    ticket,
    range: null,
    ifRange: null,
    address: "127.0.0.1",
    userAgent: null,
    ...more,
  });
  const { ticket: fresh } = await prepared(client, ready.export_id);
  const { ticket: begun, path } = await prepared(client, ready.export_id);
  const ifRange = (await follow(client, path, { range: "bytes=0-9" })).headers.get("etag");
  // The file still exists: the state that the transaction reads stops the answer.
  await Promise.all(server.service.jobs.map((job) => job.stop()));
  const channel = new Channel();
  channel.subscribe(recorded, () => assert.fail("an access was recorded"));
  let isDeleted = false;
  const deleting = watched(context.database, "write", async () => {
    if (isDeleted) return;
    isDeleted = true;
    assert.equal((await client.send("DELETE", `/v1/exports/${ready.export_id}`, undefined, {})).status, 200);
  });
  for (const request of [requestOf(fresh), requestOf(begun, { range: "bytes=10-", ifRange })]) {
    isDeleted = false;
    await context.database.write((writer) => writer.run("UPDATE exports SET state = 'ready', deleted_at = NULL"));
    const parts = new PartsHere((): Context => ({ ...context, channel, database: deleting }));
    const downloads = new Downloads({ ...context, parts }, new PackageFiles(folder));
    await assert.rejects(downloads.open(request), { code: "export_deleted" });
    assert.deepEqual([isDeleted, packagesIn(folder).length], [true, 1]);
  }
  assert.deepEqual([(await lifecycle()).length, await resumptions()], [2, []]);
});

test("a package that is deleted: its file goes, tickets and downloads end, its hashes stay", async (t) => {
  const { client, ready, folder } = await start(t);
  const { path } = await prepared(client, ready.export_id);
  const { status, body } = await client.send("DELETE", `/v1/exports/${ready.export_id}`, undefined, {});
  assert.deepEqual(
    [status, body.state, body.deletion.because, body.package],
    [200, "deleted", "requested", ready.package],
  );
  await until("the file is gone", async () => (packagesIn(folder).length === 0 ? true : null));
  const { status: refused, code } = await follow(client, path);
  assert.deepEqual([refused, code], [410, "export_deleted"]);
  const again = await client.send("DELETE", `/v1/exports/${ready.export_id}`, undefined, {});
  assert.deepEqual([again.status, again.body], [200, body]);
  const prepare = await client.post(`/v1/exports/${ready.export_id}/download/prepare`, "");
  assert.deepEqual(
    [prepare.status, prepare.body.detail],
    [410, { ...prepare.body.detail, code: "export_deleted", deleted_because: "requested" }],
  );
});

test("a package is kept for MAX_EXPORT_DAYS", async (t) => {
  const { client, ready, folder, move } = await start(t);
  assert.equal(Date.parse(ready.expires_at) - Date.parse(ready.ready_at), MAX_EXPORT_DAYS * 86_400_000);
  move(MAX_EXPORT_DAYS * 86_400_000);
  const { deletion } = await settledExport(client, ready.export_id, "deleted");
  assert.equal(deletion.because, "expired");
  await until("the file is gone", async () => (packagesIn(folder).length === 0 ? true : null));
});

test("a file that is not the one that was built is not handed out, and is no access", async (t) => {
  const { client, ready, folder, lifecycle } = await start(t);
  const [name = ""] = packagesIn(folder);
  truncateSync(join(folder, name), ready.package.size_bytes - 1);
  const { path } = await prepared(client, ready.export_id);
  assert.equal((await follow(client, path)).code, "export_deleted");
  assert.equal((await settledExport(client, ready.export_id, "deleted")).deletion.because, "lost");
  assert.equal((await lifecycle()).length, 1);
});

test("a client that goes away in the middle leaves no file open", async (t) => {
  const { client, made, folder } = await start(t);
  const events = Array.from({ length: 400 }, (_, index) => loan(index + 4, { payload: { text: "x".repeat(20_000) } }));
  await client.appendBatch(made.stream_id, events.slice(0, 200));
  await client.appendBatch(made.stream_id, events.slice(200));
  await client.witnessed(made.stream_id, 403);
  const ready = await readyExport(client, { streams: [made.stream_id] });
  const { path } = await prepared(client, ready.export_id);
  await new Promise<void>((resolve, reject) => {
    const request = get(client.url + path, (response) => {
      response.once("data", () => response.destroy());
      response.once("close", resolve);
    });
    request.on("error", reject);
  });
  const isOpen = () =>
    readdirSync("/proc/self/fd").some((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
      } catch {
        return false;
      }
    });
  await until("no file is open", async () => (isOpen() ? null : true));
  assert.ok(existsSync(folder));
  const { bytes } = await download(client, ready);
  assert.equal(bytes.length, ready.package.size_bytes);
});
