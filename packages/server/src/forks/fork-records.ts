/** The storing of fork evidence: only what verifies under the service's own keys, each pair of signatures once. */
import {
  type Checkpoint,
  encodeHex,
  type ForkKind,
  findFork,
  type HashHex,
  type RedactedRecord,
  verify,
  type Window,
} from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { part } from "@svc/host/parts";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { failed } from "../notices.ts";
import { ownTrust } from "../tenancy/service-store.ts";
import { forked } from "./forked.ts";
import { hasFork, insertFork, streamEnd } from "./forks-store.ts";

/** A signed statement. */
export type Side = RedactedRecord | Window | Checkpoint;

type Needs = Pick<Context, "database" | "kernel" | "clock" | "origin" | "signingKey" | "channel">;

/** Stores the forks of a deployment. */
export class ForkRecords {
  readonly #context: Needs;

  constructor(context: Needs) {
    this.#context = context;
  }

  /**
   * Compares the last note that the managed witness cosigned with a checkpoint that it refuses. Never rejects; it
   * publishes errors.
   */
  async lookAtNote(signedNote: string, checkpoint: Checkpoint): Promise<void> {
    try {
      await this.keep(signedNote, checkpoint, ["note"]);
    } catch (error) {
      this.#context.channel.publish(failed, error);
    }
  }

  /**
   * Stores evidence that two signed statements contradict each other, if they do and it is not known yet. Rejects with
   * the errors of the store.
   */
  async keep(ours: Side | string, theirs: Side, kinds: readonly ForkKind[]): Promise<void> {
    const { kernel, database, clock, origin, signingKey } = this.#context;
    const hash = this.#sidesHash(ours, theirs);
    const [isKnown, trust, carried] = await database.read(
      async (reader) =>
        [await hasFork(reader, hash), await ownTrust(reader, origin), await signingKey.carried(reader)] as const,
    );
    if (isKnown) return;
    const options = { fork_id: newId("frk"), detected_at: serviceTime(clock()), trust, kinds, kernel };
    const found = findFork(ours, theirs, options);
    if (found === null || found.stream_id === null) return;
    const { stream_id } = found;
    // A side of an old key and one of its successor convict only if the evidence shows that the keys belong together.
    const fork = carried.key_endorsements.length === 0 ? found : { ...found, ...carried };
    const bytes = kernel.canonicalize(fork);
    if (verify(bytes, { kind: "fork", trust, kernel }).verdict !== "verified") return;
    const isNew = await database.write(async (writer) => {
      const end = await streamEnd(writer, stream_id);
      return end !== null && (await insertFork(writer, end.tenant_id, stream_id, fork, hash));
    });
    if (isNew) this.#context.channel.publish(forked, fork);
  }

  /**
   * Returns a hash of both signatures, or of the text of a note of our own: changed members that no signature covers
   * make no new evidence.
   */
  #sidesHash(...sides: readonly (Side | string)[]): HashHex {
    const signatures = sides.map(identityOf).sort();
    return encodeHex(this.#context.kernel.sha256(Buffer.from(signatures.join(" ")))) as HashHex;
  }
}

/** The storing, as others call it. */
export const forkRecordsPart = part("fork records", (context: Context) => new ForkRecords(context));

function identityOf(side: Side | string): string {
  if (typeof side === "string") return side;
  return ("receipt" in side ? side.receipt : side.seal).signature;
}
