/**
 * Forks of this service's own streams (protocol section 11): what it has signed and its database does not hold, as after the restore of a
 * stale backup or with two copies of a deployment. Only evidence that verifies under its own keys is kept, each pair of signatures once, so
 * that strangers cannot fill the table. Hashes and times are compared first: evidence is made only where they differ.
 */
import {
  type Bundle,
  type Checkpoint,
  checkpointHash,
  encodeHex,
  type ForkEvidence,
  type ForkKind,
  findFork,
  type HashHex,
  type Json,
  type JsonObject,
  type PortableReceipt,
  type ReceiptRecord,
  type RedactedRecord,
  type Report,
  redactRecord,
  type StreamSegment,
  verify,
  type Window,
  windowHash,
} from "@svc/core";
import { serviceTime } from "../clock.ts";
import type { Foundation } from "../foundation.ts";
import { type Page, type PageRequest, pageOf } from "../http/pages.ts";
import { newId } from "../ids.ts";
import { checkpointByWindowCount } from "../sealing/checkpoints-store.ts";
import { windowByNo } from "../sealing/windows-store.ts";
import type { Reader } from "../store/database.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import type { Principal } from "../tenancy/principal.ts";
import { ownTrust } from "../tenancy/service-store.ts";
import { forksAfter, hasFork, insertFork, streamEnd } from "./forks-store.ts";

/** Kinds of which both sides are sealed. A note can be varied by whoever hands it in. */
const SEALED_KINDS: readonly ForkKind[] = ["head", "chain", "window", "checkpoint"];

/** Told of each fork that is new, and of what went wrong while one was looked for. */
export interface ForkListener {
  readonly onFork: (fork: ForkEvidence) => void;
  readonly onError: (error: unknown) => void;
}

/** The latest of an object: it commits to all that came before. */
interface Latest {
  readonly records: readonly ReceiptRecord[];
  readonly window: Window | undefined;
  readonly checkpoint: Checkpoint | undefined;
}

type Side = RedactedRecord | Window | Checkpoint;

export class Forks {
  readonly #ground: Pick<Foundation, "database" | "kernel" | "clock" | "origin" | "signingKey">;
  readonly #listener: ForkListener;

  constructor(
    ground: Pick<Foundation, "database" | "kernel" | "clock" | "origin" | "signingKey">,
    listener: ForkListener,
  ) {
    this.#ground = ground;
    this.#listener = listener;
  }

  /** Holds an object that has been verified against the database, and keeps what contradicts it. Never throws. */
  async look(bytes: Uint8Array, { kind }: Pick<Report, "kind">): Promise<void> {
    const { kernel, database } = this.#ground;
    try {
      const parsed = kernel.parseJson(bytes);
      const latest = parsed.ok ? latestOf(kind, parsed.value) : null;
      if (latest === null) return;
      for (const [ours, theirs] of await database.read((reader) => this.#differing(reader, latest)))
        await this.#keep(ours, theirs, SEALED_KINDS);
    } catch (error) {
      this.#listener.onError(error);
    }
  }

  /** Holds the last note that the managed witness cosigned against a checkpoint that it refuses. Never throws. */
  async lookAtNote(signedNote: string, checkpoint: Checkpoint): Promise<void> {
    try {
      await this.#keep(signedNote, checkpoint, ["note"]);
    } catch (error) {
      this.#listener.onError(error);
    }
  }

  /** The evidence about a stream that the principal may see, in the order in which it was found. */
  forks(principal: Principal, streamId: string, page: PageRequest<number>): Promise<Page<ForkEvidence>> {
    return this.#ground.database.read(async (reader) => {
      const { stream_id } = await visibleStream(reader, principal, streamId);
      const found = await forksAfter(reader, stream_id, page.after ?? 0, page.limit + 1);
      return pageOf(found, page, { position: ({ forkNo }) => forkNo, item: ({ fork }) => fork });
    });
  }

