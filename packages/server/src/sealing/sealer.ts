/**
 * The sealer: windows, then checkpoints, then the errands that they give to witnesses. Runs beside the requests, under a lease, one small
 * transaction at a time; it can be killed between any two of them and goes on later.
 */

import { anyErrandDue, LeasedLoop, runDueErrands } from "@svc/host/jobs";
import type { Forks } from "../forks/forks.ts";
import type { Foundation } from "../foundation.ts";
import { anyWindowDue, closeDueWindows } from "./close-windows.ts";
import { anyCheckpointDue, COSIGN, makeDueCheckpoints } from "./make-checkpoints.ts";
import { type ManagedWitness, WitnessContradiction } from "./managed-witness.ts";

export interface SealerOptions {
  readonly intervalMs: number;
  /** Told of what went wrong; the sealer tries again at its next round. */
  readonly onError: (error: unknown) => void;
}

export function createSealer(
  ground: Foundation,
  witness: ManagedWitness,
  forks: Forks,
  options: SealerOptions,
): LeasedLoop {
  return new LeasedLoop(ground, {
    jobName: "sealer",
    ...options,
    hasWork: async () =>
      (await anyWindowDue(ground)) || (await anyCheckpointDue(ground)) || (await anyErrandDue(ground, COSIGN)),
    work: async (lease, stop) => {
      const round = { lease, stop, onError: options.onError };
      await closeDueWindows(ground, round);
      await makeDueCheckpoints(ground, round);
      const contradictions: WitnessContradiction[] = [];
      await runDueErrands(ground, COSIGN, lease, stop, {
        run: (writer, errand) => witness.cosign(writer, errand.tenant_id, errand.subject),
        onError: (error) => {
          if (error instanceof WitnessContradiction) contradictions.push(error);
          options.onError(error);
        },
      });
      // Not in the errand's transaction, which was undone.
      for (const { signedNote, checkpoint } of contradictions) await forks.lookAtNote(signedNote, checkpoint);
    },
  });
}
