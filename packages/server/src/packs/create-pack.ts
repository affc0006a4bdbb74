/**
 * Audit packs: a range of a stream as a bundle that can be verified without this server (protocol section 14). The
 * content is chosen and written beside the answering thread (write-pack.ts); this file requests, records and bounds it.
 */
import { MAX_PACKS_AT_ONCE, MAX_PERMIT_WAIT_MS } from "@svc/api/limits";
import { serviceTime } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import type { Remote } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import { Semaphore } from "@svc/host/semaphore";
import type { AnsweringContext } from "../context.ts";
import { feedingSettings } from "../feeding/settings.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import { type DemandSeal, demandSealPart } from "../sealing/demand-seal.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import { type EventRange, statementName } from "./collect-evidence.ts";
import { lacksOnlySeals, type MissingEvidence } from "./missing-evidence.ts";
import { type PackRecords, packRecordsPart } from "./pack-records.ts";
import { packArchivedRead, packChoiceRead, packRead } from "./reads.ts";
import type { PackRecord } from "./write-pack.ts";

/** An audit pack on its way. */
export interface MadePack {
  /** The bundle as canonical JSON. */
  readonly pieces: AsyncIterable<Uint8Array>;
  /** Whether its last checkpoint lacks cosignatures that its witness policy asks for. */
  readonly lacksQuorum: boolean;
}

/** A request for an audit pack. */
export type PackRequest = EventRange & {
  readonly stream_id: string;
  readonly payloads?: "included" | "redacted";
};

const RETRY_AFTER_S = 10;

type PackContext = Pick<AnsweringContext, "database" | "clock" | "readings" | "parts" | "settings">;

/** Makes the audit packs of a deployment. */
export class CreatePack {
  readonly #context: PackContext;
  readonly #idempotency: Idempotency;
  readonly #records: Remote<PackRecords>;
  readonly #demandSeal: Remote<DemandSeal>;
  /** Whether cosignatures can still be on their way when a quorum is met. */
  readonly #hasWitnesses: boolean;
  readonly #semaphore: Semaphore;

  /** `waitMs`: how long a pack waits for others of its system. */
  constructor(context: PackContext, idempotency: Idempotency, waitMs: number = MAX_PERMIT_WAIT_MS) {
    this.#context = context;
    this.#idempotency = idempotency;
    this.#records = context.parts.use(packRecordsPart);
    this.#demandSeal = context.parts.use(demandSealPart);
    this.#hasWitnesses = context.settings(feedingSettings).witnesses.length > 0;
    // A client may take a pack as slowly as it likes, and meanwhile each pack holds a portion of payloads in memory.
    this.#semaphore = new Semaphore({ permits: MAX_PACKS_AT_ONCE, waitMs, refusal: busy });
  }

  /**
   * Resolves to the bundle as canonical JSON in pieces; verifiers read that form fastest and in the least memory. The
   * pack is recorded before its first piece is read; a client that loses the rest can ask again with the same
   * Idempotency-Key. Events that are not sealed yet are sealed first. If cosignatures do not come in time, the witness
   * policy decides whether the pack is made without them; resolves to the missing steps if it is not. Rejects with
   * `invalid_request`, `key_busy`, `range_too_large`, `archive_unavailable`, `archive_damaged` and the refusals of
   * `visibleStream` and of Idempotency-Keys.
   */
  async create(
    principal: Principal,
    request: PackRequest,
    idempotencyKey: string,
  ): Promise<MadePack | MissingEvidence> {
    const release = await this.#semaphore.acquire(principal.id);
    try {
      const made = await this.#create(principal, request, idempotencyKey);
      if (!("missing" in made)) return { ...made, pieces: endedBy(release, made.pieces) };
      release();
      return made;
    } catch (error) {
      release();
      throw error;
    }
  }

  async #create(
    principal: Principal,
    request: PackRequest,
    idempotencyKey: string,
  ): Promise<MadePack | MissingEvidence> {
    const { database, clock } = this.#context;
    if (request.from_seq_no > request.to_seq_no)
      throw new ServiceError("invalid_request", "The range ends before it starts.", {
        problems: [{ path: "/to_seq_no", message: `must be at least from_seq_no, ${request.from_seq_no}` }],
      });
    const repeatable = {
      principal,
      route: "POST /v2/audit/packs",
      key: idempotencyKey,
      target: "",
      body: request,
    };
    const { tenantId, id: asker } = principal;
    const { stream_id, from_seq_no, to_seq_no, payloads = "included" } = request;
    const stream = { tenantId, streamId: stream_id };
    const choose = (kept: PackRecord | null, hasWaited: boolean) =>
      this.#context.readings.read(asker, packChoiceRead, {
        ...stream,
        range: { from_seq_no, to_seq_no },
        kept,
        hasWaited,
      });
    const write = ({ from_seq_no, to_seq_no }: EventRange, record: PackRecord): MadePack => ({
      pieces: this.#context.readings.pieces(asker, packRead, {
        ...stream,
        range: { from_seq_no, to_seq_no },
        payloads,
        record,
      }),
      lacksQuorum: record.lacksQuorum === true,
    });
    const made = await database.read(async (reader) => {
      const before = await this.#idempotency.replay(reader, repeatable);
      await visibleStream(reader, principal, stream_id);
      return (before?.result as PackRecord | undefined) ?? null;
    });
    let chosen = await choose(made, false);
    if ("missing" in chosen && lacksOnlySeals(chosen)) {
      await this.#demandSeal.seal(tenantId, stream_id, to_seq_no);
      chosen = await choose(made, true);
    }
    if ("missing" in chosen) return chosen;
    if (made === null && this.#hasWitnesses) {
      const have = new Set(chosen.evidence.statements);
      const settled = await this.#demandSeal.settle(stream_id, chosen.lastCheckpointId);
      // One can have come between the choice and the first look as well.
      if (settled.some((statement) => !have.has(statementName(statement)))) chosen = await choose(null, true);
    }
    if ("missing" in chosen) return chosen;
    if (payloads === "included")
      await this.#context.readings.read(asker, packArchivedRead, { ...stream, range: chosen.extended });
    if (made !== null) return write(request, made);

    const { evidence, extended } = chosen;
    const record: PackRecord = { bundle_id: newId("bundle"), created_at: serviceTime(clock()), ...evidence };
    const { bundle_id } = record;
    const detail = {
      bundle_id,
      ...extended,
      payloads,
      ...(evidence.lacksQuorum ? { lacks: "witness_statements" } : {}),
    };
    const isFirst = await this.#records.keep({ principal, request: repeatable, streamId: stream_id, record, detail });
    return isFirst ? write(request, record) : this.#create(principal, request, idempotencyKey);
  }
}

function busy(): ServiceError {
  return new ServiceError(
    "key_busy",
    `This system fetches ${MAX_PACKS_AT_ONCE} packs at a time already. Ask again when one of them is whole.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}

/** Yields the same pieces. `end` is called after the last one, or when nobody wants the rest. */
async function* endedBy(end: () => void, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}
