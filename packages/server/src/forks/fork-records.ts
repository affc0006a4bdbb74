/**
 * The storing of fork evidence: only what verifies under the keys of the service and of its streams' witnesses, each
 * contradiction once, against each witness once, and so much at most for one stream. Nothing deletes it.
 */
import {
  type Anchor,
  type Checkpoint,
  type ForkEvidence,
  type ForkKind,
  findFork,
  type HashHex,
  type Json,
  keyHint,
  type RedactedRecord,
  type Report,
  type TrustPolicy,
  verify,
  type Window,
} from "@svc/core";
import { serviceTime } from "@svc/host/clock";
import { part } from "@svc/host/parts";
import type { Reader } from "@svc/host/store";
import type { Context } from "../context.ts";
import { newId } from "../ids.ts";
import { failed } from "../notices.ts";
import type { CarriedKeys } from "../signing/signing-key.ts";
import { equivocatingWitnesses } from "./equivocating-witnesses.ts";
import { forkTrust } from "./fork-trust.ts";
import { forked } from "./forked.ts";
import { forkOfSides, forksAfter, insertFork, lockForks, type StreamEnd } from "./forks-store.ts";
import { hasRoomFor, MOST_FORKS } from "./room.ts";
import { contradictionHash, storedForm } from "./stored-form.ts";
import { subjectOf } from "./subject.ts";

/** A signed statement: an object, or the text of a note. */
export type Side = RedactedRecord | Window | Checkpoint | Anchor | string;

/** The fate of evidence: stored now or before, or the reason why it is not. */
export type TakenFork =
  | { readonly outcome: "kept" | "known"; readonly forkId: string }
  | { readonly outcome: "foreign" | "full" }
  | { readonly outcome: "untrusted" | "rejected"; readonly problem: Report["problems"][number] | null };

type Needs = Pick<Context, "database" | "kernel" | "clock" | "origin" | "signingKey" | "channel">;

/** The deployment's knowledge of what a piece of evidence is about. */
interface Known {
  /** Null for evidence about the service's own log. */
  readonly stream: StreamEnd | null;
  readonly trust: TrustPolicy;
  readonly carried: CarriedKeys;
}

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
  async lookAtNote(signedNote: string, { stream_id, note }: Checkpoint): Promise<void> {
    try {
      await this.keep(stream_id, signedNote, note, ["note"]);
    } catch (error) {
      this.#context.channel.publish(failed, error);
    }
  }

  /**
   * Stores evidence that two signed statements contradict each other, if they do and it is not yet known. `streamId`:
   * the stream that they are about; null for the service's own log. Rejects with the errors of the store.
   */
  async keep(streamId: string | null, ours: Side, theirs: Side, kinds: readonly ForkKind[]): Promise<void> {
    const { kernel, database, clock, origin } = this.#context;
    const [left, right] = [ours as ForkEvidence["left"], theirs as ForkEvidence["left"]];
    const hash = contradictionHash(kernel, { kind: "note", left, right });
    const [before, trust] = await database.read(
      async (reader) => [await forkOfSides(reader, streamId, hash), await forkTrust(reader, origin, null)] as const,
    );
    if (before !== null) return;
    const options = { fork_id: newId("frk"), detected_at: serviceTime(clock()), trust, kinds, kernel };
    const found = findFork(left as Json, right as Json, options);
    if (found !== null) await this.take(found);
  }

  /**
   * Stores anybody's evidence, with an id and a time of this service's own. Resolves to its fate. Rejects with the
   * errors of the store.
   */
  async take(evidence: ForkEvidence): Promise<TakenFork> {
    const { kernel, database } = this.#context;
    const { kind, stream_id } = evidence;
    // Without the verdict it is not known which witness two notes convict.
    const hash = kind === "witness" ? null : contradictionHash(kernel, evidence);
    const [known, before] = await database.read(
      async (reader) =>
        [
          await this.#known(reader, evidence),
          hash === null ? null : await forkOfSides(reader, stream_id, hash),
        ] as const,
    );
    if (known === null) return { outcome: "foreign" };
    if (before !== null) return { outcome: "known", forkId: before };
    const fork = this.#ownForm(evidence, known);
    const report = verify(kernel.canonicalize(fork), { kind: "fork", trust: known.trust, kernel });
    const [problem = null] = report.problems;
    if (report.verdict !== "verified") return { outcome: report.verdict, problem };
    // The service may have signed both notes too. That is evidence against it, even if a witness is convicted too.
    if (kind === "witness") await this.keep(stream_id, evidence.left as Side, evidence.right as Side, ["note"]);
    const taken = await this.#store(fork, hash ?? contradictionHash(kernel, fork, report), known);
    if (taken.outcome === "kept") this.#context.channel.publish(forked, fork);
    return taken;
  }

  /** Resolves to what is known here of the evidence's stream or log; null if it is not one of this service. */
  async #known(reader: Reader, evidence: ForkEvidence): Promise<Known | null> {
    const { origin, signingKey } = this.#context;
    const subject = await subjectOf(reader, origin, evidence);
    if (subject === null) return null;
    const { stream } = subject;
    return { stream, trust: await forkTrust(reader, origin, stream), carried: await signingKey.carried(reader) };
  }

  /**
   * Returns evidence as it is kept. The service's keys come with it: a side of an old key and one of its successor
   * convict only if the evidence shows that the keys belong together, and a note names its key by four bytes alone.
   */
  #ownForm(evidence: ForkEvidence, { trust, carried }: Known): ForkEvidence {
    const { kernel, clock } = this.#context;
    const form = storedForm(kernel, evidence, trust.witnesses ?? []);
    const witnesses = form.kind === "witness" ? (trust.witnesses ?? []) : [];
    const hints = witnesses.map(({ public_key_hex }) => keyHint(kernel, public_key_hex));
    return {
      ...form,
      fork_id: newId("frk"),
      detected_at: serviceTime(clock()),
      key_hints: [...carried.key_hints, ...hints],
      ...(carried.key_endorsements.length === 0 ? {} : { key_endorsements: carried.key_endorsements }),
    };
  }

  async #store(fork: ForkEvidence, sidesHash: HashHex, { stream, trust }: Known): Promise<TakenFork> {
    const { kernel } = this.#context;
    const convictedBy = (one: ForkEvidence) =>
      equivocatingWitnesses(kernel, one, trust.witnesses ?? []).map(({ public_key_hex }) => public_key_hex);
    return this.#context.database.write(async (writer) => {
      await lockForks(writer);
      const before = await forkOfSides(writer, fork.stream_id, sidesHash);
      if (before !== null) return { outcome: "known", forkId: before };
      const kept = (await forksAfter(writer, fork.stream_id, 0, MOST_FORKS)).map((one) => one.fork);
      const accused = convictedBy(fork);
      const told = kept.filter((one) => convictedBy(one).some((key) => accused.includes(key)));
      const [first] = told;
      // One proof that a witness lies is enough, and it can make others without end.
      if (first !== undefined && accused.every((key) => told.some((one) => convictedBy(one).includes(key))))
        return { outcome: "known", forkId: first.fork_id };
      if (!hasRoomFor(fork, kept)) return { outcome: "full" };
      await insertFork(writer, { tenantId: stream?.tenant_id ?? null, fork, sidesHash });
      return { outcome: "kept", forkId: fork.fork_id };
    });
  }
}

/** The storing, as others call it. */
export const forkRecordsPart = part("fork records", (context: Context) => new ForkRecords(context));
