/**
 * Audit packs: a range of a stream as a bundle that verifies without this server (protocol section 14), written piece by piece; and portable
 * receipts, which are cut from such a bundle.
 */
import { issueBundle, type Json, type JsonObject, portableReceiptOf, writeBundle } from "@svc/core";
import { serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import type { Idempotency } from "../idempotency/idempotency.ts";
import { newId } from "../ids.ts";
import { eventsOfRange } from "../streams/events-store.ts";
import { recordOf } from "../streams/receipt-records.ts";
import type { StreamRow } from "../streams/streams-store.ts";
import { visibleStream } from "../streams/visible-stream.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import type { Principal } from "../tenancy/principal.ts";
import { bundleKeys } from "./bundle-keys.ts";
import {
  type ChosenEvidence,
  type CollectedEvidence,
  collectEvidence,
  type EventRange,
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

/** Of a bundle that nobody gets to see. */
const UNUSED_TIME = "1970-01-01T00:00:00.000Z";

export class CreatePack {
  readonly #ground: Foundation;
  readonly #idempotency: Idempotency;

  constructor(ground: Foundation, idempotency: Idempotency) {
    this.#ground = ground;
    this.#idempotency = idempotency;
  }

  /**
   * The bundle as canonical JSON, which verifiers read fastest and in the least memory. It is recorded as made before its first piece is
   * read; whoever loses the rest asks again with the same Idempotency-Key.
   */
  async create(principal: Principal, request: PackRequest, idempotencyKey: string): Promise<AsyncIterable<Uint8Array>> {
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
    const { made, stream, evidence } = await database.read(async (reader) => {
      const before = await this.#idempotency.madeBefore(reader, repeatable);
      const kept = (before?.result as PackRecord | undefined) ?? null;
      const stream = await visibleStream(reader, principal, request.stream_id);
      return {
        made: kept,
        stream,
        evidence: await collectEvidence(reader, this.#ground.kernel, stream, request, kept),
      };
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
    return isFirst ? this.#write(stream, evidence, request, record) : this.create(principal, request, idempotencyKey);
  }

  /** The portable receipt of one event, which shows it with everything that proves it and with no other (protocol section 13). */
  async portableReceipt(
    principal: Principal,
    { stream_id, seq_no }: { stream_id: string; seq_no: number },
  ): Promise<string> {
    const { database, kernel, signer } = this.#ground;
    const range = { from_seq_no: seq_no, to_seq_no: seq_no };
    const { evidence, rows } = await database.read(async (reader) => {
      const stream = await visibleStream(reader, principal, stream_id);
      const evidence = await collectEvidence(reader, kernel, stream, range, null);
      const { from_seq_no, to_seq_no } = evidence;
      return { evidence, rows: await eventsOfRange(reader, stream.tenant_id, stream_id, from_seq_no, to_seq_no) };
    });
    const bundle = await issueBundle(kernel, signer, {
      bundle_id: newId("bundle"),
      created_at: UNUSED_TIME,
      stream_id,
      ...evidence,
      records: rows.map((row) => recordOf(row, row.seq_no === seq_no)),
      ...bundleKeys(this.#ground),
    });
    return Buffer.from(kernel.canonicalize(portableReceiptOf(kernel, bundle, seq_no) as unknown as Json)).toString(
      "utf8",
    );
  }

  #write(
    stream: StreamRow,
    evidence: CollectedEvidence,
    { payloads = "included" }: PackRequest,
    { bundle_id, created_at }: PackRecord,
  ): AsyncIterable<Uint8Array> {
    const { database, kernel, signer } = this.#ground;
    const source = {
      bundle_id,
      created_at,
      stream_id: stream.stream_id,
      ...evidence,
      records: recordsOf(database, stream, evidence),
      payloads: payloads === "included" ? payloadsOfRange(database, stream, evidence) : noPayloads(),
      ...bundleKeys(this.#ground),
    };
    return writeBundle(kernel, signer, source);
  }
}
