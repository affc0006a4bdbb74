/**
 * The sealer: it makes windows, then checkpoints, then dispatches the outbox messages that these give to witnesses. It
 * runs beside the requests, under a lease, one small transaction at a time; it can be killed between any two of them
 * and continues later. Several processes on one database divide the streams among themselves.
 */
import { anyMessageDue, dispatchDue, LeasedLoop } from "@svc/host/jobs";
import { perContext } from "@svc/host/per-context";
import type { Context } from "../context.ts";
import { feederOf } from "../feeding/feeder.ts";
import { failed } from "../notices.ts";
import { witnessKeys } from "../signing/witness-keys.ts";
import { anyWindowDue, closeDueWindows } from "./close-windows.ts";
import { contradicted } from "./contradicted.ts";
import { anyCheckpointDue, COSIGN, makeDueCheckpoints } from "./make-checkpoints.ts";
import { ManagedWitness, WitnessContradiction } from "./managed-witness.ts";
import { sealed } from "./sealed.ts";
import { sealingSettings } from "./settings.ts";

/** The parts into which the streams are divided where several processes can write at a time. */
const SHARDS = 16;

/** The sealer of a deployment. It publishes its errors, and tries again in its next round. */
export const sealerOf = perContext((context: Context): LeasedLoop => {
  const { kernel, folder, channel } = context;
  const witness = new ManagedWitness(context, witnessKeys(kernel, folder.path));
  const onError = (error: unknown) => channel.publish(failed, error);
  const feeder = feederOf(context);
  return new LeasedLoop(context, {
    jobName: "sealer",
    shards: context.database.maxWriters > 1 ? SHARDS : 1,
    intervalMs: context.settings(sealingSettings).sealIntervalMs,
    onError,
    hasWork: async (isOwn) =>
      (await anyWindowDue(context, isOwn)) ||
      (await anyCheckpointDue(context, isOwn)) ||
      (await anyMessageDue(context, COSIGN, isOwn)),
    work: async (lease, stop) => {
      const round = { lease, stop, onError };
      await closeDueWindows(context, round);
      await makeDueCheckpoints(context, round);
      feeder.wake();
      await dispatchDue(context, COSIGN, lease, stop, {
        prepare: (messages) => witness.cosign(messages),
        run: (writer, message, statement) => witness.store(writer, message, statement),
        onDone: ({ subject }) => channel.publish(sealed, subject),
        onError: (error) => {
          // The message's transaction has been undone already.
          if (error instanceof WitnessContradiction) channel.publish(contradicted, error);
          onError(error);
        },
      });
    },
  });
});
