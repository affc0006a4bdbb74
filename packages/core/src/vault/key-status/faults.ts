/** The faults of a key status that its schema cannot express: members that do not fit each other (section 26). */
import type { ShapeFault } from "../../report/shape.ts";
import type { KeyStatusBody } from "./schema.ts";

/** Returns the faults of a status at this path. */
export function keyStatusFaults(status: KeyStatusBody, path: string): ShapeFault[] {
  const { status: state, installationId, enrolledAt, revokedAt, revocationReason, statusAt } = status;
  const { replacedByInstallationId: successor, revocationInstantReconstructed: reconstructed } = status;
  const isActive = state === "active";
  const isReplaced = state === "replaced";
  const hasReason = revocationReason !== null && isReplaced === (revocationReason === "superseded");
  const holding: Readonly<Record<string, boolean>> = {
    revokedAt: isActive ? revokedAt === null : revokedAt !== null && enrolledAt <= revokedAt,
    revocationReason: isActive ? revocationReason === null : hasReason,
    replacedByInstallationId: isActive
      ? successor === null
      : !isReplaced || (successor !== null && successor !== installationId),
    revocationInstantReconstructed: state === "revoked" || !reconstructed,
    statusAt: (revokedAt ?? enrolledAt) <= statusAt,
  };
  return Object.entries(holding).flatMap(([member, holds]) =>
    holds ? [] : [{ path: `${path}/${member}`, message: `A key that is ${state} has another ${member}, or none.` }],
  );
}
