/**
 * The event log of the key's system: record events without a stream to be made or named, find them again, and get what proves each. Receipts
 * are handed out if they hold (receipts/receipts.ts); proofs as they come: `verify` takes them.
 */
import type { LoggedEvent, LogInput, WholeLoggedEvent } from "@svc/api";
import type { EventInput, PortableReceipt, ReceiptRecord, Report } from "@svc/core";
import { jsonOf } from "./json-of.ts";
import { type List, listOf, type PageRequest } from "./pages.ts";
import type { Receipts } from "./receipts/receipts.ts";
import { parseAnswer, type Transport, type WriteOptions } from "./transport.ts";

/** Which events a list shows. */
export interface LogFilter extends PageRequest {
  readonly type?: string;
  readonly status?: string;
  readonly source_ref?: string;
  /** The key's own system. */
  readonly system_id?: string;
  /** Those that occurred at this time or later: RFC 3339, with `Z` or an offset. */
  readonly occurred_from?: string;
  /** Those that occurred earlier than this time. */
  readonly occurred_before?: string;
}

const EVENTS = "/v1/sdk/events";

/** The event log of the key's system, as `client.log`. Its methods throw SvcError. */
export class EventLogClient {
  readonly #transport: Transport;
  readonly #receipts: Receipts;
  /** The stream in which the service recorded last. */
  #streamId: string | null = null;

  /** @internal */
  constructor(transport: Transport, receipts: Receipts) {
    this.#transport = transport;
    this.#receipts = receipts;
  }

  /**
   * Records one event. The receipt comes back after the event is on the service's disk, and if it holds; its payload is `{status, payload}`.
   * Throws SvcError, and VerificationError for a receipt that does not hold; the event may be recorded then.
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

  /** Records up to 1000 events, all or none, and answers with their receipts in order, if all of them hold. Throws as `append` does. */
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

  /** The events, in the order in which they were recorded. */
  events(filter: LogFilter = {}, signal?: AbortSignal): List<LoggedEvent> {
    return listOf(this.#transport, "/v1/events", { ...filter }, signal);
  }

  /** One event, with its payload. Throws SvcError `receipt_not_found`. It comes as it is: `proofBytes` proves it. */
  event(eventId: string, signal?: AbortSignal): Promise<WholeLoggedEvent> {
    return this.#transport.json({ method: "GET", path: pathOf(eventId), signal });
  }

  /** What proves an event by now, as the exact bytes that the service sent: save these. It verifies at once, and grows as evidence comes. */
  proofBytes(eventId: string, signal?: AbortSignal): Promise<Uint8Array> {
    return this.#transport.send({ method: "GET", path: `${pathOf(eventId)}/proof`, signal });
  }

  /** What proves an event by now. */
  async proof(eventId: string, signal?: AbortSignal): Promise<PortableReceipt> {
    return parseAnswer<PortableReceipt>(`${pathOf(eventId)}/proof`, await this.proofBytes(eventId, signal));
  }

  /** The service's own verdict on a proof, under its own keys; it needs no key of yours. `verify` gives your verdict. */
  async verifyOnline(proof: PortableReceipt, signal?: AbortSignal): Promise<Report> {
    return this.#transport.json({ method: "POST", path: "/v1/public/verify", body: jsonOf(proof), signal });
  }
}

/** The event of the stream as which one of the log is recorded. */
function asRecorded({ type, status, occurred_at, source_ref, payload }: LogInput): EventInput {
  return { event_type: type, occurred_at, source_ref, payload: { status, payload } };
}

function pathOf(eventId: string): string {
  return `/v1/events/${encodeURIComponent(eventId)}`;
}
