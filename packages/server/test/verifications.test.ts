/** Reports of verifiers: recorded only where they match, once for each verifier of an access, also when the package is gone. */
import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { download, goodReport, readyExport } from "./export-client.ts";
import { assertVerified, loan, startServer } from "./running-server.ts";

async function start(t: TestContext) {
  const here = await startServer(t);
  const { client, made } = here;
  await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  await client.witnessed(made.stream_id, 3);
  const ready = await readyExport(client, { streams: [made.stream_id] });
  const { accessId } = await download(client, ready);
  const path = `/v1/exports/${ready.export_id}/truth-package/verify`;
  const recorded = async () => {
    const [{ stream_id }] = (await client.get("/v2/streams?class=lifecycle")).body.items;
    const { body } = await client.get(`/v2/streams/${stream_id}/events?event_type=truth_package.verified`);
    return body.items.length;
  };
  return { ...here, ready, accessId, path, recorded };
}

test("a report that matches is recorded once; the same again gets the first answer, byte for byte", async (t) => {
  const { client, made, ready, accessId, path, recorded } = await start(t);
  const report = goodReport(ready, accessId);
  const first = await client.post(path, report);
  assert.equal(first.status, 201, first.text);
  const { lifecycle_record: record, ...said } = first.body;
  assert.deepEqual(said, { export_id: ready.export_id, access_id: accessId, verified_at: record.received_at });
  assert.equal(record.event_type, "truth_package.verified");
  assert.deepEqual(record.payload, {
    access_id: accessId,
    export_id: ready.export_id,
    package_sha256: ready.package.sha256,
    manifest_sha256: ready.package.manifest_sha256,
    verified_artifacts: 3,
    verifier: { kind: "test", version: "1" },
    actor: { kind: "system", id: made.system_id },
  });
  assertVerified(JSON.stringify(record), made.public_key_hex, "receipt");
  assert.equal((await client.post(path, report)).text, first.text);
  assert.equal(await recorded(), 1);
  const other = await client.post(path, { ...report, verifierVersion: "2" });
  assert.notEqual(other.body.lifecycle_record.stream_event_id, record.stream_event_id);
  const again = await download(client, ready);
  assert.equal((await client.post(path, goodReport(ready, again.accessId))).status, 201);
  assert.equal(await recorded(), 3);
});

test("the same report several times at once is recorded once", async (t) => {
  const { client, ready, accessId, path, recorded } = await start(t);
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(path, goodReport(ready, accessId))));
  assert.deepEqual([new Set(answers.map(({ text }) => text)).size, answers[0]?.status], [1, 201]);
  assert.equal(await recorded(), 1);
});

test("what differs is said, and nothing is recorded", async (t) => {
  const { client, made, ready, accessId, path, recorded } = await start(t);
  const other = await readyExport(client, { streams: [made.stream_id], to_seq_no: 2 });
  const { accessId: ofOther } = await download(client, other);
  const unused = (await client.post(`/v1/exports/${ready.export_id}/download/prepare`, "")).body.access_id;
  const problem = { code: "export_mismatch", path: "", message: "", action: "" };
  const cases: [object, string, string[]][] = [
    [goodReport(ready, ofOther), "report_mismatch", ["/accessId"]],
    [goodReport(ready, unused), "report_mismatch", ["/accessId"]],
    [goodReport(other, accessId), "report_mismatch", ["packageSha256", "manifestSha256"]],
    [goodReport(ready, accessId, { verifiedArtifacts: 2 }), "report_mismatch", ["verifiedArtifacts"]],
    [goodReport(ready, accessId, { manifestSha256: null }), "report_mismatch", ["manifestSha256"]],
    [goodReport(ready, accessId, { problems: [problem] }), "report_mismatch", ["problems"]],
    [goodReport(ready, accessId, { ok: false }), "report_not_ok", []],
    [goodReport(ready, accessId, { ok: false, verifiedArtifacts: 2 }), "report_not_ok", ["verifiedArtifacts"]],
  ];
  for (const [report, code, differs] of cases) {
    const { status, body } = await client.post(path, report);
    assert.deepEqual([status, body.detail.code], [422, code]);
    assert.deepEqual(
      body.detail.differs.map(({ path }: { path: string }) => path),
      differs.map((name) => (name.startsWith("/") ? name : `/verificationReport/${name}`)),
    );
  }
  const [, , { detail }] = [0, 0, (await client.post(path, goodReport(other, accessId))).body];
  assert.deepEqual(detail.differs[0], {
    path: "/verificationReport/packageSha256",
    expected: ready.package.sha256,
    actual: other.package.sha256,
  });
  for (const accessId of [null, "tpa_x"])
    assert.equal((await client.post(path, { ...goodReport(ready, ""), accessId })).body.detail.code, "invalid_request");
  assert.equal(await recorded(), 0);
});

test("a report still counts when the package is deleted; one on a package that never was is refused", async (t) => {
  const { client, made, ready, accessId, path } = await start(t);
  await client.send("DELETE", `/v1/exports/${ready.export_id}`, undefined, {});
  assert.equal((await client.post(path, goodReport(ready, accessId))).status, 201);
  await client.append(made.stream_id, loan(4));
  const { body } = await client.post("/v1/exports", { streams: [made.stream_id] });
  const refusal = async () =>
    (await client.post(`/v1/exports/${body.export_id}/truth-package/verify`, goodReport(ready, accessId))).body.detail
      .code;
  assert.equal(await refusal(), "export_not_ready");
  await client.send("DELETE", `/v1/exports/${body.export_id}`, undefined, {});
  assert.equal(await refusal(), "export_deleted");
});
