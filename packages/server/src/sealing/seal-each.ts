/**
 * One sealing step on many streams: each repetition is a transaction of its own under the lease, and a stream on which it fails holds up
 * no other.
 */
import type { Foundation } from "../foundation.ts";
import { type Lease, LeaseLost } from "../jobs/lease.ts";
import type { Writer } from "../store/database.ts";
import { findStream, type StreamRow } from "../streams/streams-store.ts";

/** One round of the sealer. */
export interface SealingRound {
  readonly lease: Lease;
  readonly stop: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Repeats `step` on each stream until it answers that nothing was left to do. */
export async function sealEach(
  { database }: Pick<Foundation, "database">,
  streams: readonly StreamRow[],
  { lease, stop, onError }: SealingRound,
  step: (writer: Writer, stream: StreamRow) => Promise<boolean>,
): Promise<void> {
  for (const { tenant_id, stream_id } of streams) {
    let didWork = true;
    while (didWork && !stop.aborted) {
      try {
        didWork = await database.write(async (writer) => {
          await lease.hold(writer);
          const stream = await findStream(writer, tenant_id, stream_id);
          return stream !== null && (await step(writer, stream));
        });
      } catch (error) {
        if (error instanceof LeaseLost) throw error;
        onError(error);
        didWork = false;
      }
    }
  }
}
