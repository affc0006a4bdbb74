/**
 * Reports of verifiers. A report is recorded only if it says that the very package that was given out has verified,
 * with all of its artifacts, and if it answers the package's challenge. Any program may report, so a recorded report
 * shows only that a holder of all bytes of the package says that it verified. The package itself may be gone by then:
 * the expected answer was computed when the package was built.
 */
import { MAX_VERIFIERS_PER_ACCESS } from "@svc/api/limits";
import { ARTIFACT_PATHS } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { equalHashes } from "@svc/host/keyed-hash";
import { part } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { recordLifecycle } from "../lifecycle/lifecycle-stream.ts";
import { type EventRow, findEvent } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import { recorded } from "../streams/recorded.ts";
import { findAccess, findVerification, insertVerification, verifiersOf } from "./accesses-store.ts";
import { packageVerified } from "./events.ts";
import { hashOfProof } from "./proof-of-possession.ts";
import { type PackagedExport, requireBuilt, visibleExport } from "./visible-export.ts";

/** The body that `svc verify truth-package --report` writes. */
export interface PackageReport {
  readonly verifierKind: string;
  readonly verifierVersion: string;
  readonly accessId: string;
  /** The answer to the challenge of the package, over all of its bytes. */
  readonly proof: string;
  readonly verificationReport: {
    readonly ok: boolean;
    readonly packageSha256: string;
    readonly manifestSha256: string | null;
    readonly verifiedArtifacts: number;
    readonly problems: readonly unknown[];
  };
}

type Needs = Pick<Context, "database" | "kernel" | "issuing" | "signingKey" | "clock" | "channel" | "archived">;

/** Records the reports of a deployment. */
export class RecordVerification {
  readonly #context: Needs;

  constructor(context: Needs) {
    this.#context = context;
  }

  /**
   * Records a report, once for each verifier of an access, and resolves to the answer; a repeated report gets the first
   * result. Rejects with `challenge_missing`, `report_not_ok`, `report_mismatch`, `too_many_verifiers` and the refusals
   * of `visibleExport` and `requireBuilt`.
   */
  async record(principal: Principal, exportId: string, report: PackageReport) {
    const { answer: event, last } = await this.#context.database.write(async (writer) => {
      const { row } = await visibleExport(writer, principal, exportId);
      const built = requireBuilt(row);
      await this.#requireMatch(writer, built, report);
      const before = await findVerification(writer, report);
      if (before !== null) return { answer: await eventOf(writer, built, before), last: null };
      const { accessId: access_id, verifierKind, verifierVersion } = report;
      if ((await verifiersOf(writer, access_id)) >= MAX_VERIFIERS_PER_ACCESS)
        throw new ServiceError(
          "too_many_verifiers",
          `Reports of ${MAX_VERIFIERS_PER_ACCESS} verifiers on ${access_id} are recorded, as many as are taken. ` +
            `Download the package again, and report on that access.`,
        );
      const { package_sha256, manifest_sha256 } = built;
      const last = await recordLifecycle(writer, this.#context, principal, {
        type: packageVerified,
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
      await insertVerification(writer, principal.tenantId, report, last.stream_event_id);
      return { answer: last, last };
    });
    if (last !== null) this.#context.channel.publish(recorded, { last, isWindowFull: false });
    const { archived, database } = this.#context;
    const [fetched = event] = await archived.restored(database, [event]);
    const lifecycle_record = recordOf(fetched, true);
    const { received_at: verified_at } = lifecycle_record;
    return { export_id: exportId, access_id: report.accessId, verified_at, lifecycle_record };
  }

  /**
   * Rejects with `challenge_missing`, `report_not_ok`, or `report_mismatch` with every place that differs. It never
   * tells the expected values.
   */
  async #requireMatch(reader: Reader, built: PackagedExport, report: PackageReport): Promise<void> {
    const { ok, packageSha256, manifestSha256, verifiedArtifacts, problems } = report.verificationReport;
    const { export_id, proof_sha256 } = built;
    if (proof_sha256 === null)
      throw new ServiceError(
        "challenge_missing",
        `The package of ${export_id} was built by a release that gave no challenge, so nobody can show that they ` +
          `hold it. Ask for a new export, and report on that.`,
      );
    const holds = {
      "/accessId": (await findAccess(reader, export_id, report.accessId)) !== null,
      "/proof": equalHashes(hashOfProof(this.#context.kernel, report.proof), proof_sha256),
      "/verificationReport/packageSha256": packageSha256 === built.package_sha256,
      "/verificationReport/manifestSha256": manifestSha256 === built.manifest_sha256,
      "/verificationReport/verifiedArtifacts": verifiedArtifacts === ARTIFACT_PATHS.length,
      "/verificationReport/problems": problems.length === 0,
    };
    const differs = Object.entries(holds).flatMap(([path, isRight]) => (isRight ? [] : [{ path }]));
    if (!ok)
      throw new ServiceError(
        "report_not_ok",
        "The report says that the package did not verify, so nothing was recorded. If the file is the one that " +
          "you downloaded, keep it with the report, and tell the operator.",
        { differs },
      );
    if (differs.length > 0)
      throw new ServiceError(
        "report_mismatch",
        `The report is not about what was handed out: ${differs.map(({ path }) => path).join(", ")}. Nothing was ` +
          `recorded. Verify the file that you downloaded, with the --access-id and the --challenge of its ticket.`,
        { differs },
      );
  }
}

/** The same, as the routes call it. */
export const verificationsPart = part("verifications", (context: Context) => new RecordVerification(context));

async function eventOf(reader: Reader, { tenant_id }: PackagedExport, eventId: string): Promise<EventRow> {
  const event = await findEvent(reader, tenant_id, eventId);
  if (event === null) throw new Error(`the event ${eventId} of a verification is missing from the database`);
  return event;
}
