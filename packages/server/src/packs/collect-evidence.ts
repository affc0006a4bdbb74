/**
 * Collects the evidence of a range of a stream, without its records: the range is extended to whole windows, and to the
 * end of the first checkpoint over it that its policy's witnesses have cosigned (protocol section 14), or of the first
 * one at all where its policy lets packs go without them. An epoch of the service log that covers this checkpoint goes
 * with it, with its evidence of a chain where the policy asks for one. It waits for nothing: if evidence is missing, it
 * returns the missing steps.
 */
import { MAX_PACK_EVENTS, MAX_PACK_PAYLOAD_BYTES } from "@svc/api/limits";
import {
  type Anchor,
  type BundleSource,
  type ForkEvidence,
  hexToBytes,
  type Kernel,
  type Policy,
  type WitnessStatement,
} from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import type { Reader } from "@svc/host/store";
import { policyVersions } from "../policies/policies-store.ts";
import {
  checkpointByWindowCount,
  checkpointsOverWindows,
  firstCheckpointOver,
  firstWitnessedOver,
  lastWitnessedWithin,
  type StoredCheckpoint,
} from "../sealing/checkpoints-store.ts";
import { frontierAfter } from "../sealing/frontier.ts";
import { statementsOfRange } from "../sealing/statements-store.ts";
import { windowHashes, windowOfEvent, windowsOfRange } from "../sealing/windows-store.ts";
import { type ChosenEpoch, chosenAnchor, chosenEpoch, coveringEpoch } from "../service-log/covering-epoch.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { anchorDemand } from "./anchor-demand.ts";
import { type MissingEvidence, missingAnchor, missingEvidence } from "./missing-evidence.ts";
import { lastWithin, payloadBytes } from "./pack-size-store.ts";

/** A range of a stream's events, both ends included. */
export type EventRange = {
  readonly from_seq_no: number;
  readonly to_seq_no: number;
};

/** The evidence that was chosen, so that the same can be collected again: more may be added later. */
export type ChosenEvidence = {
  /** The window count of the last checkpoint. */
  readonly window_count: number;
  /** The witness statements, as `statementName` names them. */
  readonly statements: readonly string[];
  /** Whether the last checkpoint lacked cosignatures that its witness policy asks for; missing where it did not. */
  readonly lacksQuorum?: true;
  /** The epoch of the service log; null for none. Choices of earlier releases do not say it, and have none. */
  readonly epoch?: ChosenEpoch | null;
  /** The ids of the fork evidence; absent from a choice of a release that put none into bundles. */
  readonly forks?: readonly string[];
};

/** An earlier choice, or only the last checkpoint (`statements`: null), about which all that there is is collected. */
export type EvidenceWanted = Pick<ChosenEvidence, "window_count" | "epoch"> & {
  readonly statements: readonly string[] | null;
};

/** The limits of a bundle. */
export interface BundleLimits {
  readonly events: number;
  /** Null if payloads are counted elsewhere. */
  readonly payloadBytes: number | null;
}

/**
 * The limits of an export were checked when it was requested; its bundles also hold the neighbouring events of whole
 * windows and checkpoints.
 */
export const NO_LIMITS: BundleLimits = { events: Number.POSITIVE_INFINITY, payloadBytes: null };
const PACK_LIMITS: BundleLimits = { events: MAX_PACK_EVENTS, payloadBytes: MAX_PACK_PAYLOAD_BYTES };

/** The evidence, and the range as it was extended. */
export type CollectedEvidence = EventRange &
  Required<Pick<BundleSource, "windows" | "checkpoints" | "witnesses" | "anchors" | "prior">>;

/**
 * Resolves to the first checkpoint over an event, where it lacks cosignatures and its witness policy lets packs go
 * without them; null otherwise.
 */
export async function openCheckpointOver(
  reader: Reader,
  { stream_id, tenant_id, policy_id }: StreamRow,
  seqNo: number,
): Promise<StoredCheckpoint | null> {
  if ((await firstWitnessedOver(reader, stream_id, seqNo)) !== null) return null;
  const first = await firstCheckpointOver(reader, stream_id, seqNo);
  if (first === null) return null;
  const versions = await policyVersions(reader, tenant_id, policy_id);
  const named = versions.find(
    ({ witnessPolicyDigest }) => witnessPolicyDigest === first.checkpoint.witness_policy_digest,
  );
  return named?.whenUnmet === "open" ? first : null;
}

/**
 * Resolves to the evidence, or to the missing steps. `chosen`: null to choose now. Rejects with `range_too_large`.
 */
