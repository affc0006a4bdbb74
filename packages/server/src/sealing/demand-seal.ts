/**
 * Sealing on demand: whoever needs the proofs of an event does not wait for its window to fill or to grow old. The demand stands in the
 * database, so that it reaches the process that has the sealer's lease.
 */
import { MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import type { Context } from "../context.ts";
import { demandSealOf } from "../streams/streams-store.ts";
import { newestWitnessedSeqNo } from "./checkpoints-store.ts";
import { sealed } from "./sealed.ts";
import { sealerOf } from "./sealer.ts";

/** Between two looks where nothing is told: the sealer may be that of another process. */
const LOOK_MS = 100;

export class DemandSeal {
  readonly #context: Context;

  constructor(context: Context) {
    this.#context = context;
  }

  /** Has a stream of this tenant sealed up to an event that it has, and waits until its witnesses have cosigned it; for MAX_SEAL_WAIT_MS at most. */
  async seal(tenantId: string, streamId: string, toSeqNo: number): Promise<void> {
    const { database } = this.#context;
    const deadline = performance.now() + MAX_SEAL_WAIT_MS;
    await database.write((writer) => demandSealOf(writer, tenantId, streamId, toSeqNo));
    sealerOf(this.#context).nudge();
    while (performance.now() < deadline) {
      // Before the look, so that nothing is sealed unheard between the two.
      const told = this.#nextSealed();
      if ((await database.read((reader) => newestWitnessedSeqNo(reader, streamId))) >= toSeqNo) return told.end();
      await told.heard;
    }
  }

  /** Waits for the next cosignature of this process, of any stream, or until it is time to look again. */
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
