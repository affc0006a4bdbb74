/**
 * The room for the evidence about one stream, or about the service's own log. Evidence against witnesses has separate
 * room, with one piece for each: a witness that lies without end must not keep out evidence against the service.
 */
import { MAX_FORK_BYTES_KEPT, MAX_FORKS_KEPT } from "@svc/api/limits";
import type { ForkEvidence } from "@svc/core";

/** The most pieces in both rooms. */
export const MOST_FORKS: number = 2 * MAX_FORKS_KEPT;

/** Returns whether there is room for evidence beside what is kept. */
export function hasRoomFor(fork: ForkEvidence, kept: readonly ForkEvidence[]): boolean {
  const beside = kept.filter(({ kind }) => (kind === "witness") === (fork.kind === "witness"));
  const length = [...beside, fork].reduce((sum, one) => sum + JSON.stringify(one).length, 0);
  // A single piece is always taken: it is no larger than a request may be.
  return beside.length === 0 || (beside.length < MAX_FORKS_KEPT && length <= MAX_FORK_BYTES_KEPT);
}
