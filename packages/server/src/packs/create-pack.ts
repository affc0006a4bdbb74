/**
 * Audit packs: a range of a stream as a bundle that verifies without this server (protocol section 14), written piece by piece.
 */
import { type JsonObject, writeBundle } from "@svc/core";
import { latest, serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { Places } from "../http/places.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import { MAX_PACKS_AT_ONCE, MAX_PLACE_WAIT_MS } from "../limits.ts";
import type { DemandSeal } from "../sealing/demand-seal.ts";
import { reached } from "../steps.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import type { Principal } from "../tenancy/principal.ts";
import {
  type ChosenEvidence,
  type CollectedEvidence,
  collectEvidence,
  type EventRange,
  lacksOnlySeals,
  statementName,
} from "./collect-evidence.ts";
import { noPayloads, payloadsOfRange, recordsOf } from "./read-records.ts";

export interface PackRequest extends EventRange {
  readonly stream_id: string;
  readonly payloads?: "included" | "redacted";
}

/** What was chosen for a pack, by which the same one can be made again. */
interface PackRecord extends ChosenEvidence {
  readonly bundle_id: string;
  readonly created_at: string;
}

const RETRY_AFTER_S = 10;

export class CreatePack {
  readonly #ground: Foundation;
  readonly #idempotency: Idempotency;
  readonly #demandSeal: DemandSeal;
  readonly #places: Places;

  /** `waitMs`: how long a pack waits for others of its system. */
  constructor(
    ground: Foundation,
    idempotency: Idempotency,
    demandSeal: DemandSeal,
    waitMs: number = MAX_PLACE_WAIT_MS,
  ) {
    this.#ground = ground;
    this.#idempotency = idempotency;
    this.#demandSeal = demandSeal;
    // A client may take a pack as slowly as it likes, and each holds a portion of payloads meanwhile.
    this.#places = new Places({ most: MAX_PACKS_AT_ONCE, waitMs, refusal: busy });
  }

  /**
   * The bundle as canonical JSON, which verifiers read fastest and in the least memory. It is recorded as made before its first piece is
   * read; whoever loses the rest asks again with the same Idempotency-Key. What is not sealed yet is sealed for it.
   */
  async create(principal: Principal, request: PackRequest, idempotencyKey: string): Promise<AsyncIterable<Uint8Array>> {
    const leave = await this.#places.take(principal.id);
    try {
      return endedBy(leave, await this.#create(principal, request, idempotencyKey));
    } catch (error) {
      leave();
      throw error;
    }
  }

  async #create(
    principal: Principal,
    request: PackRequest,
    idempotencyKey: string,
  ): Promise<AsyncIterable<Uint8Array>> {
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
    const collect = () =>
      database.read(async (reader) => {
        const before = await this.#idempotency.madeBefore(reader, repeatable);
        const kept = (before?.result as PackRecord | undefined) ?? null;
        const stream = await visibleStream(reader, principal, request.stream_id);
        return {
          made: kept,
          stream,
          evidence: await collectEvidence(reader, this.#ground.kernel, stream, request, kept),
        };
      });
    const { made, stream, evidence } = await collect().catch(async (error: unknown) => {
      if (!lacksOnlySeals(error)) throw error;
      await this.#demandSeal.seal(principal.tenantId, request.stream_id, request.to_seq_no);
      return collect();
    });
    if (made !== null) return this.#write(stream, evidence, request, made);

    const record: PackRecord = {
      bundle_id: newId("bundle"),
      created_at: serviceTime(clock()),
      window_count: evidence.checkpoints.at(-1)?.window_count ?? 0,
      statements: evidence.witnesses.statements.map(statementName),
    };
    const { bundle_id, created_at } = record;
    const { from_seq_no, to_seq_no } = evidence;
    const detail = { bundle_id, from_seq_no, to_seq_no, payloads: request.payloads ?? "included" };
    const isFirst = await database.write(async (writer) => {
      // Another request with this key may have been quicker.
      if ((await this.#idempotency.madeBefore(writer, repeatable)) !== null) return false;
      await recordAccess(writer, principal, "audit_pack.created", request.stream_id, detail, created_at);
      const kept = { streamId: request.stream_id, fromSeqNo: 0, toSeqNo: 0, result: record as unknown as JsonObject };
      await this.#idempotency.keep(writer, repeatable, kept, created_at);
      return true;
    });
    reached("pack: recorded");
    return isFirst ? this.#write(stream, evidence, request, record) : this.#create(principal, request, idempotencyKey);
  }

  async #write(
    stream: StreamRow,
    evidence: CollectedEvidence,
    { payloads = "included" }: PackRequest,
    { bundle_id, created_at }: PackRecord,
  ): Promise<AsyncIterable<Uint8Array>> {
    const { database, kernel, signingKey } = this.#ground;
    const { signer, carried } = await database.read(async (reader) => ({
      signer: await signingKey.current(reader),
      carried: await signingKey.carried(reader),
    }));
    const source = {
      bundle_id,
      // A pack that is asked for again after a rotation is sealed by a key that was not valid when it was first made.
      created_at: latest(created_at, signer.validFrom),
      stream_id: stream.stream_id,
      ...evidence,
      records: recordsOf(database, stream, evidence),
      payloads: payloads === "included" ? payloadsOfRange(database, stream, evidence) : noPayloads(),
      ...carried,
    };
    return writeBundle(kernel, signer, source);
  }
}

function busy(): ServiceError {
  return new ServiceError(
    "key_busy",
    `This system fetches ${MAX_PACKS_AT_ONCE} packs at a time already. Ask again when one of them is whole.`,
    { retry_after_s: RETRY_AFTER_S },
  );
}

/** The same pieces; `end` is called after the last one, or when nobody wants the rest. */
async function* endedBy(end: () => void, pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* pieces;
  } finally {
    end();
  }
}