  /** Pairs of what the database holds and what the object states at the same place, where they differ. */
  async #differing(reader: Reader, { records, window, checkpoint }: Latest): Promise<[Side, Side][]> {
    const { kernel } = this.#ground;
    const streamId = (checkpoint ?? window ?? records[0])?.stream_id ?? "";
    const end = await streamEnd(reader, streamId);
    if (end === null) return [];
    const pairs: [Side, Side][] = [];
    // Where the object goes further than the stream: the last of its records that the stream has, or the one behind.
    const last = records.findLast(({ seq_no }) => seq_no <= end.head_seq_no) ?? records[0];
    if (last !== undefined) {
      const at = Math.min(last.seq_no, end.head_seq_no);
      const [row] = await eventsOfRange(reader, end.tenant_id, streamId, at, at);
      const expected = at === last.seq_no ? last.event_hash : last.previous_event_hash;
      const isNear = last.seq_no - at <= 1;
      if (row !== undefined && isNear && row.event_hash !== expected)
        pairs.push([redactRecord(recordOf(row, false)), redactRecord(last)]);
    }
    if (window !== undefined) {
      const ours = await windowByNo(reader, streamId, window.window_no);
      if (ours !== null && windowHash(kernel, ours) !== windowHash(kernel, window)) pairs.push([ours, window]);
    }
    if (checkpoint !== undefined) {
      const ours = await checkpointByWindowCount(reader, streamId, checkpoint.window_count);
      if (ours !== null && ours.checkpointHash !== checkpointHash(kernel, checkpoint))
        pairs.push([ours.checkpoint, checkpoint]);
    }
    for (const side of [window, checkpoint]) {
      if (side === undefined || pairs.length > 0) continue;
      const [row] = await eventsOfRange(reader, end.tenant_id, streamId, side.to_seq_no, side.to_seq_no);
      if (row !== undefined && row.stream_head_hash !== side.stream_head_hash)
        pairs.push([redactRecord(recordOf(row, false)), side]);
    }
    return pairs;
  }

  async #keep(ours: Side | string, theirs: Side, kinds: readonly ForkKind[]): Promise<void> {
    const { kernel, database, clock, origin, signingKey } = this.#ground;
    const hash = this.#sidesHash(ours, theirs);
    const [isKnown, trust, carried] = await database.read(
      async (reader) =>
        [await hasFork(reader, hash), await ownTrust(reader, origin), await signingKey.carried(reader)] as const,
    );
    if (isKnown) return;
    const options = { fork_id: newId("frk"), detected_at: serviceTime(clock()), trust, kinds, kernel };
    const found = findFork(ours as unknown as Json, theirs as unknown as Json, options);
    if (found === null || found.stream_id === null) return;
    const { stream_id } = found;
    // A side each of an old key and of its successor convicts only where it is seen that they belong together.
    const fork = carried.key_endorsements.length === 0 ? found : { ...found, ...carried };
    const bytes = kernel.canonicalize(fork as unknown as Json);
    if (verify(bytes, { kind: "fork", trust, kernel }).verdict !== "verified") return;
    const isNew = await database.write(async (writer) => {
      const end = await streamEnd(writer, stream_id);
      return end !== null && (await insertFork(writer, end.tenant_id, stream_id, fork, hash));
    });
    if (isNew) this.#listener.onFork(fork);
  }

  /** Of both signatures, or of the text of a note of our own: members that no signature covers make no other evidence. */
  #sidesHash(...sides: readonly (Side | string)[]): HashHex {
    const signatures = sides.map(identityOf).sort();
    return encodeHex(this.#ground.kernel.sha256(Buffer.from(signatures.join(" ")))) as HashHex;
  }
}

function identityOf(side: Side | string): string {
  if (typeof side === "string") return side;
  return ("receipt" in side ? side.receipt : side.seal).signature;
}

/** The latest of a verified object; null where its kind shows none. */
function latestOf(kind: string | null, value: Json): Latest | null {
  const none = { records: [], window: undefined, checkpoint: undefined };
  const object = value as JsonObject as unknown;
  switch (kind) {
    case "receipt":
      return { ...none, records: [object as ReceiptRecord] };
    case "stream":
      return { ...none, records: (object as StreamSegment).records };
    case "window":
      return { ...none, window: signedPart(object as Window) };
    case "checkpoint":
      return { ...none, checkpoint: object as Checkpoint };
    case "consistency":
      return { ...none, checkpoint: (object as { to_checkpoint?: Checkpoint }).to_checkpoint };
    case "portable-receipt": {
      const { receipt, window, checkpoint } = object as PortableReceipt;
      return { records: [receipt], window: window === undefined ? undefined : signedPart(window), checkpoint };
    }
    case "bundle": {
      const { artifacts } = object as Bundle;
      return {
        records: artifacts["receipts.json"],
        window: artifacts["windows.json"].at(-1),
        checkpoint: artifacts["checkpoints.json"].at(-1),
      };
    }
    default:
      return null;
  }
}

/** A window without what its seal does not cover. */
function signedPart({ leaves: _leaves, inclusions: _inclusions, ...signed }: Window): Window {
  return signed;
}
