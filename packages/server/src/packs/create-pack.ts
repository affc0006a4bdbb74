/**
 * Audit packs: a range of a stream as a bundle that verifies without this server (protocol section 14). The range is extended to whole
 * windows, and to the end of the first checkpoint over it that its policy's witnesses have cosigned. Waits for nothing: where evidence
 * is lacking it says what.
 */
import {
  type Bundle,
  type BundleInput,
  hexToBytes,
  issueBundle,
  type Json,
  type JsonObject,
  keyHint,
  portableReceiptOf,
  type WitnessStatement,
} from "@svc/core";
import { serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { canonicalPieces } from "../http/canonical-pieces.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import { MAX_PACK_EVENTS, MAX_PACK_PAYLOAD_BYTES } from "../limits.ts";
import {
  checkpointByWindowCount,
  checkpointsOverWindows,
  firstWitnessedOver,
  newestWitnessedSeqNo,
  type StoredCheckpoint,
} from "../sealing/checkpoints-store.ts";
import { frontierAfter } from "../sealing/frontier.ts";
import { windowHashes, windowOfEvent, windowsOfRange } from "../sealing/windows-store.ts";
import type { Reader } from "../store/database.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import type { Principal } from "../tenancy/principal.ts";
import { policyVersions } from "../witnesses/policies-store.ts";
import { statementsOfRange } from "../witnesses/witness-state-store.ts";
import { payloadBytes } from "./pack-size-store.ts";

export interface PackRequest {
  readonly stream_id: string;
  readonly from_seq_no: number;
  readonly to_seq_no: number;
  readonly payloads?: "included" | "redacted";
}

/** What was chosen for a pack, by which the same one can be made again. */
interface PackRecord {
  readonly bundle_id: string;
  readonly created_at: string;
  /** The window count of its last checkpoint. */
  readonly window_count: number;
  /** Its witness statements: others may come in later. */
  readonly statements: readonly string[];
}

/** Down to the lists of a bundle: its artifacts, its manifest. */
const BUNDLE_LEVELS = 2;

/** Of a bundle that nobody gets to see. */
const UNUSED_TIME = "1970-01-01T00:00:00.000Z";

type Collected = Omit<BundleInput, "bundle_id" | "created_at" | "stream_id" | "key_hints" | "key_endorsements">;

export class CreatePack {
  readonly #ground: Foundation;
  readonly #idempotency: Idempotency;

  constructor(ground: Foundation, idempotency: Idempotency) {
    this.#ground = ground;
    this.#idempotency = idempotency;
  }

  /** The bundle as canonical JSON, which verifiers read fastest and in the least memory, in pieces. */
  async create(principal: Principal, request: PackRequest, idempotencyKey: string): Promise<Iterable<Uint8Array>> {
    const { database, clock } = this.#ground;
    if (request.from_seq_no > request.to_seq_no)
      throw new ServiceError("invalid_request", "The range ends before it starts.", {
        problems: [{ path: "/to_seq_no", message: `must be at least from_seq_no, ${request.from_seq_no}` }],
      });
    const repeatable = {
      principal,
      route: "POST /v2/audit/packs",
      key: idempotencyKey,
      target: "",
      body: request as unknown as JsonObject,
    };
    const { made, collected } = await database.read(async (reader) => {
      const before = await this.#idempotency.madeBefore(reader, repeatable);
      const kept = before?.result as PackRecord | undefined;
      return { made: kept ?? null, collected: await this.#collect(reader, principal, request, kept ?? null) };
    });
    if (made !== null) return this.#pieces(request, collected, made);

    const record: PackRecord = {
      bundle_id: newId("bundle"),
      created_at: serviceTime(clock()),
      window_count: collected.checkpoints.at(-1)?.window_count ?? 0,
      statements: collected.witnesses.statements.map(nameOf),
    };
    // Made first: only a pack that can be handed out is recorded as one.
    const pieces = await this.#pieces(request, collected, record);
    const { bundle_id, created_at } = record;
    const range = { from_seq_no: collected.records[0]?.seq_no ?? 0, to_seq_no: collected.records.at(-1)?.seq_no ?? 0 };
    const detail = { bundle_id, ...range, payloads: request.payloads ?? "included" };
    const isFirst = await database.write(async (writer) => {
      // Another request with this key may have been quicker.
      if ((await this.#idempotency.madeBefore(writer, repeatable)) !== null) return false;
      await recordAccess(writer, principal, "audit_pack.created", request.stream_id, detail, created_at);
      const kept = { streamId: request.stream_id, fromSeqNo: 0, toSeqNo: 0, result: record as unknown as JsonObject };
      await this.#idempotency.keep(writer, repeatable, kept, created_at);
      return true;
    });
    return isFirst ? pieces : this.create(principal, request, idempotencyKey);
  }

  /** The portable receipt of one event, which shows it with everything that proves it and with no other (protocol section 13). */
  async portableReceipt(
    principal: Principal,
    { stream_id, seq_no }: { stream_id: string; seq_no: number },
  ): Promise<string> {
    const { database, kernel } = this.#ground;
    const request = { stream_id, from_seq_no: seq_no, to_seq_no: seq_no };
    const collected = await database.read((reader) => this.#collect(reader, principal, request, null));
    const bundle = await this.#bundle(request, collected, { bundle_id: newId("bundle"), created_at: UNUSED_TIME });
    return Buffer.from(kernel.canonicalize(portableReceiptOf(kernel, bundle, seq_no) as unknown as Json)).toString(
      "utf8",
    );
  }

  async #pieces(request: PackRequest, collected: Collected, record: PackRecord): Promise<Iterable<Uint8Array>> {
    const bundle = await this.#bundle(request, collected, record);
    return canonicalPieces(this.#ground.kernel, bundle as unknown as Json, BUNDLE_LEVELS);
  }

  #bundle(
    request: PackRequest,
    collected: Collected,
    { bundle_id, created_at }: Pick<PackRecord, "bundle_id" | "created_at">,
  ): Promise<Bundle> {
    const { kernel, signer } = this.#ground;
    return issueBundle(kernel, signer, {
      bundle_id,
      created_at,
      stream_id: request.stream_id,
      ...collected,
      key_hints: [keyHint(kernel, signer.publicKeyHex)],
      key_endorsements: [],
    });
  }

  /** What a pack holds; with a record, what the pack of that record held, but for payloads that have been erased since. */
  async #collect(reader: Reader, principal: Principal, request: PackRequest, record: PackRecord | null) {
    const { stream_id, from_seq_no, payloads = "included" } = request;
    const stream = await visibleStream(reader, principal, stream_id);
    const last =
      record === null
        ? await firstWitnessedOver(reader, stream_id, request.to_seq_no)
        : await checkpointByWindowCount(reader, stream_id, record.window_count);
    const firstWindow = await windowOfEvent(reader, stream_id, from_seq_no);
    if (last === null || firstWindow === null) throw await evidenceMissing(reader, stream, request);

    const { window_count, to_seq_no } = last.checkpoint;
    const size = to_seq_no - firstWindow.from_seq_no + 1;
    if (size > MAX_PACK_EVENTS)
      throw new ServiceError(
        "range_too_large",
        `Extended to whole windows and checkpoints the range holds ${size} events, and a pack at most ${MAX_PACK_EVENTS}. Ask for several smaller ranges.`,
      );
    const bytes = await payloadBytes(reader, stream_id, firstWindow.from_seq_no, to_seq_no);
    if (bytes > MAX_PACK_PAYLOAD_BYTES)
      throw new ServiceError(
        "range_too_large",
        `Extended to whole windows and checkpoints the range holds ${bytes} bytes of payloads, and a pack at most ${MAX_PACK_PAYLOAD_BYTES}. Ask for several smaller ranges.`,
      );
    const windows = await windowsOfRange(reader, stream_id, firstWindow.window_no, window_count);
    const stored = await checkpointsOverWindows(reader, stream_id, firstWindow.window_no, window_count);
    const checkpoints = stored.map(({ checkpoint }) => checkpoint);
    const rows = await eventsOfRange(reader, stream.tenant_id, stream_id, firstWindow.from_seq_no, to_seq_no);

    const named = new Set(
      [...windows, ...checkpoints].flatMap((one) => [one.policy_digest, one.witness_policy_digest]),
    );
    const versions = await policyVersions(reader, stream.policy_id);
    const statements = await statementsOfRange(reader, stream_id, checkpoints[0]?.window_count ?? 0, window_count);
    const wanted = record === null ? null : new Set(record.statements);
    return {
      records: rows.map((row) => recordOf(row, payloads === "included")),
      windows,
      checkpoints,
      witnesses: {
        policies: versions.filter((version) => named.has(version.policyDigest)).map((version) => version.policy),
        witness_policies: versions
          .filter((version) => named.has(version.witnessPolicyDigest))
          .map((version) => version.witnessPolicy),
        statements: statements.filter((statement) => wanted === null || wanted.has(nameOf(statement))),
      },
      prior: await this.#prior(reader, stream_id, firstWindow.window_no - 1, stored[0]),
    };
  }

  /** The checkpoint tree before the first window: the first checkpoint's own frontier, moved over its windows before that one. */
  async #prior(reader: Reader, streamId: string, windowCount: number, first: StoredCheckpoint | undefined) {
    if (first === undefined) throw new Error(`the checkpoints of ${streamId} do not cover its windows`);
    const { checkpoint, frontierBefore } = first;
    const before = checkpoint.window_count - checkpoint.window_roots.length;
    const skipped = await windowHashes(reader, streamId, before + 1, windowCount);
    const frontier = frontierAfter(this.#ground.kernel, before, frontierBefore, skipped);
    return { window_count: windowCount, frontier: frontier.map(hexToBytes) };
  }
}

function nameOf({ checkpoint_id, witness_id, key_epoch }: WitnessStatement): string {
  return `${checkpoint_id} ${witness_id} ${key_epoch}`;
}

/** What the range lacks, step by step. */
async function evidenceMissing(reader: Reader, stream: StreamRow, { to_seq_no, stream_id }: PackRequest) {
  const reached = [
    { evidence: "events", to_seq_no: stream.head_seq_no },
    { evidence: "windows", to_seq_no: stream.windowed_to_seq_no },
    { evidence: "checkpoints", to_seq_no: stream.checkpointed_to_seq_no },
    { evidence: "witness_statements", to_seq_no: await newestWitnessedSeqNo(reader, stream_id) },
  ];
  const missing = reached
    .filter((step) => step.to_seq_no < to_seq_no)
    .map((step) => ({ evidence: step.evidence, reaches_to_seq_no: step.to_seq_no, needed_to_seq_no: to_seq_no }));
  const [first] = missing;
  const next =
    first?.evidence === "events"
      ? "Ask for a range that ends at or before the last event."
      : "Evidence follows within seconds: watch GET /v2/streams/{id}/proof-state and ask again.";
  return new ServiceError(
    "evidence_missing",
    `The range to event ${to_seq_no} lacks ${missing.map((step) => step.evidence.replace("_", " ")).join(", ")}. ${next}`,
    { stream_id, missing },
  );
}
