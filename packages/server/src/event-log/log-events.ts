/**
 * Records in the event log: the events of a system go into one stream of its own, which is made with the first of them.
 * They become receipts like any others (streams/append.ts).
 */
import type { Json } from "@svc/core";
import type { Principal } from "@svc/host/principal";
import type { Context } from "../context.ts";
import { DEFAULT_POLICY_ID } from "../policies/default-policy.ts";
import type { Append } from "../streams/append.ts";
import {
  createStreamIn,
  type LegacySettings,
  requireFreeOfStreams,
  requireLegacyCreation,
} from "../streams/create-stream.ts";
import type { EventRow } from "../streams/events-store.ts";
import { eventOf, type LogInput } from "../streams/logged-event.ts";
import { newestLogStream } from "./log-store.ts";

/** A request to record events in the log of the principal's system. */
export interface LogRequest {
  readonly principal: Principal;
  readonly events: readonly LogInput[];
  readonly isBatch: boolean;
  readonly idempotencyKey: string;
  /** The whole parsed body, and the body as it was sent. */
  readonly body: Json;
  readonly bytes: Uint8Array;
}

/** The use case of a log's stream, for people. */
const USE_CASE = "event log";

/** Records events in event logs. */
export class LogEvents {
  readonly #context: Pick<Context, "database" | "clock" | "kernel">;
  readonly #append: Append;
  readonly #settings: LegacySettings;

  constructor(context: Pick<Context, "database" | "clock" | "kernel">, append: Append, settings: LegacySettings) {
    this.#context = context;
    this.#append = append;
    this.#settings = settings;
  }

  /**
   * Resolves to the event rows of the request, made now or by an earlier request with the same key. Rejects with the
   * refusals of `Append.append`, and, if the log's stream has to be made first, with `action_forbidden` or
   * `legacy_stream_creation_disabled`.
   */
  async log({ events, ...request }: LogRequest): Promise<EventRow[]> {
    const streamId = await this.#streamOf(request.principal);
    const unconditional = { headMatch: null, afterKey: null };
    return this.#append.append({ ...request, streamId, events: events.map(eventOf), isLog: true, ...unconditional });
  }

  /**
   * Resolves to the stream that takes the events of the principal's system. Every key that may append can cause its
   * making: there is one for all keys.
   */
  async #streamOf(principal: Principal): Promise<string> {
    const { database } = this.#context;
    const { tenantId, id } = principal;
    const known = await database.read((reader) => newestLogStream(reader, tenantId, id));
    if (known?.closed_at === null) return known.stream_id;
    requireFreeOfStreams(principal);
    return database.write(async (writer) => {
      // Another request may have been quicker.
      const newest = await newestLogStream(writer, tenantId, id);
      if (newest?.closed_at === null) return newest.stream_id;
      requireLegacyCreation(this.#settings);
      const request = { system_id: principal.id, use_case: USE_CASE, policy_id: DEFAULT_POLICY_ID, metadata: {} };
      const logNo = (newest?.event_log_no ?? 0) + 1;
      return (await createStreamIn(writer, this.#context, principal, request, logNo)).stream_id;
    });
  }
}
