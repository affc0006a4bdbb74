/**
 * Reports of verifiers: recorded only for holders of the package, once for each verifier of an access, also when the
 * package is gone.
 */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { type TestContext, test } from "node:test";
import { MAX_VERIFIERS_PER_ACCESS } from "@svc/api/limits";
import { loan } from "@svc/testkit/server/loan";
import { startServer } from "@svc/testkit/server/running-server";
import { assertVerified } from "@svc/testkit/server/verified";
import { download, follow, goodReport, prepared, proofOf, readyExport } from "./export-client.ts";

async function start(t: TestContext) {
  const here = await startServer(t);
  const { client, made } = here;
  await client.appendBatch(made.stream_id, [loan(1), loan(2), loan(3)]);
  await client.witnessed(made.stream_id, 3);
  const ready = await readyExport(client, { streams: [made.stream_id] });
  const held = await download(client, ready);
  const path = `/v1/exports/${ready.export_id}/truth-package/verify`;
  const recorded = async () => {
    const [{ stream_id }] = (await client.get("/v2/streams?class=lifecycle")).body.items;
    const { body } = await client.get(`/v2/streams/${stream_id}/events?event_type=truth_package.verified`);
    return body.items.length;
  };
  return { ...here, ready, held, path, recorded };
}

test("a report that matches is recorded once; the same again gets the first answer, byte for byte", async (t) => {
  const { client, made, ready, held, path, recorded } = await start(t);
  const report = goodReport(ready, held);
  const first = await client.post(path, report);
  assert.equal(first.status, 201, first.text);
  const { lifecycle_record: record, ...said } = first.body;
  assert.deepEqual(said, { export_id: ready.export_id, access_id: held.accessId, verified_at: record.received_at });
  assert.equal(record.event_type, "truth_package.verified");
  assert.deepEqual(record.payload, {
    access_id: held.accessId,
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
  assert.equal((await client.post(path, goodReport(ready, again))).status, 201);
  assert.equal(await recorded(), 3);
});

test("the same report several times at once is recorded once", async (t) => {
  const { client, ready, held, path, recorded } = await start(t);
  const answers = await Promise.all(Array.from({ length: 6 }, () => client.post(path, goodReport(ready, held))));
  assert.deepEqual([new Set(answers.map(({ text }) => text)).size, answers[0]?.status], [1, 201]);
  assert.equal(await recorded(), 1);
});

test("who has seen all but the package itself gets nothing recorded, whatever is invented", async (t) => {
  const { client, ready, path, recorded } = await start(t);
  const { path: link, challenge, access_id: accessId } = await prepared(client, ready.export_id);
  const { headers } = await follow(client, link, { range: "bytes=0-0" });
  assert.equal(headers.get("svc-access-id"), accessId);
  const { sha256, manifest_sha256 } = ready.package;
  const hash = (text: string) => createHash("sha256").update(text).digest("hex");
  const guesses: (string | undefined)[] = [
    undefined,
    sha256,
    manifest_sha256,
    challenge,
    ...[sha256, manifest_sha256, "", Buffer.from(sha256, "hex").toString("latin1")].map((text) =>
      hash(`${challenge}${text}`),
    ),
  ];
  for (let number = 0; number < 300; number++) {
    const proof = guesses[number] ?? (number < guesses.length ? undefined : hash(`${number}`));
    const { proof: _, ...report } = goodReport(ready, { accessId, proof: "" });
    const body = { ...report, verifierVersion: `${number}`, ...(proof === undefined ? {} : { proof }) };
    const { status, text } = await client.post(path, body);
    assert.equal(status, 422, text);
  }
  assert.equal(await recorded(), 0);
});

test("the proof is asked for and shown nowhere: not by the export, the events of its package, nor the database", async (t) => {
  const { client, made, server, ready, held, path } = await start(t);
  const { proof } = held;
  assert.equal((await client.post(path, goodReport(ready, held))).status, 201);
  const [{ stream_id }] = (await client.get("/v2/streams?class=lifecycle")).body.items;
  const seen = [(await client.get(`/v1/exports/${ready.export_id}`)).text];
  const { body: page } = await client.get(`/v2/streams/${stream_id}/events`);
  for (const { stream_event_id } of page.items) seen.push((await client.get(`/v2/receipts/${stream_event_id}`)).text);
  assert.equal(seen.length, 1 + 3);
  for (const table of ["exports", "export_accesses", "export_verifications", "access_log", "events"])
    seen.push(
      JSON.stringify(await server.service.context.database.read((reader) => reader.all(`SELECT * FROM ${table}`))),
    );
  for (const text of seen) assert.ok(!text.includes(proof));
  assert.equal(made.stream_id === stream_id, false);
  const other = await readyExport(client, { streams: [made.stream_id], to_seq_no: 2 });
  assert.notEqual((await prepared(client, other.export_id)).challenge, held.challenge);
  assert.equal((await prepared(client, ready.export_id)).challenge, held.challenge);
});

test("the places that differ are named, and never what should be there; nothing is recorded", async (t) => {
  const { client, made, ready, held, path, recorded } = await start(t);
  const other = await readyExport(client, { streams: [made.stream_id], to_seq_no: 2 });
  const ofOther = await download(client, other);
  const unused = (await client.post(`/v1/exports/${ready.export_id}/download/prepare`, "")).body.access_id;
  const problem = { code: "export_mismatch", path: "", message: "", action: "" };
  const of = (accessId: string) => ({ ...held, accessId });
  const cases: [object, string, string[]][] = [
    [goodReport(ready, of(ofOther.accessId)), "report_mismatch", ["/accessId"]],
    [goodReport(ready, of(unused)), "report_mismatch", ["/accessId"]],
    [goodReport(ready, { ...held, proof: ofOther.proof }), "report_mismatch", ["/proof"]],
    [goodReport(other, held), "report_mismatch", ["packageSha256", "manifestSha256"]],
    [goodReport(ready, held, { verifiedArtifacts: 2 }), "report_mismatch", ["verifiedArtifacts"]],
    [goodReport(ready, held, { manifestSha256: null }), "report_mismatch", ["manifestSha256"]],
    [goodReport(ready, held, { problems: [problem] }), "report_mismatch", ["problems"]],
    [goodReport(ready, held, { ok: false }), "report_not_ok", []],
    [goodReport(ready, held, { ok: false, verifiedArtifacts: 2 }), "report_not_ok", ["verifiedArtifacts"]],
  ];
  for (const [report, code, differs] of cases) {
    const { status, body, text } = await client.post(path, report);
    assert.deepEqual([status, body.detail.code], [422, code]);
    assert.deepEqual(
      body.detail.differs,
      differs.map((name) => ({ path: name.startsWith("/") ? name : `/verificationReport/${name}` })),
    );
    const { sha256, manifest_sha256 } = ready.package;
    for (const secret of [sha256, manifest_sha256, held.proof]) assert.ok(!text.includes(secret), text);
  }
  for (const [member, value] of [
    ["accessId", null],
    ["accessId", "tpa_x"],
    ["proof", null],
    ["proof", held.proof.toUpperCase()],
  ] as const)
    assert.equal(
      (await client.post(path, { ...goodReport(ready, held), [member]: value })).body.detail.code,
      "invalid_request",
    );
  assert.equal(await recorded(), 0);
});

test("an access is reported on by so many verifiers and no more (MAX_VERIFIERS_PER_ACCESS)", async (t) => {
  const { client, ready, held, path, recorded } = await start(t);
  const report = (number: number) => client.post(path, { ...goodReport(ready, held), verifierVersion: `${number}` });
  const answers = await Promise.all(
    Array.from({ length: MAX_VERIFIERS_PER_ACCESS + 3 }, (_, number) => report(number)),
  );
  const refused = answers.filter(({ status }) => status !== 201);
  assert.deepEqual(
    refused.map(({ status, body }) => [status, body.detail.code]),
    Array(3).fill([409, "too_many_verifiers"]),
  );
  assert.equal(await recorded(), MAX_VERIFIERS_PER_ACCESS);
  // Recorded verifiers get their answers again, and another access has separate room.
  const first = answers.findIndex(({ status }) => status === 201);
  assert.equal((await report(first)).text, answers[first]?.text);
  assert.equal((await client.post(path, goodReport(ready, await download(client, ready)))).status, 201);
});

test("a package of an earlier release has no challenge: it is handed out, and reports on it are refused", async (t) => {
  const { client, server, ready, held, path, recorded } = await start(t);
  const { database } = server.service.context;
  await database.write((writer) => writer.run("UPDATE exports SET challenge = NULL, proof_sha256 = NULL"));
  const ticket = await prepared(client, ready.export_id);
  assert.equal(ticket.challenge, null);
  const { status, headers, bytes } = await follow(client, ticket.path);
  assert.deepEqual([status, headers.get("svc-challenge")], [200, null]);
  for (const proof of [held.proof, proofOf("", bytes), proofOf("null", bytes)]) {
    const { status, body } = await client.post(path, goodReport(ready, { accessId: ticket.access_id, proof }));
    assert.deepEqual([status, body.detail.code], [409, "challenge_missing"]);
    assert.match(body.detail.message, /new export/);
  }
  assert.equal(await recorded(), 0);
});

test("a report still counts when the package is deleted; one on a package that never was is refused", async (t) => {
  const { client, made, ready, held, path } = await start(t);
  await client.send("DELETE", `/v1/exports/${ready.export_id}`, undefined, {});
  assert.equal((await client.post(path, goodReport(ready, held))).status, 201);
  await client.append(made.stream_id, loan(4));
  const { body } = await client.post("/v1/exports", { streams: [made.stream_id] });
  const refusal = async () =>
    (await client.post(`/v1/exports/${body.export_id}/truth-package/verify`, goodReport(ready, held))).body.detail.code;
  assert.equal(await refusal(), "export_not_ready");
  await client.send("DELETE", `/v1/exports/${body.export_id}`, undefined, {});
  assert.equal(await refusal(), "export_deleted");
});
