/**
 * Reports of verifiers. One is recorded only where it says that the very package that was handed out has verified, with all of its artifacts;
 * whoever reports may have any verifier, so it shows that somebody who holds the package could compute its hashes, and no more. The package
 * itself may be gone by then.
 */
import { ARTIFACT_PATHS } from "@svc/core";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import type { Reader } from "../store/database.ts";
import { type EventRow, findEvent } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import type { Principal } from "../tenancy/principal.ts";
import { findAccess, findVerification, insertVerification } from "./accesses-store.ts";
import { type PackagedExport, requireBuilt, visibleExport } from "./visible-export.ts";

/** The body that `svc verify truth-package --report` writes. */
export interface PackageReport {
  readonly verifierKind: string;
  readonly verifierVersion: string;
  readonly accessId: string;
  readonly verificationReport: {
    readonly ok: boolean;
    readonly packageSha256: string;
    readonly manifestSha256: string | null;
    readonly verifiedArtifacts: number;
    readonly problems: readonly unknown[];
  };
}

type Ground = Pick<Foundation, "database" | "kernel" | "issuing" | "signingKey" | "clock">;

export class RecordVerification {
  readonly #ground: Ground;
  readonly #onRecorded: (recorded: EventRow) => void;

  /** `onRecorded` is called after the commit of each new record, in the order of commits, with its lifecycle event. */
  constructor(ground: Ground, onRecorded: (recorded: EventRow) => void) {
    this.#ground = ground;
    this.#onRecorded = onRecorded;
  }

  /** Records a report, once for each verifier of an access; the same one again gets the first result. */
  async record(principal: Principal, exportId: string, report: PackageReport) {
    const { answer, recorded } = await this.#ground.database.write(async (writer) => {
      const { row } = await visibleExport(writer, principal, exportId);
      const built = requireBuilt(row);
      await requireMatch(writer, built, report);
      const before = await findVerification(writer, report);
      if (before !== null) return { answer: await answerOf(writer, built, report, before), recorded: null };
      const { accessId: access_id, verifierKind, verifierVersion } = report;
      const { package_sha256, manifest_sha256 } = built;
      const recorded = await recordLifecycle(writer, this.#ground, principal, {
        event_type: "truth_package.verified",
        source_ref: exportId,
        payload: {
          access_id,
          export_id: exportId,
          package_sha256,
          manifest_sha256,
          verified_artifacts: ARTIFACT_PATHS.length,
          verifier: { kind: verifierKind, version: verifierVersion },
          actor: { kind: principal.kind, id: principal.id },
        },
      });
      await insertVerification(writer, principal.tenantId, report, recorded.stream_event_id);
      return { answer: await answerOf(writer, built, report, recorded.stream_event_id), recorded };
    });
    if (recorded !== null) this.#onRecorded(recorded);
    return answer;
  }
}

async function answerOf(
  reader: Reader,
  { tenant_id, export_id }: PackagedExport,
  { accessId }: PackageReport,
  eventId: string,
) {
  const event = await findEvent(reader, tenant_id, eventId);
  if (event === null) throw new Error(`the event ${eventId} of a verification is missing from the database`);
  const lifecycle_record = recordOf(event, true);
  return { export_id, access_id: accessId, verified_at: lifecycle_record.received_at, lifecycle_record };
}

/** Throws `report_not_ok`, or `report_mismatch` with all that differs. */
async function requireMatch(reader: Reader, built: PackagedExport, report: PackageReport): Promise<void> {
  const { ok, packageSha256, manifestSha256, verifiedArtifacts, problems } = report.verificationReport;
  const { export_id } = built;
  const compared = [
    ["/verificationReport/packageSha256", packageSha256, built.package_sha256],
    ["/verificationReport/manifestSha256", manifestSha256, built.manifest_sha256],
    ["/verificationReport/verifiedArtifacts", verifiedArtifacts, ARTIFACT_PATHS.length],
    ["/verificationReport/problems", problems.length, 0],
  ] as const;
  const differs = compared
    .filter(([, actual, expected]) => actual !== expected)
    .map(([path, actual, expected]) => ({ path, expected, actual }));
  if ((await findAccess(reader, export_id, report.accessId)) === null)
    differs.unshift({
      path: "/accessId" as never,
      expected: "the SVC-Access-Id of a download" as never,
      actual: report.accessId,
    });
  if (!ok)
    throw new ServiceError(
      "report_not_ok",
      "The report says that the package did not verify, so nothing was recorded. If the file is the one that you downloaded, keep it with the report, and tell the operator.",
      { differs },
    );
  const [first] = differs;
  if (first !== undefined)
    throw new ServiceError(
      "report_mismatch",
      `The report is not about what was handed out: ${first.path} is ${JSON.stringify(first.actual)}, not ${JSON.stringify(first.expected)}. Nothing was recorded. Verify the file that you downloaded, with --access-id.`,
      { differs },
    );
}
