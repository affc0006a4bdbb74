/**
 * Sealing on demand: a caller that needs the proofs of an event does not wait until its window is full or old. The
 * demand is written to the database, so that it reaches the process with the sealer's lease.
 */
import { setTimeout as pause } from "node:timers/promises";
import { MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import type { WitnessStatement } from "@svc/core";
import { part } from "@svc/host/parts";
import type { Context } from "../context.ts";
import { feedingSettings } from "../feeding/settings.ts";
import { demandSealOf } from "../streams/streams-store.ts";
import { checkpointOfStream, newestWitnessedSeqNo } from "./checkpoints-store.ts";
import { sealed } from "./sealed.ts";
import { sealerOf } from "./sealer.ts";
import { statementsOn } from "./statements-store.ts";
import { isBeingCosigned } from "./witness-states.ts";

/** The pause between two looks when no message arrives: the sealer may run in another process. */
const LOOK_MS = 100;
/** The shortest time between two looks of one caller, in ms. */
const LEAST_MS = 25;

/** Sealing on demand, as others call it. */
export const demandSealPart = part("sealing on demand", (context: Context) => new DemandSeal(context));

/** Seals on demand for a deployment. */
export class DemandSeal {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /**
   * Demands that a stream of this tenant is sealed up to an existing event. Resolves when its witnesses have cosigned
   * that, or after MAX_SEAL_WAIT_MS; the caller has to check which one.
   */
  async seal(tenantId: string, streamId: string, toSeqNo: number): Promise<void> {
    const { database } = this.#context;
    const deadline = performance.now() + MAX_SEAL_WAIT_MS;
    await database.write((writer) => demandSealOf(writer, tenantId, streamId, toSeqNo));
    sealerOf(this.#context).wake();
    while (performance.now() < deadline) {
      // The subscription begins before the look, so that no message is missed between the two.
      const told = this.#nextSealed();
      if ((await database.read((reader) => newestWitnessedSeqNo(reader, streamId))) >= toSeqNo) return told.end();
      const lookedAt = performance.now();
      await told.heard;
      // Many streams may be cosigned at once, and each waiting caller hears of all of them.
      await pause(Math.max(0, LEAST_MS - (performance.now() - lookedAt)));
    }
  }

  /**
   * Waits after the quorum: until no cosignature on a checkpoint is on its way, but only for so long as the deployment
   * says. Resolves to the cosignatures on it by then.
   */
  async settle(streamId: string, checkpointId: string): Promise<readonly WitnessStatement[]> {
    const { database, kernel, settings } = this.#context;
    const { witnesses, witnessGraceMs } = settings(feedingSettings);
    const deadline = performance.now() + witnessGraceMs;
    for (;;) {
      const told = this.#nextSealed();
      const { isOpen, statements } = await database.read(async (reader) => {
        const stored = await checkpointOfStream(reader, streamId, checkpointId);
        if (stored === null) return { isOpen: false, statements: [] };
        const { checkpoint } = stored;
        return {
          isOpen: await isBeingCosigned(reader, checkpoint, { kernel, witnesses }),
          statements: await statementsOn(reader, checkpoint),
        };
      });
      if (!isOpen || performance.now() >= deadline) {
        told.end();
        return statements;
      }
      const lookedAt = performance.now();
      await Promise.race([told.heard, pause(Math.max(0, deadline - lookedAt))]);
      told.end();
      await pause(Math.max(0, LEAST_MS - (performance.now() - lookedAt)));
    }
  }

  /** Returns a promise of the next cosignature of this process, in any stream, or of the time to look again. */
  #nextSealed(): { readonly heard: Promise<void>; readonly end: () => void } {
    const { promise: heard, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(() => end(), LOOK_MS);
    const unsubscribe = this.#context.channel.subscribe(sealed, () => end());
    const end = () => {
      clearTimeout(timer);
      unsubscribe();
      resolve();
    };
    return { heard, end };
  }
}
