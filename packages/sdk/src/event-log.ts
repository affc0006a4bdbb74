/**
 * The event log of the key's system: record events without a stream to be made or named, find them again, and get what proves each. What comes
 * back is verified by nobody here; use `verify`.
 */
import type { JsonObject, PortableReceipt, ReceiptRecord, Report } from "@svc/core";
import { type Page, type PageRequest, withQuery } from "./pages.ts";
import { parseAnswer, type Transport, type WriteOptions } from "./transport.ts";

/** An event as it is sent. */
export interface LogInput {
  /** 1 to 128 of A-Z a-z 0-9 . _ : / -, a letter or digit first. */
  readonly type: string;
  /** A word of your own, in the form of a type. */
  readonly status: string;
  /** RFC 3339, with `Z` or an offset. */
  readonly occurred_at: string;
  readonly source_ref: string;
  readonly payload: JsonObject;
}

/** An event as lists show it, without its payload. */
export interface LoggedEvent extends Omit<LogInput, "status" | "payload"> {
  readonly stream_event_id: string;
  readonly stream_id: string;
  readonly system_id: string;
  readonly seq_no: number;
  /** Null where it has been erased, with the payload. */
  readonly status: string | null;
  readonly received_at: string;
  readonly event_hash: string;
}

/** An event with its payload, which is missing where it has been erased. */
export interface WholeLoggedEvent extends LoggedEvent {
  readonly payload?: JsonObject;
}

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

export class EventLogClient {
  readonly #transport: Transport;

  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Records one event. The receipt comes back after the event is on the service's disk; its payload is `{status, payload}`. */
  append(event: LogInput, options: WriteOptions = {}): Promise<ReceiptRecord> {
    return this.#transport.write(EVENTS, event, options);
  }

  /** Records up to 1000 events, all or none, and answers with their receipts in order. */
  async appendBatch(events: readonly LogInput[], options: WriteOptions = {}): Promise<readonly ReceiptRecord[]> {
    return (await this.#transport.write<{ receipts: ReceiptRecord[] }>(`${EVENTS}/batch`, { events }, options))
      .receipts;
  }

  /** A page of the events, in the order in which they were recorded. */
  events(filter: LogFilter = {}, signal?: AbortSignal): Promise<Page<LoggedEvent>> {
    return this.#transport.json({ method: "GET", path: withQuery("/v1/events", { ...filter }), signal });
  }

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
  verifyOnline(proof: PortableReceipt, signal?: AbortSignal): Promise<Report> {
    return this.#transport.json({ method: "POST", path: "/v1/public/verify", body: proof, signal });
  }
}

function pathOf(eventId: string): string {
  return `/v1/events/${encodeURIComponent(eventId)}`;
}
