/**
 * A migration report: how far an installation is on its way from a stream of the older class to one with envelopes
 * (protocol section 30). It reports, and commands nothing. No verifier checks it as evidence; the service that receives
 * it checks the seal, and whether it may follow the report before.
 */
import { hexToBytes } from "../encoding/hex.ts";
import type { JsonObject, Kernel } from "../kernel/kernel.ts";
import {
  Closed,
  Count,
  InstallationId,
  NullableStreamId,
  OneOf,
  Ordinal,
  type PublicKeyHex,
  ServiceTime,
} from "../schema/atoms.ts";
import type * as Type from "../schema/type.ts";
import { kidOf, makeSeal, ProvenanceSeal, type Signer, sealedBytes } from "../seal.ts";

/** The phases in their order. */
export const MIGRATION_PHASES = ["observe", "parity", "cutover-ready", "cutover", "legacy-retained"] as const;
export type MigrationPhase = (typeof MIGRATION_PHASES)[number];

/**
 * A report about a migration (protocol section 30). As JSON, shortened:
 *
 * ```json
 * {"installationId":"ins_01k3…","reportNo":2,"phase":"parity","legacyStreamId":"str_01k3…","streamId":"str_01k3…",
 *  "counts":{"legacy":10,"provenance":10,"unmatched":0},"reportedAt":"2026-03-01T00:00:00.000Z","seal":{}}
 * ```
 */
export const MigrationReport = Closed(
  {
    installationId: InstallationId,
    reportNo: Ordinal,
    phase: OneOf(...MIGRATION_PHASES),
    legacyStreamId: NullableStreamId,
    streamId: NullableStreamId,
    counts: Closed({ legacy: Count, provenance: Count, unmatched: Count }),
    reportedAt: ServiceTime,
    seal: ProvenanceSeal,
  },
  { $id: "migration-report" },
);
export type MigrationReport = Type.Static<typeof MigrationReport>;
export type MigrationReportBody = Omit<MigrationReport, "seal">;

/** Returns the members that the seal of a report covers. */
export function migrationReportBody(report: MigrationReport): MigrationReportBody & JsonObject {
  const { seal: _seal, ...body } = report;
  return body;
}

/**
 * Seals a migration report (protocol section 30). `signer`: the installation's key. `body`: the report without its
 * seal. Resolves to the report. It checks nothing.
 *
 * @example
 * const report = await issueMigrationReport(kernel, signer, {
 *   installationId: "ins_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   reportNo: 1,
 *   phase: "observe",
 *   legacyStreamId: null,
 *   streamId: null,
 *   counts: { legacy: 0, provenance: 0, unmatched: 0 },
 *   reportedAt: "2026-03-01T00:00:00.000Z",
 * });
 * console.log(isMigrationReportBy(kernel, report, signer.publicKeyHex)); // true
 */
export async function issueMigrationReport(
  kernel: Kernel,
  signer: Signer,
  body: MigrationReportBody,
): Promise<MigrationReport> {
  return { ...body, seal: await makeSeal(kernel, "migration", body, signer) };
}

/**
 * Says whether a key has sealed a report (protocol section 30). `publicKeyHex`: the installation's key, 64 lowercase
 * hex characters. It does not say whether the report may follow the one before: `migrationMove` does.
 *
 * @example
 * const report = await issueMigrationReport(kernel, signer, {
 *   installationId: "ins_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   reportNo: 1,
 *   phase: "observe",
 *   legacyStreamId: null,
 *   streamId: null,
 *   counts: { legacy: 0, provenance: 0, unmatched: 0 },
 *   reportedAt: "2026-03-01T00:00:00.000Z",
 * });
 * console.log(isMigrationReportBy(kernel, { ...report, reportNo: 2 }, signer.publicKeyHex)); // false
 */
export function isMigrationReportBy(kernel: Kernel, report: MigrationReport, publicKeyHex: PublicKeyHex): boolean {
  const { kid, signature } = report.seal;
  if (kid !== kidOf(kernel, publicKeyHex)) return false;
  const message = sealedBytes(kernel, "migration", migrationReportBody(report), kid);
  const item = { publicKey: hexToBytes(publicKeyHex), message, signature: hexToBytes(signature) };
  return kernel.verifyEd25519([item])[0] === true;
}

/** The fate of a report: it is taken, it is the last one again, or it is refused for one of three reasons. */
export type MigrationMove = "accepted" | "replayed" | "stale" | "phase_conflict" | "unmatched";

/**
 * Says whether a report may follow the last one (protocol section 30). `last`: null before the first. Returns
 * `replayed` for the last one again; `stale` for any other number than the next; `phase_conflict` for a phase that does
 * not follow; `unmatched` for `cutover-ready` while events are unmatched. It does not check the seal.
 *
 * @example
 * const first = {
 *   installationId: "ins_01k3zjv5c7m5n0rhd0sxkqgx2t",
 *   reportNo: 1,
 *   phase: "observe",
 *   legacyStreamId: null,
 *   streamId: null,
 *   counts: { legacy: 9, provenance: 9, unmatched: 0 },
 *   reportedAt: "2026-03-01T00:00:00.000Z",
 * } as const;
 * console.log(migrationMove(kernel, null, first)); // accepted
 * console.log(migrationMove(kernel, first, { ...first, reportNo: 2, phase: "cutover" })); // phase_conflict
 */
export function migrationMove(
  kernel: Kernel,
  last: MigrationReportBody | null,
  next: MigrationReportBody,
): MigrationMove {
  if (last !== null && next.reportNo === last.reportNo) {
    const [one, other] = [last, next].map((body) => kernel.canonicalize(body).join());
    return one === other ? "replayed" : "stale";
  }
  if (next.reportNo !== (last?.reportNo ?? 0) + 1) return "stale";
  if (!mayFollow(last?.phase ?? null, next.phase)) return "phase_conflict";
  return next.phase === "cutover-ready" && next.counts.unmatched > 0 ? "unmatched" : "accepted";
}

/** It goes on by one phase, stays, or goes back from the two phases in which nothing has been cut over yet. */
function mayFollow(last: MigrationPhase | null, next: MigrationPhase): boolean {
  if (last === null) return next === "observe";
  const [from, to] = [MIGRATION_PHASES.indexOf(last), MIGRATION_PHASES.indexOf(next)];
  const goesBack = (last === "parity" || last === "cutover-ready") && (next === "observe" || next === "parity");
  return to === from || to === from + 1 || goesBack;
}
