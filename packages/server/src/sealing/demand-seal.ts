/**
 * Sealing on demand: whoever needs the proofs of an event does not wait for its window to fill or to grow old. The demand stands in the
 * database, so that it reaches the process that has the sealer's lease.
 */
import { setTimeout as pause } from "node:timers/promises";
import { MAX_SEAL_WAIT_MS } from "@svc/api/limits";
import type { Foundation } from "../foundation.ts";
import { demandSealOf } from "../streams/streams-store.ts";
import { newestWitnessedSeqNo } from "./checkpoints-store.ts";

/** Between two looks. The sealer is another loop, perhaps of another process. */
const LOOK_MS = 25;

export class DemandSeal {
  readonly #ground: Pick<Foundation, "database">;
  readonly #nudgeSealer: () => void;

  constructor(ground: Pick<Foundation, "database">, nudgeSealer: () => void) {
    this.#ground = ground;
    this.#nudgeSealer = nudgeSealer;
  }

  /** Has a stream of this tenant sealed up to an event that it has, and waits until its witnesses have cosigned it; for MAX_SEAL_WAIT_MS at most. */
  async seal(tenantId: string, streamId: string, toSeqNo: number): Promise<void> {
    const { database } = this.#ground;
    const deadline = performance.now() + MAX_SEAL_WAIT_MS;
    await database.write((writer) => demandSealOf(writer, tenantId, streamId, toSeqNo));
    this.#nudgeSealer();
    while (performance.now() < deadline) {
      if ((await database.read((reader) => newestWitnessedSeqNo(reader, streamId))) >= toSeqNo) return;
      await pause(LOOK_MS);
    }
  }
}
