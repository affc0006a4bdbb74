/**
 * Reads sealed evidence: windows with inclusion proofs, checkpoints, and the proof that one extends another. All of it
 * is hashes, keys and times, which anybody may see; payloads, source references and tenant names never pass here.
 */
import type { Page, PageRequest, ProofState } from "@svc/api";
import { type Checkpoint, type Consistency, issueInclusion, issueTlogPolicy, type Window } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { pageOf } from "@svc/host/http/pages";
import type { Principal } from "@svc/host/principal";
import type { Reader } from "@svc/host/store";
import { anchorState } from "../anchoring/anchor-state.ts";
import type { ReadContext } from "../context.ts";
import { policyByDigest, policyVersions } from "../policies/policies-store.ts";
import { anchoredSeqNo, publishedSeqNo } from "../service-log/published.ts";
import { signingKeys } from "../signing/service-store.ts";
import { hashesOfRange } from "../streams/events-store.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import {
  checkpointsAfter,
  findCheckpoint,
  newestCheckpoint,
  newestWitnessedSeqNo,
  type StoredCheckpoint,
} from "./checkpoints-store.ts";
import { cosignedNote } from "./cosigned-note.ts";
import { statementsOn } from "./statements-store.ts";
import { consistencyPath } from "./window-tree.ts";
import { findWindow, windowByNo, windowsOfRange } from "./windows-store.ts";
import { type StateContext, witnessStates } from "./witness-states.ts";

/** The facts about a deployment that the state of a stream depends on. */
export interface ProofStateContext extends Omit<StateContext, "kernel"> {
  /** Whether it anchors. */
  readonly isAnchoring: boolean;
}

/** Reads sealed evidence of a deployment. */
export class ReadEvidence {
  readonly #context: ReadContext;

  constructor(context: ReadContext) {
    this.#context = context;
  }

  /**
   * Resolves to a window. `leaves`: with all its leaves; `event`: with the inclusion of one event, named by sequence
   * number or id. Rejects with `window_not_found` and `event_not_in_window`.
   */
  window(windowId: string, { leaves, event }: { leaves: boolean; event: string | null }): Promise<Window> {
    const { database, kernel } = this.#context;
    return database.read(async (reader) => {
      const window = await findWindow(reader, windowId);
      if (window === null)
        throw new ServiceError("window_not_found", `There is no window ${JSON.stringify(windowId)}.`);
      if (!leaves && event === null) return window;
      const events = await hashesOfRange(reader, window.stream_id, window.from_seq_no, window.to_seq_no);
      const hashes = events.map((row) => row.event_hash);
      const asked = events.find((row) => row.stream_event_id === event || `${row.seq_no}` === event);
      if (event !== null && asked === undefined)
        throw new ServiceError(
          "event_not_in_window",
          `Window ${windowId} holds events ${window.from_seq_no} to ${window.to_seq_no}, and not ` +
            `${JSON.stringify(event)}.`,
        );
      return {
        ...window,
        ...(leaves ? { leaves: hashes } : {}),
        ...(asked === undefined ? {} : { inclusions: [issueInclusion(kernel, window, hashes, asked.seq_no)] }),
      };
    });
  }

