/**
 * Forks of this service's own streams and log (protocol section 11): objects that it has signed and that its database
 * contradicts, such as after the restore of a stale backup or with two copies of a deployment, and evidence from
 * outside. Hashes and times are compared first: evidence is made only if they differ.
 */
import type { Page, PageRequest } from "@svc/api";
import { checkpointHash, type ForkEvidence, type ForkKind, type Report, redactRecord, windowHash } from "@svc/core";
import { pageOf } from "@svc/host/http/pages";
import type { Remote } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import type { AnsweringContext } from "../context.ts";
import { failed } from "../notices.ts";
import { checkpointByWindowCount } from "../sealing/checkpoints-store.ts";
import { windowByNo } from "../sealing/windows-store.ts";
import { newestEpoch } from "../service-log/epochs-store.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import { differingEpochs } from "./differing-epochs.ts";
import { type ForkRecords, forkRecordsPart, type Side, type TakenFork } from "./fork-records.ts";
import { forksAfter, streamEnd } from "./forks-store.ts";
import type { Latest } from "./latest.ts";
import { subjectOf } from "./subject.ts";

type Problem = Report["problems"][number];

/** The kinds whose sides are both sealed. A stranger could vary a note without end. */
const SEALED_KINDS: readonly ForkKind[] = ["head", "chain", "window", "checkpoint", "epoch"];

/** Finds and shows the forks of a deployment. */
export class Forks {
  readonly #context: Pick<AnsweringContext, "database" | "kernel" | "channel" | "origin">;
  readonly #evidence: Remote<ForkRecords>;

  constructor(context: Pick<AnsweringContext, "database" | "kernel" | "channel" | "origin" | "parts">) {
    this.#context = context;
    this.#evidence = context.parts.use(forkRecordsPart);
  }

  /** Resolves to the end of a stream, of any tenant, or of the service log, as `latestOf` asks for it. */
  headOf(streamId: string | null): Promise<number | null> {
    return this.#context.database.read(async (reader) =>
      streamId === null
        ? ((await newestEpoch(reader))?.epoch_no ?? null)
        : ((await streamEnd(reader, streamId))?.head_seq_no ?? null),
    );
  }

  /**
   * Compares the latest part of a verified object with the database, and stores evidence of a contradiction. Never
   * rejects; it publishes errors.
   */
  async look(latest: Latest): Promise<void> {
    try {
      const { ofStream, ofLog } = await this.#context.database.read(async (reader) => ({
        ofStream: await this.#differing(reader, latest),
        ofLog: await differingEpochs(reader, latest.anchors),
      }));
      for (const [ours, theirs] of ofStream) await this.#evidence.keep(latest.streamId, ours, theirs, SEALED_KINDS);
      for (const [ours, theirs] of ofLog) await this.#evidence.keep(null, ours, theirs, SEALED_KINDS);
    } catch (error) {
      this.#context.channel.publish(failed, error);
    }
  }

  /**
   * Resolves to a page of the evidence about a stream, in the order in which it was found. Rejects with
   * `stream_not_found` and `stream_forbidden`.
   */
  forks(principal: Principal, streamId: string, page: PageRequest<number>): Promise<Page<ForkEvidence>> {
    return this.#context.database.read(async (reader) => {
      const { stream_id } = await visibleStream(reader, principal, streamId);
      return pageOfForks(reader, stream_id, page);
    });
  }

  /** Resolves to a page of the evidence about the service's own log, in the order in which it was found. */
  ofLog(page: PageRequest<number>): Promise<Page<ForkEvidence>> {
    return this.#context.database.read((reader) => pageOfForks(reader, null, page));
  }

  /**
   * Stores anybody's evidence, and resolves to its fate. `distrusted`: the first problem of a verdict under the
   * service's own keys that is `untrusted`; null if it is `verified`. Rejects with the errors of the store.
   */
  async take(evidence: ForkEvidence, distrusted: Problem | null): Promise<TakenFork> {
    // Only witnesses are not among those keys: nothing else of strangers reaches the side that records.
    if (distrusted === null || evidence.kind === "witness") return this.#evidence.take(evidence);
    const { database, origin } = this.#context;
    const subject = await database.read((reader) => subjectOf(reader, origin, evidence));
    return subject === null ? { outcome: "foreign" } : { outcome: "untrusted", problem: distrusted };
  }

  /** Resolves to the pairs of the database's and the object's statements about the same place that differ. */
  async #differing(reader: Reader, { streamId, record, window, checkpoints }: Latest): Promise<[Side, Side][]> {
    const { kernel } = this.#context;
    const end = streamId === null ? null : await streamEnd(reader, streamId);
    if (streamId === null || end === null) return [];
    const pairs: [Side, Side][] = [];
    if (record !== undefined) {
      const at = Math.min(record.seq_no, end.head_seq_no);
      const [row] = await eventsOfRange(reader, end.tenant_id, streamId, at, at);
      const expected = at === record.seq_no ? record.event_hash : record.previous_event_hash;
      const isNear = record.seq_no - at <= 1;
      if (row !== undefined && isNear && row.event_hash !== expected)
        pairs.push([redactRecord(recordOf(row, false)), redactRecord(record)]);
    }
    if (window !== undefined) {
      const ours = await windowByNo(reader, streamId, window.window_no);
      if (ours !== null && windowHash(kernel, ours) !== windowHash(kernel, window)) pairs.push([ours, window]);
    }
    for (const checkpoint of checkpoints) {
      const ours = await checkpointByWindowCount(reader, streamId, checkpoint.window_count);
      if (ours !== null && ours.checkpointHash !== checkpointHash(kernel, checkpoint))
        pairs.push([ours.checkpoint, checkpoint]);
    }
    for (const side of [window, ...checkpoints]) {
      if (side === undefined || pairs.length > 0) continue;
      const [row] = await eventsOfRange(reader, end.tenant_id, streamId, side.to_seq_no, side.to_seq_no);
      if (row !== undefined && row.stream_head_hash !== side.stream_head_hash)
        pairs.push([redactRecord(recordOf(row, false)), side]);
    }
    return pairs;
  }
}

/** `streamId`: null for the service's own log. */
async function pageOfForks(
  reader: Reader,
  streamId: string | null,
  page: PageRequest<number>,
): Promise<Page<ForkEvidence>> {
  const rows = await forksAfter(reader, streamId, page.after ?? 0, page.limit + 1);
  return pageOf({ rows, end: null }, page, { place: ({ forkNo }) => [forkNo], item: ({ fork }) => fork });
}