export async function collectEvidence(
  reader: Reader,
  kernel: Kernel,
  stream: StreamRow,
  range: EventRange,
  chosen: EvidenceWanted | null,
  limits = PACK_LIMITS,
): Promise<CollectedEvidence | MissingEvidence> {
  const { stream_id } = stream;
  const last =
    chosen === null
      ? await firstWitnessedOver(reader, stream_id, range.to_seq_no)
      : await checkpointByWindowCount(reader, stream_id, chosen.window_count);
  const firstWindow = await windowOfEvent(reader, stream_id, range.from_seq_no);
  if (last === null || firstWindow === null) return missingEvidence(reader, stream, range.to_seq_no);

  const { window_count, to_seq_no } = last.checkpoint;
  const { from_seq_no } = firstWindow;
  await requireFits(reader, stream_id, range, { from_seq_no, to_seq_no }, limits);
  const windows = await windowsOfRange(reader, stream_id, firstWindow.window_no, window_count);
  const stored = await checkpointsOverWindows(reader, stream_id, firstWindow.window_no, window_count);
  const checkpoints = stored.map(({ checkpoint }) => checkpoint);
  const named = new Set([...windows, ...checkpoints].flatMap((one) => [one.policy_digest, one.witness_policy_digest]));
  const versions = await policyVersions(reader, stream.tenant_id, stream.policy_id);
  const statements = await statementsOfRange(reader, stream_id, checkpoints[0]?.window_count ?? 0, window_count);
  const wanted = chosen?.statements == null ? null : new Set(chosen.statements);
  const demand = anchorDemand(versions, last.checkpoint);
  const anchor = await anchorOver(reader, kernel, last, chosen, demand);
  // An earlier choice was complete.
  if (demand === "required" && chosen?.statements == null && (anchor?.evidence ?? null) === null)
    return missingAnchor(reader, stream, to_seq_no);
  return {
    from_seq_no,
    to_seq_no,
    windows,
    checkpoints,
    witnesses: {
      policies: versions.filter((version) => named.has(version.policyDigest)).map((version) => version.policy),
      witness_policies: versions
        .filter((version) => named.has(version.witnessPolicyDigest))
        .map((version) => version.witnessPolicy),
      statements: statements.filter((statement) => wanted === null || wanted.has(statementName(statement))),
    },
    anchors: anchor === null ? [] : [anchor],
    prior: await treeBefore(reader, kernel, stream_id, firstWindow.window_no - 1, stored[0]),
  };
}

/** Returns the choice that leads to the same evidence again. `forks`: the evidence of forks beside it. */
export function choiceOf(
  { checkpoints, witnesses, anchors: [anchor] }: CollectedEvidence,
  forks: readonly ForkEvidence[],
): ChosenEvidence {
  return {
    window_count: checkpoints.at(-1)?.window_count ?? 0,
    statements: witnesses.statements.map(statementName),
    epoch: anchor === undefined ? null : chosenEpoch(anchor),
    forks: forks.map(({ fork_id }) => fork_id),
  };
}

/** Resolves to the epoch over the last checkpoint, if there is one. */
async function anchorOver(
  reader: Reader,
  kernel: Kernel,
  { checkpoint: { checkpoint_id } }: StoredCheckpoint,
  chosen: EvidenceWanted | null,
  demand: Policy["anchor"],
): Promise<Anchor | null> {
  if (chosen?.statements == null) return coveringEpoch(reader, kernel, checkpoint_id, demand !== "none");
  const epoch = chosen.epoch ?? null;
  return epoch === null ? null : chosenAnchor(reader, kernel, checkpoint_id, epoch);
}

/** Returns a name that identifies a witness statement within its stream. */
export function statementName({ checkpoint_id, witness_id, key_epoch }: WitnessStatement): string {
  return `${checkpoint_id} ${witness_id} ${key_epoch}`;
}

/**
 * Rejects with `range_too_large`, with the edges to which the range was extended, and with a range that fits, if there
 * is one.
 */
async function requireFits(
  reader: Reader,
  streamId: string,
  asked: EventRange,
  extended: EventRange,
  limits: BundleLimits,
): Promise<void> {
  const { from_seq_no, to_seq_no } = extended;
  const events = to_seq_no - from_seq_no + 1;
  if (events > limits.events) {
    const held = `${events} events, and at most ${limits.events} are taken`;
    throw await tooLarge(reader, streamId, asked, extended, held, from_seq_no + limits.events - 1);
  }
  if (limits.payloadBytes === null) return;
  const bytes = await payloadBytes(reader, streamId, from_seq_no, to_seq_no);
  if (bytes <= limits.payloadBytes) return;
  const last = await lastWithin(reader, streamId, extended, limits.payloadBytes);
  const held = `${bytes} bytes of payloads, and at most ${limits.payloadBytes} are taken`;
  throw await tooLarge(reader, streamId, asked, extended, held, last);
}

/** Resolves to the refusal. `last`: the last event with which a range from the same start would fit. */
async function tooLarge(
  reader: Reader,
  streamId: string,
  { from_seq_no: from }: EventRange,
  { from_seq_no, to_seq_no }: EventRange,
  held: string,
  last: number,
): Promise<ServiceError> {
  const edge = await lastWitnessedWithin(reader, streamId, from, Math.min(last, to_seq_no - 1));
  const next =
    edge === null
      ? `Its first checkpoint alone is too large: no smaller range that begins with event ${from} fits.`
      : `Ask for smaller ranges: events ${from} to ${edge}, and then from event ${edge + 1} on.`;
  return new ServiceError(
    "range_too_large",
    `Extended to whole windows and checkpoints, to events ${from_seq_no} to ${to_seq_no}, the range holds ` +
      `${held}. ${next}`,
    { from_seq_no, to_seq_no, ...(edge === null ? {} : { fits: { from_seq_no: from, to_seq_no: edge } }) },
  );
}

/**
 * Resolves to the checkpoint tree before the first window: the first checkpoint's own frontier, moved over its windows
 * before that one.
 */
async function treeBefore(
  reader: Reader,
  kernel: Kernel,
  streamId: string,
  windowCount: number,
  first: StoredCheckpoint | undefined,
) {
  if (first === undefined) throw new Error(`the checkpoints of ${streamId} do not cover its windows`);
  const { checkpoint, frontierBefore } = first;
  const before = checkpoint.window_count - checkpoint.window_roots.length;
  const skipped = await windowHashes(reader, streamId, before + 1, windowCount);
  const frontier = frontierAfter(kernel, before, frontierBefore, skipped);
  return { window_count: windowCount, frontier: frontier.map(hexToBytes) };
}
