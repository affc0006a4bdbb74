/**
 * The event log of the key's system: record events without making or naming a stream, find them again, and get the
 * proof of each. The client returns receipts only if they hold (receipts/receipts.ts), and proofs unchecked: `verify`
 * checks them.
 */
import type { LoggedEvent, LogInput, WholeLoggedEvent } from "@svc/api";
import type { EventInput, PortableReceipt, ReceiptRecord, Report } from "@svc/core";
import { jsonOf } from "./json-of.ts";
import { type List, listOf, type PageRequest } from "./pages.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { parseAnswer, type Transport, type WriteOptions } from "./transport.ts";

/** Narrows a list of events. */
export interface LogFilter extends PageRequest {
  readonly type?: string;
  readonly status?: string;
  readonly source_ref?: string;
  /** The key's own system. */
  readonly system_id?: string;
  /** Only events that occurred at this time or later: RFC 3339, with `Z` or an offset. */
  readonly occurred_from?: string;
  /** Only events that occurred earlier than this time. */
  readonly occurred_before?: string;
}

const EVENTS = "/v1/sdk/events";

/**
 * The event log of the key's system: `client.log`. Its methods reject with SvcError; SvcClient lists the codes of every
 * call.
 */
export class EventLogClient {
  readonly #transport: Transport;
  readonly #receipts: Receipts;
  /** The stream of the newest event that this client recorded. */
  #streamId: string | null = null;

  /** @internal */
  constructor(transport: Transport, receipts: Receipts) {
    this.#transport = transport;
    this.#receipts = receipts;
  }

  /**
   * Records one event. Resolves to its receipt after the event is on the service's disk, if the receipt holds; its
   * payload is `{status, payload}`. `event`: type, status, time, reference and payload. `options.idempotencyKey`: under
   * the same key the event is recorded once.
   *
   * Codes: `key_busy`, `stream_forbidden`, `too_deep`, `payload_too_large`, `timezone_required`,
   * `idempotency_conflict`, `stream_closed`, `legacy_stream_creation_disabled`. Rejects with VerificationError for a
   * receipt that does not hold; the event may be recorded then.
   *
   * @example
   * const receipt = await client.log.append({
   *   type: "loan.decided",
   *   status: "approved",
   *   occurred_at: "2026-03-01T09:30:00+01:00",
   *   source_ref: "loan-1001",
   *   payload: { amount: 12500 },
   * });
   * console.log(receipt.event_type); // loan.decided
   */
  async append(event: LogInput, options: WriteOptions = {}): Promise<ReceiptRecord> {
    const [receipt] = await this.#record(
      EVENTS,
      event,
      (sent: LogInput) => [sent],
      (answer) => [answer],
      options,
    );
    return receipt as ReceiptRecord;
  }

  /**
   * Records 1 to 1000 events, all or none. Resolves to their receipts in order, if all of them hold. `options` and
   * codes as in `append`.
   *
   * @example
   * const entry = { type: "loan.decided", status: "approved", occurred_at: event.occurred_at, payload: {} };
   * const receipts = await client.log.appendBatch([
   *   { ...entry, source_ref: "loan-1" },
   *   { ...entry, source_ref: "loan-2" },
   * ]);
   * console.log(receipts.map(({ source_ref }) => source_ref).join()); // loan-1,loan-2
   */
  appendBatch(events: readonly LogInput[], options: WriteOptions = {}): Promise<readonly ReceiptRecord[]> {
    return this.#record(
      `${EVENTS}/batch`,
      { events },
      (sent: { events: readonly LogInput[] }) => sent.events,
      (answer: { receipts?: unknown }) => answer.receipts,
      options,
    );
  }

  async #record(
    path: string,
    body: unknown,
    inputs: (sent: never) => readonly LogInput[],
    receipts: (answer: never) => unknown,
    options: WriteOptions,
  ): Promise<ReceiptRecord[]> {
    const events = (sent: never) => inputs(sent).map(asRecorded);
    const recording = {
      path,
      text: jsonOf(body),
      streamId: null,
      likelyStreamId: this.#streamId,
      events,
      receipts,
    };
    const records = await this.#receipts.record(recording, options);
    this.#streamId = records[0]?.stream_id ?? this.#streamId;
    return records;
  }

  /**
   * Lists the events, in the order in which they were recorded, without payloads. `filter`: only events with these
   * members, or of this time. Codes: `system_forbidden` for another system's `system_id`.
   *
   * @example
   * const { occurred_at, payload } = event;
   * await client.log.append({ type: "loan.paid", status: "paid", source_ref: "loan-7", occurred_at, payload });
   * for await (const { type } of client.log.events({ source_ref: "loan-7" })) console.log(type); // loan.paid
   */
  events(filter: LogFilter = {}, signal?: AbortSignal): List<LoggedEvent> {
    return listOf(this.#transport, "/v1/events", { ...filter }, signal);
  }

  /**
   * Resolves to one event with its payload, unchecked: `proofBytes` proves it. `eventId`: its `stream_event_id`. Codes:
   * `receipt_not_found`, `stream_forbidden`.
   *
   * @example
   * console.log((await client.log.event(logged.stream_event_id)).source_ref); // loan-1001
   */
  event(eventId: string, signal?: AbortSignal): Promise<WholeLoggedEvent> {
    return this.#transport.json({ method: "GET", path: pathOf(eventId), signal });
  }

  /**
   * Resolves to the proof of an event, as the exact bytes that the service sent: save these. The proof verifies at
   * once, and grows as evidence comes. `eventId`: its `stream_event_id`. Codes: `receipt_not_found`,
   * `stream_forbidden`.
   *
   * @example
   * const proof = await client.log.proofBytes(logged.stream_event_id);
   * console.log(verify(proof, { trust }).verdict); // verified
   */
  proofBytes(eventId: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#transport.send({ method: "GET", path: `${pathOf(eventId)}/proof`, signal });
  }

  /**
   * Resolves to the proof of an event, as a value; parameters and codes as in `proofBytes`. Save the bytes, not this
   * value.
   *
   * @example
   * console.log((await client.log.proof(logged.stream_event_id)).receipt.source_ref); // loan-1001
   */
  async proof(eventId: string, signal?: AbortSignal): Promise<PortableReceipt> {
    return parseAnswer<PortableReceipt>(`${pathOf(eventId)}/proof`, await this.proofBytes(eventId, signal));
  }

  /**
   * Resolves to the service's own verdict on a proof, under its own keys; `verify` gives yours. Needs no key of yours.
   * Codes: `unsupported_object`, `wrong_kind`, `object_too_complex`, `verifier_busy`, `body_too_large`.
   *
   * @example
   * const proof = await client.log.proof(logged.stream_event_id);
   * console.log((await client.log.verifyOnline(proof)).verdict); // verified
   */
  async verifyOnline(proof: PortableReceipt, signal?: AbortSignal): Promise<Report> {
    return this.#transport.json({ method: "POST", path: "/v1/public/verify", body: jsonOf(proof), signal });
  }
}

/** Returns the stream's event that records an event of the log. */
function asRecorded({ type, status, occurred_at, source_ref, payload }: LogInput): EventInput {
  return { event_type: type, occurred_at, source_ref, payload: { status, payload } };
}

function pathOf(eventId: string): string {
  return `/v1/events/${encodeURIComponent(eventId)}`;
}
