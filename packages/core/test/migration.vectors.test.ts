/** Migration reports: which may follow which, against the independent implementation, and whose seal they bear. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { SERVICE } from "@svc/testkit/evidence/service";
import { testSigner } from "@svc/testkit/evidence/signer";
import { readVectorJson } from "@svc/testkit/vectors";
import {
  isMigrationReportBy,
  issueMigrationReport,
  type MigrationMove,
  type MigrationReportBody,
  migrationMove,
  referenceKernel,
} from "../src/index.ts";

const kernel = referenceKernel;

interface Transition {
  readonly machine: string;
  readonly from: MigrationReportBody | null;
  readonly event: MigrationReportBody;
  readonly status: number;
  readonly code: string | null;
}

/** The answers of a service to each move. */
const ANSWERS: Readonly<Record<MigrationMove, string>> = {
  accepted: "201 null",
  replayed: "200 null",
  stale: "409 migration_report_stale",
  phase_conflict: "409 migration_phase_conflict",
  unmatched: "422 migration_phase_conflict",
};

test("a report follows the last one as the vectors say", () => {
  const all = readVectorJson("provenance/transitions.json") as Transition[];
  const ours = all.filter(({ machine }) => machine === "migration");
  assert.ok(ours.length > 20, `${ours.length} transitions`);
  for (const { from, event, status, code } of ours)
    assert.equal(
      ANSWERS[migrationMove(kernel, from, event)],
      `${status} ${code ?? null}`,
      JSON.stringify([from, event]),
    );
});

test("a report is by the key that sealed it, with every member as it was", async () => {
  const body = {
    installationId: "ins_01k3zjv5c7m5n0rhd0sxkqgx2t",
    reportNo: 1,
    phase: "observe",
    legacyStreamId: null,
    streamId: null,
    counts: { legacy: 1, provenance: 1, unmatched: 0 },
    reportedAt: "2026-03-01T00:00:00.000Z",
  } as const;
  const report = await issueMigrationReport(kernel, SERVICE, body);
  assert.equal(isMigrationReportBy(kernel, report, SERVICE.publicKeyHex), true);
  assert.equal(isMigrationReportBy(kernel, report, testSigner("other").publicKeyHex), false);
  for (const change of [
    { installationId: "ins_01k3zjv5c7m5n0rhd0sxkqgx2v" },
    { reportNo: 2 },
    { phase: "parity" },
    { legacyStreamId: "str_01k3zjv5c7m5n0rhd0sxkqgx2t" },
    { streamId: "str_01k3zjv5c7m5n0rhd0sxkqgx2t" },
    { counts: { legacy: 1, provenance: 1, unmatched: 1 } },
    { reportedAt: "2026-03-01T00:00:00.001Z" },
  ] as const)
    assert.equal(isMigrationReportBy(kernel, { ...report, ...change }, SERVICE.publicKeyHex), false);
});
