/**
 * Exports through the client against the real server: made, downloaded as a stream, resumed, verified, reported,
 * deleted.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type PublicKeyHex,
  pinKeys,
  possessionHasher,
  referenceKernel,
  SvcClient,
  SvcError,
  verify,
} from "../src/index.ts";
import { startServer } from "./server.ts";

const server = await startServer();
const trust = pinKeys(referenceKernel, [server.publicKeyHex as PublicKeyHex]);
const client = new SvcClient(server);

await client.stream(server.streamId).appendBatch(
  Array.from({ length: 5 }, (_, index) => ({
    source_ref: `build-${index}`,
    event_type: "build.finished",
    occurred_at: "2026-03-01T09:30:00.5+01:00",
    payload: { passed: true, number: index },
  })),
);

async function bytesOf(stream: ReadableStream<Uint8Array>): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of stream) pieces.push(piece);
  return Buffer.concat(pieces);
}

async function made() {
  const { export_id, state } = await client.exports.create({ streams: [server.streamId] });
  assert.equal(state, "queued");
  const info = await client.exports.whenReady(export_id);
  assert.ok(info.package !== null);
  return { export_id, known: info.package };
}

test("a package comes as a stream, verifies, and its verification is recorded once", async () => {
  const { export_id, known } = await made();
  const { stream, accessId, challenge, sizeBytes, fileName, sha256 } = await client.exports.download(export_id);
  const bytes = await bytesOf(stream);
  assert.deepEqual([bytes.length, fileName, sha256], [sizeBytes, known.file_name, known.sha256]);
  const report = verify(bytes, { trust });
  assert.deepEqual([report.verdict, report.kind, report.subject.id], ["verified", "truth-package", export_id]);
  const hasher = possessionHasher(referenceKernel, challenge ?? "");
  hasher.update(bytes);
  const body = {
    verifierKind: "my-verifier",
    verifierVersion: "1",
    accessId,
    proof: Buffer.from(hasher.digest()).toString("hex"),
    verificationReport: {
      ok: report.ok,
      packageSha256: Buffer.from(referenceKernel.sha256(bytes)).toString("hex"),
      manifestSha256: known.manifest_sha256,
      verifiedArtifacts: 3,
      problems: report.problems,
    },
  };
  const recorded = await client.exports.reportVerification(export_id, body);
  assert.equal(recorded.lifecycle_record.event_type, "truth_package.verified");
  assert.deepEqual(await client.exports.reportVerification(export_id, body), recorded);
  for (const wrong of [{ accessId: accessId.replace(/..$/, "00") }, { proof: sha256 }])
    await assert.rejects(
      client.exports.reportVerification(export_id, { ...body, ...wrong }),
      (error) => error instanceof SvcError && error.code === "report_mismatch",
    );
});

test("a download that broke off goes on", async () => {
  const { export_id } = await made();
  const { stream, accessId } = await client.exports.download(export_id);
  const reader = stream.getReader();
  const { value: first = new Uint8Array() } = await reader.read();
  await reader.cancel();
  const begun = first.subarray(0, 1000);
  const rest = await client.exports.download(export_id, { fromByte: begun.length });
  assert.notEqual(rest.accessId, accessId);
  const bytes = Buffer.concat([begun, await bytesOf(rest.stream)]);
  assert.equal(Buffer.from(referenceKernel.sha256(bytes)).toString("hex"), rest.sha256);
});

test("lists, and a package that is deleted", async () => {
  const { export_id, known } = await made();
  const ready = await client.exports.list({ state: "ready" });
  assert.ok(ready.items.some((one) => one.export_id === export_id));
  const deleted = await client.exports.delete(export_id);
  assert.deepEqual([deleted.state, deleted.deletion?.because, deleted.package], ["deleted", "requested", known]);
  const isDeleted = (error: unknown) => error instanceof SvcError && error.code === "export_deleted";
  await assert.rejects(client.exports.download(export_id), isDeleted);
  await assert.rejects(client.exports.whenReady(export_id), isDeleted);
  assert.equal((await client.exports.get(export_id)).state, "deleted");
});

test("waiting ends with its signal", async () => {
  await client.stream(server.streamId).append({
    source_ref: "late",
    event_type: "build.finished",
    occurred_at: "2026-03-01T09:30:00Z",
    payload: {},
  });
  const { export_id } = await client.exports.create({ streams: [server.streamId] });
  const stop = new AbortController();
  const waiting = client.exports.whenReady(export_id, stop.signal);
  stop.abort(new Error("enough"));
  await assert.rejects(waiting);
});

test("a ticket is in no message", async () => {
  const { export_id } = await made();
  let ticket = "";
  const cut: typeof fetch = async (input, init) => {
    const [, found] = /ticket=([\w-]+)/.exec(String(input)) ?? [];
    if (found === undefined) return fetch(input, init);
    ticket = found;
    assert.equal(new Headers(init?.headers).get("authorization"), null, "a download sends no key");
    throw new TypeError("the connection was cut");
  };
  const flaky = new SvcClient({ ...server, fetch: cut });
  await assert.rejects(flaky.exports.download(export_id), (error) => {
    assert.ok(error instanceof SvcError && error.code === "no_answer" && error.retryable);
    assert.ok(ticket !== "" && !error.message.includes(ticket));
    return true;
  });
});
