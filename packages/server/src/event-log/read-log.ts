/**
 * Reads the event log of a system: its events in the order of recording, which later events never change. It shows the
 * sent values; the proof is the portable receipt (packs/portable-receipt.ts).
 */
import type { Page, PageRequest } from "@svc/api";
import { MAX_EXAMINED_ROWS } from "@svc/api/limits";
import type { JsonObject } from "@svc/core";
import { ServiceError } from "@svc/host/errors";
import { pageOf } from "@svc/host/http/pages";
import type { Principal } from "@svc/host/principal";
import type { Reader, Walked } from "@svc/host/store";
import type { AnsweringContext } from "../context.ts";
import { contentOf } from "../streams/logged-event.ts";
import { parsePayload } from "../streams/receipt-records.ts";
import { requireAssigned } from "../streams/visible-stream.ts";
import { type LogFilter, loggedAfter } from "./list-store.ts";
import { findLogged, type LogRow, logStreams } from "./log-store.ts";

/** A place in a log: the number of its stream, and the number of the event in it. */
export type LogPosition = readonly [logNo: number, seqNo: number];

/** An event as it is shown. */
export interface LoggedEvent {
  readonly stream_event_id: string;
  readonly stream_id: string;
  readonly system_id: string | null;
  readonly seq_no: number;
  readonly type: string;
  /** Null after the erasure of its payload. */
  readonly status: string | null;
  readonly source_ref: string;
  readonly occurred_at: string;
  readonly received_at: string;
  readonly event_hash: string;
}

/** Reads event logs for principals. */
export class ReadLog {
  readonly #database: AnsweringContext["database"];
  readonly #archived: AnsweringContext["archived"];

  constructor({ database, archived }: Pick<AnsweringContext, "database" | "archived">) {
    this.#database = database;
    this.#archived = archived;
  }

  /**
   * Resolves to a page of the events of the principal's own system, as far as its key is not limited to other streams.
   * `systemId`: the only system of interest; null for any. Rejects with `system_forbidden`.
   */
  events(
    principal: Principal,
    { systemId, ...filter }: LogFilter & { readonly systemId: string | null },
    page: PageRequest<LogPosition>,
  ): Promise<Page<LoggedEvent>> {
    // The refusal is the same for a system of another tenant and for one that does not exist.
    if (systemId !== null && systemId !== principal.id)
      throw new ServiceError(
        "system_forbidden",
        `This key does not belong to system ${JSON.stringify(systemId)}. Use that system's own key.`,
      );
    return this.#database.read(async (reader) =>
      pageOf(await this.#walk(reader, principal, filter, page), page, {
        place: ({ logNo, seq_no }) => [logNo, seq_no],
        item: (row) => shown(row, principal.id),
      }),
    );
  }

  /**
   * Walks through the streams of the log, one after another, until they have more events than a list examines for a
   * page.
   */
  async #walk(
    reader: Reader,
    { tenantId, id: systemId, limits }: Principal,
    filter: LogFilter,
    { after, limit }: PageRequest<LogPosition>,
  ): Promise<Walked<LogRow & { readonly logNo: number }>> {
    const [afterLogNo, afterSeqNo] = after ?? [0, 0];
    const streams = await logStreams(reader, { tenantId, systemId }, afterLogNo, MAX_EXAMINED_ROWS);
    const only = limits?.streams ?? null;
    const rows: (LogRow & { readonly logNo: number })[] = [];
    let left = MAX_EXAMINED_ROWS;
    for (const { stream_id, event_log_no: logNo, head_seq_no } of streams) {
      const behind = logNo === afterLogNo ? Math.min(afterSeqNo, head_seq_no) : 0;
      left -= 1;
      if (only?.includes(stream_id) !== false) {
        const part = { tenantId, streamId: stream_id, afterSeqNo: behind, most: limit + 1 - rows.length };
        const found = await loggedAfter(reader, filter, part, Math.max(left, 1));
        rows.push(...found.rows.map((row) => ({ ...row, logNo })));
        if (found.end !== null) return { rows, end: [logNo, ...found.end] };
        left -= head_seq_no - behind;
      }
      const isLast = stream_id === streams.at(-1)?.stream_id;
      if (left <= 0 && !(isLast && streams.length < MAX_EXAMINED_ROWS))
        return { rows, end: [logNo, Math.max(head_seq_no, 1)] };
    }
    return { rows, end: null };
  }

  /**
   * Resolves to one event, with its payload unless that is erased. Rejects with `receipt_not_found` and
   * `stream_forbidden`, and as `ArchivedPayloads.restored` does.
   */
  async event(principal: Principal, eventId: string): Promise<LoggedEvent & { readonly payload?: JsonObject }> {
    const found = await this.#database.read(async (reader) => {
      const row = await findLogged(reader, principal.tenantId, eventId);
      const notFound = new ServiceError(
        "receipt_not_found",
        `The event log that this key can see has no event ${JSON.stringify(eventId)}. An event of another ` +
          `stream: GET /v2/receipts/{eventId}.`,
      );
      if (row === null) throw notFound;
      requireAssigned(principal, row);
      if (row.event_log_no === null) throw notFound;
      return row;
    });
    const [row = found] = await this.#archived.restored(this.#database, [found]);
    const { payload } = row;
    // If the payload was erased since the row was read, its status is gone too.
    const entry = shown(payload === null ? { ...row, status: null } : row, row.system_id);
    return payload === null ? entry : { ...entry, payload: contentOf(parsePayload(payload)).payload };
  }
}

function shown(row: LogRow, system_id: string | null): LoggedEvent {
  const { stream_event_id, stream_id, seq_no, event_type: type, status } = row;
  const { source_ref, occurred_at, received_at, event_hash } = row;
  return {
    stream_event_id,
    stream_id,
    system_id,
    seq_no,
    type,
    status,
    source_ref,
    occurred_at,
    received_at,
    event_hash,
  };
}
