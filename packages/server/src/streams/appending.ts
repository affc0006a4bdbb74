/**
 * Appending, as the routes call it: whatever of a request can be computed without the database is computed here, on the
 * side that answers; append.ts and append-group.ts do the rest.
 */
import type { EventInput } from "@svc/core";
import type { Remote } from "@svc/host/parts";
import { perContext } from "@svc/host/per-context";
import type { AnsweringContext } from "../context.ts";
import { idempotencyOf } from "../idempotency/idempotency.ts";
import { type Append, appendPart, MAX_GROUP_EVENTS } from "./append.ts";
import type { PreparedRequest } from "./append-request.ts";
import { prepareEvents } from "./prepare-events.ts";
import type { RecordForm } from "./receipt-records.ts";
import { canonicalBody, routeName, targetOf } from "./request-fingerprint.ts";

/** A request to append, checked by its contract. */
export interface AppendRequest extends Omit<PreparedRequest, "events" | "hash"> {
  readonly events: readonly EventInput[];
  /** The body as it was sent. */
  readonly bytes: Uint8Array;
}

/** Returns the prepared request. Throws the refusals of `prepareEvents`. */
export function prepareRequest(
  context: Pick<AnsweringContext, "issuing" | "keyedHash">,
  { bytes, ...request }: AppendRequest,
): PreparedRequest {
  const events = prepareEvents(context.issuing, request.events, { ...request, bytes });
  const route = routeName(request);
  const target = targetOf(route, request.streamId);
  const hash = idempotencyOf(context).hashOf(route, target, canonicalBody(request.isBatch, events));
  return { ...request, events, hash };
}

/** Two groups of the most events (append.ts): one is committed, and the next is there when that has ended. */
const MAX_EVENTS_UNDER_WAY = 2 * MAX_GROUP_EVENTS;

/** Appends events by request. */
export class Appending {
  readonly #context: Pick<AnsweringContext, "issuing" | "keyedHash">;
  readonly #append: Remote<Append>;
  readonly #waiting: (() => void)[] = [];
  #underWay = 0;
  #events = 0;

  constructor(context: Pick<AnsweringContext, "issuing" | "keyedHash" | "parts">) {
    this.#context = context;
    this.#append = context.parts.use(appendPart);
  }

  /**
   * Resolves when so few events wait for their receipts that there is room for others. It bounds what is prepared, and
   * on its way to the side that records.
   */
  async room(): Promise<void> {
    while (this.#events >= MAX_EVENTS_UNDER_WAY) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Whether any request waits for its receipts. */
  get isBusy(): boolean {
    return this.#underWay > 0;
  }

  /**
   * Resolves to the records of the request's events as JSON texts, with a comma between them. Rejects with the refusals
   * of `prepareEvents` and of `Append.append`.
   */
  async records(request: AppendRequest, form: RecordForm): Promise<string> {
    const prepared = prepareRequest(this.#context, request);
    const { length } = prepared.events;
    this.#underWay += 1;
    this.#events += length;
    try {
      return await this.#append.records(prepared, form);
    } finally {
      this.#underWay -= 1;
      this.#events -= length;
      // They look for themselves whether there still is room; one alone might be gone, and let nobody else in.
      if (this.#events < MAX_EVENTS_UNDER_WAY) for (const enter of this.#waiting.splice(0)) enter();
    }
  }
}

/** The appending of a deployment, which knows whether anything waits. */
export const appendingOf = perContext((context: AnsweringContext) => new Appending(context));
