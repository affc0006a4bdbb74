/**
 * Records in the event log: the events of a system go into one separate stream, which is made with the first of them.
 * They become receipts like any others (streams/append.ts).
 */
import { part, type Remote } from "@svc/host/parts";
import type { Principal } from "@svc/host/principal";
import type { Database } from "@svc/host/store";
import type { AnsweringContext, Context } from "../context.ts";
import { DEFAULT_POLICY_ID } from "../policies/default-policy.ts";
import type { Appending } from "../streams/appending.ts";
import {
  createStreamIn,
  type LegacySettings,
  requireFreeOfStreams,
  requireLegacyCreation,
} from "../streams/create-stream.ts";
import { eventOf, type LogInput } from "../streams/logged-event.ts";
import type { RecordForm } from "../streams/receipt-records.ts";
import { streamSettings } from "../streams/settings.ts";
import { newestLogStream } from "./log-store.ts";

/** A request to record events in the log of the principal's system. */
export interface LogRequest {
  readonly principal: Principal;
  readonly events: readonly LogInput[];
  readonly isBatch: boolean;
  readonly idempotencyKey: string;
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
}

/** The use case of a log's stream, for people. */
const USE_CASE = "event log";

/** Records events in event logs. */
export class LogEvents {
  readonly #database: Pick<Database, "read">;
  readonly #streams: Remote<LogStreams>;
  readonly #appending: Appending;

  constructor({ database, parts }: Pick<AnsweringContext, "database" | "parts">, appending: Appending) {
    this.#database = database;
    this.#streams = parts.use(logStreamsPart);
    this.#appending = appending;
  }

  /** Resolves when there is room for another request (`Appending.room`). */
  room(): Promise<void> {
    return this.#appending.room();
  }

  /**
   * Resolves to the records of the request's events, made now or by an earlier request with the same key.
   * Rejects with the refusals of `Appending.records`, and, if the log's stream has to be made first, with
   * `action_forbidden` or `legacy_stream_creation_disabled`.
   */
  async records({ events, ...request }: LogRequest, form: RecordForm): Promise<string> {
    const { tenantId, id } = request.principal;
    const known = await this.#database.read((reader) => newestLogStream(reader, tenantId, id));
    const streamId = known?.closed_at === null ? known.stream_id : await this.#streams.make(request.principal);
    const whole = { ...request, streamId, events: events.map(eventOf), isLog: true, headMatch: null, afterKey: null };
    return this.#appending.records(whole, form);
  }
}

/** Makes the streams of logs. */
export class LogStreams {
  readonly #context: Pick<Context, "database" | "clock" | "kernel">;
  readonly #settings: LegacySettings;
  /** The streams that are being made, by tenant and system. */
  readonly #making = new Map<string, Promise<string>>();

  constructor(context: Pick<Context, "database" | "clock" | "kernel">, settings: LegacySettings) {
    this.#context = context;
    this.#settings = settings;
  }

  /**
   * Resolves to the stream that takes the events of the principal's system. Every key that may append can cause its
   * making: there is one for all keys. Rejects with `action_forbidden` and `legacy_stream_creation_disabled`.
   */
  async make(principal: Principal): Promise<string> {
    requireFreeOfStreams(principal);
    const name = `${principal.tenantId} ${principal.id}`;
    // The first requests of a system come together, and would only meet in the database.
    const making = this.#making.get(name) ?? this.#make(principal).finally(() => this.#making.delete(name));
    this.#making.set(name, making);
    return making;
  }

  #make(principal: Principal): Promise<string> {
    const { tenantId, id } = principal;
    return this.#context.database.write(async (writer) => {
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

/** The streams of logs, as others call them. */
export const logStreamsPart = part(
  "streams of logs",
  (context: Context) => new LogStreams(context, context.settings(streamSettings)),
);