  /**
   * Resolves to a checkpoint with the frontier before its windows, so that its root can be recomputed from it alone.
   * Rejects with `checkpoint_not_found`.
   */
  async checkpoint(checkpointId: string): Promise<Checkpoint> {
    const { checkpoint, frontierBefore } = await this.#context.database.read((reader) =>
      this.#find(reader, checkpointId),
    );
    return { ...checkpoint, frontier: [...frontierBefore] };
  }

  /**
   * Resolves to a checkpoint as a C2SP signed note, with the lines of the witnesses that have cosigned it so far.
   * Rejects with `checkpoint_not_found`.
   */
  note(checkpointId: string): Promise<string> {
    const { database, kernel } = this.#context;
    return database.read(async (reader) => {
      const { checkpoint } = await this.#find(reader, checkpointId);
      const named = await policyByDigest(reader, checkpoint.policy_id, checkpoint.witness_policy_digest);
      const statements = await statementsOn(reader, checkpoint);
      return cosignedNote(kernel, checkpoint, named?.witnessPolicy.witnessKeys ?? [], statements);
    });
  }

  /**
   * Resolves to the C2SP tlog-policy for the notes of a checkpoint's stream, under the key and the witness policy that
   * the checkpoint names. Rejects with `checkpoint_not_found`.
   */
  tlogPolicy(checkpointId: string): Promise<string> {
    const { database, kernel } = this.#context;
    return database.read(async (reader) => {
      const { checkpoint } = await this.#find(reader, checkpointId);
      const { policy_id, witness_policy_digest, origin, seal } = checkpoint;
      const named = await policyByDigest(reader, policy_id, witness_policy_digest);
      const key = (await signingKeys(reader)).find(({ kid }) => kid === seal.kid);
      if (named === null || key === undefined) throw new Error(`checkpoint ${checkpointId} names what is not here`);
      return issueTlogPolicy(kernel, origin, key.public_key_hex, named.witnessPolicy);
    });
  }

  /**
   * Resolves to a page of the windows of a stream, in order. Rejects with `stream_not_found` and `stream_forbidden`.
   */
  windows(principal: Principal, streamId: string, page: PageRequest<number>): Promise<Page<Window>> {
    return this.#context.database.read(async (reader) => {
      const { stream_id, window_count } = await visibleStream(reader, principal, streamId);
      const from = (page.after ?? 0) + 1;
      const rows = await windowsOfRange(reader, stream_id, from, Math.min(window_count, from + page.limit));
      return pageOf({ rows, end: null }, page, { place: ({ window_no }) => [window_no], item: (window) => window });
    });
  }

  /**
   * Resolves to a page of the checkpoints of a stream, in order. Rejects with `stream_not_found` and
   * `stream_forbidden`.
   */
  checkpoints(principal: Principal, streamId: string, page: PageRequest<number>): Promise<Page<Checkpoint>> {
    return this.#context.database.read(async (reader) => {
      const { stream_id } = await visibleStream(reader, principal, streamId);
      const rows = await checkpointsAfter(reader, stream_id, page.after ?? 0, page.limit + 1);
      return pageOf({ rows, end: null }, page, {
        place: ({ checkpoint }) => [checkpoint.checkpoint_no],
        item: ({ checkpoint }) => checkpoint,
      });
    });
  }

  /**
   * Resolves to how far a stream is recorded, windowed, checkpointed, witnessed to its policy's threshold, published
   * and anchored, and to the state of each witness and of the anchor. Rejects with `stream_not_found` and
   * `stream_forbidden`.
   */
  proofState(principal: Principal, streamId: string, context: ProofStateContext): Promise<ProofState> {
    const { kernel } = this.#context;
    return this.#context.database.read(async (reader) => {
      const stream = await visibleStream(reader, principal, streamId);
      const window = await windowByNo(reader, streamId, stream.window_count);
      const checkpoint = await newestCheckpoint(reader, streamId);
      return {
        stream_id: streamId,
        head_seq_no: stream.head_seq_no,
        windowed_to_seq_no: stream.windowed_to_seq_no,
        checkpointed_to_seq_no: stream.checkpointed_to_seq_no,
        witnessed_to_seq_no: await newestWitnessedSeqNo(reader, streamId),
        published_to_seq_no: await publishedSeqNo(reader, streamId),
        anchored_to_seq_no: await anchoredSeqNo(reader, streamId),
        latest_window_id: window?.window_id ?? null,
        latest_checkpoint_id: checkpoint?.checkpoint_id ?? null,
        witnesses: checkpoint === null ? [] : await witnessStates(reader, checkpoint, { ...context, kernel }),
        anchor: checkpoint === null ? null : await this.#anchor(reader, stream, checkpoint, context),
      };
    });
  }

  async #anchor(
    reader: Reader,
    { tenant_id, policy_id }: StreamRow,
    checkpoint: Checkpoint,
    { isAnchoring }: ProofStateContext,
  ) {
    const versions = await policyVersions(reader, tenant_id, policy_id);
    const named = versions.find(({ policyDigest }) => policyDigest === checkpoint.policy_digest);
    return anchorState(reader, checkpoint, named?.policy.anchor ?? "none", isAnchoring);
  }

  /**
   * Resolves to the proof that a checkpoint extends an earlier one of the same stream. Rejects with
   * `checkpoint_not_found` and `checkpoint_not_earlier`.
   */
  consistency(checkpointId: string, earlierId: string): Promise<Consistency> {
    const { database, kernel, signingKey } = this.#context;
    return database.read(async (reader) => {
      const { checkpoint: to } = await this.#find(reader, checkpointId);
      const { checkpoint: from } = await this.#find(reader, earlierId);
      if (from.stream_id !== to.stream_id || from.checkpoint_no >= to.checkpoint_no)
        throw new ServiceError(
          "checkpoint_not_earlier",
          from.stream_id === to.stream_id
            ? `Checkpoint ${earlierId} has number ${from.checkpoint_no}, and ${checkpointId} number ` +
                `${to.checkpoint_no}. Name an earlier one as "from".`
            : `Checkpoints ${earlierId} and ${checkpointId} belong to different streams.`,
          { path: "?from" },
        );
      return {
        stream_id: to.stream_id,
        from_checkpoint: from,
        to_checkpoint: to,
        consistency_path: await consistencyPath(reader, kernel, to.stream_id, from.window_count, to.window_count),
        ...(await signingKey.carried(reader)),
      };
    });
  }

  async #find(reader: Reader, checkpointId: string): Promise<StoredCheckpoint> {
    const found = await findCheckpoint(reader, checkpointId);
    if (found === null)
      throw new ServiceError("checkpoint_not_found", `There is no checkpoint ${JSON.stringify(checkpointId)}.`);
    return found;
  }
}
