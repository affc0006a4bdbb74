/**
 * Prepares events before they enter a transaction: makes their payloads canonical and measures them. The shape of the
 * request has been checked before; places and signatures follow in append.ts.
 */
import { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_NESTING } from "@svc/api/limits";
import type { EventInput, Kernel } from "@svc/core";
import { normalizedUtc } from "@svc/host/clock";
import { ServiceError } from "@svc/host/errors";
import { canonicalText } from "../issuing-kernel.ts";
import type { AppendRoute } from "./append-route.ts";
import { contentOf, LEVELS_AROUND_PAYLOAD } from "./logged-event.ts";
import { nestsDeeper, offsetBelow } from "./nesting.ts";

/** The level of a payload in a request: in the event, and in a batch also in its list and the body. */
const LEVELS_ABOVE = { event: 1, batch: 3 };

/** The members of an event that the source gives, except its payload. */
export type DescribedEvent = Pick<EventInput, "source_ref" | "event_type" | "occurred_at">;

/** An event that is ready to be placed: plain texts, which cross between threads. */
export interface PreparedEvent extends DescribedEvent {
  /** J(payload). */
  readonly payloadText: string;
  readonly occurredAtUtc: string;
  /** The status of an event for the event log; null for any other. */
  readonly status: string | null;
}

/** The request of the events, by which a refusal names the place of a fault. */
export interface EventSource extends AppendRoute {
  /** The body as it was sent; empty for events of the service itself. */
  readonly bytes: Uint8Array;
}

/** Returns the prepared events of one request. Throws `too_deep` and `payload_too_large`. */
export function prepareEvents(
  kernel: Kernel,
  inputs: readonly EventInput[],
  { isBatch, isLog = false, bytes: sent }: EventSource,
): PreparedEvent[] {
  const levels = isLog ? MAX_PAYLOAD_NESTING - LEVELS_AROUND_PAYLOAD : MAX_PAYLOAD_NESTING;
  const form = isLog ? "in canonical form, its status beside it" : "in canonical form";
  return inputs.map((input, index) => {
    const path = isBatch ? `/events/${index}/payload` : "/payload";
    const place = isBatch ? { path, index } : { path };
    const where = isBatch ? `The payload of event ${index} (counted from 0)` : "The payload";
    const plain = canonicalText(input.payload, MAX_PAYLOAD_NESTING);
    if (plain === undefined && nestsDeeper(input.payload, MAX_PAYLOAD_NESTING))
      throw new ServiceError("too_deep", `${where} nests deeper than ${levels}. Send a flatter one.`, {
        ...place,
        offset: offsetBelow(sent, LEVELS_ABOVE[isBatch ? "batch" : "event"] + levels),
      });
    const payloadText = plain ?? Buffer.from(kernel.canonicalize(input.payload)).toString("utf8");
    // No character takes more than three bytes of UTF-8.
    const bytes = payloadText.length * 3 > MAX_PAYLOAD_BYTES ? Buffer.byteLength(payloadText) : 0;
    if (bytes > MAX_PAYLOAD_BYTES)
      throw new ServiceError(
        "payload_too_large",
        `${where} has ${bytes} bytes ${form}, and at most ${MAX_PAYLOAD_BYTES} are taken. Store the content ` +
          `elsewhere and send its hash.`,
        place,
      );
    const { source_ref, event_type, occurred_at } = input;
    const status = isLog ? contentOf(input.payload).status : null;
    return { source_ref, event_type, occurred_at, payloadText, occurredAtUtc: normalizedUtc(occurred_at), status };
  });
}
