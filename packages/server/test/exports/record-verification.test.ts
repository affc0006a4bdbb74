/**
 * Reports of verifiers without HTTP: a report is recorded and published once, and all of its members must fit the
 * package that was given out.
 */
import assert from "node:assert/strict";
import { test } from "node:test";
import { MAX_VERIFIERS_PER_ACCESS } from "@svc/api/limits";
import { ARTIFACT_PATHS, encodeHex } from "@svc/core";
import { possessionHasher } from "@svc/core/possession";
import { insertVerification, useTicket } from "../../src/exports/accesses-store.ts";
import { DownloadRecords } from "../../src/exports/download-records.ts";
import { markDeleted } from "../../src/exports/exports-store.ts";
import { type PackageReport, RecordVerification } from "../../src/exports/record-verification.ts";
import { kernel } from "../../src/kernel.ts";
import { at, CARDS, hashNo, LOANS, principalOf } from "../store-under-test.ts";
import { exportsUnderTest } from "./package-under-test.ts";

const OWN = principalOf(LOANS);

test("a report is recorded and told of once for each verifier, also when the package is gone; no other is", async (t) => {
  const { context, ready, bytesOf, store, told } = await exportsUnderTest(t);
  const row = await ready();
  const { export_id, generated_event_id, package_sha256, manifest_sha256, challenge } = row;
  const { access_id } = await new DownloadRecords(context).prepare(OWN, export_id);
  const unused = (await new DownloadRecords(context).prepare(OWN, export_id)).access_id;
  await store.write((writer) => useTicket(writer, access_id, generated_event_id ?? ""));
  const hasher = possessionHasher(kernel, challenge ?? hashNo(0));
  hasher.update(await bytesOf(export_id));
  const verificationReport = {
    ok: true,
    packageSha256: package_sha256 ?? "",
    manifestSha256: manifest_sha256,
    verifiedArtifacts: ARTIFACT_PATHS.length,
    problems: [],
  };
  const report: PackageReport = {
    verifierKind: "cli",
    verifierVersion: "1",
    accessId: access_id,
    proof: encodeHex(hasher.digest()),
    verificationReport,
  };
  const reports = new RecordVerification(context);
  told.recorded.splice(0);
  const differing: readonly (readonly [Partial<PackageReport>, string])[] = [
    [{ accessId: "tpa_none" }, "/accessId"],
    [{ accessId: unused }, "/accessId"],
    [{ proof: "0".repeat(64) }, "/proof"],
    [{ verificationReport: { ...verificationReport, packageSha256: hashNo(1) } }, "/verificationReport/packageSha256"],
    [{ verificationReport: { ...verificationReport, manifestSha256: null } }, "/verificationReport/manifestSha256"],
    [{ verificationReport: { ...verificationReport, verifiedArtifacts: 2 } }, "/verificationReport/verifiedArtifacts"],
    [{ verificationReport: { ...verificationReport, problems: [{}] } }, "/verificationReport/problems"],
  ];
  for (const [change, path] of differing)
    await assert.rejects(reports.record(OWN, export_id, { ...report, ...change }), {
      code: "report_mismatch",
      details: { differs: [{ path }] },
    });
  const notOk = { ...report, verificationReport: { ...verificationReport, ok: false } };
  await assert.rejects(reports.record(OWN, export_id, notOk), { code: "report_not_ok", details: { differs: [] } });
  await assert.rejects(reports.record(principalOf(CARDS), export_id, report), { code: "export_forbidden" });
  assert.equal(told.recorded.length, 0);

  const first = await reports.record(OWN, export_id, report);
  const [event, ...others] = told.recorded.splice(0);
  assert.deepEqual([others, event?.isWindowFull, event?.last.event_type], [[], false, "truth_package.verified"]);
  const { lifecycle_record, ...rest } = first;
  assert.deepEqual(rest, { export_id, access_id, verified_at: at(1000) });
  assert.deepEqual(
    [lifecycle_record.stream_event_id, lifecycle_record.source_ref],
    [event?.last.stream_event_id, export_id],
  );
  const payload = JSON.parse(event?.last.payload ?? "");
  assert.deepEqual(payload, {
    access_id,
    export_id,
    package_sha256,
    manifest_sha256,
    verified_artifacts: ARTIFACT_PATHS.length,
    verifier: { kind: "cli", version: "1" },
    actor: { kind: "system", id: LOANS.systemId },
  });
  assert.deepEqual(JSON.parse(JSON.stringify(lifecycle_record.payload)), payload);
  await store.write((writer) => markDeleted(writer, export_id, "requested", at(1001)));
  assert.deepEqual(await reports.record(OWN, export_id, report), first);
  assert.equal(told.recorded.length, 0);
  const second = await reports.record(OWN, export_id, { ...report, verifierVersion: "2" });
  assert.notEqual(second.lifecycle_record.stream_event_id, lifecycle_record.stream_event_id);
  assert.equal(told.recorded.length, 1);
  await store.write(async (writer) => {
    for (let count = 2; count < MAX_VERIFIERS_PER_ACCESS; count++) {
      const verifier = { accessId: access_id, verifierKind: "page", verifierVersion: String(count) };
      await insertVerification(writer, row.tenant_id, verifier, generated_event_id ?? "");
    }
  });
  await assert.rejects(reports.record(OWN, export_id, { ...report, verifierVersion: "3" }), {
    code: "too_many_verifiers",
  });
  assert.deepEqual(await reports.record(OWN, export_id, report), first);
  await store.write((writer) => writer.run("UPDATE exports SET proof_sha256 = NULL"));
  await assert.rejects(reports.record(OWN, export_id, report), { code: "challenge_missing" });
});
