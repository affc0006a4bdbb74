/**
 * What is done to events before they enter a transaction: their payloads are made canonical and measured. The shape of a request has
 * been checked before; places and signatures come after, in append.ts.
 */
import type { EventInput, Json, Kernel } from "@svc/core";
import { normalizedUtc } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import { offsetOfDepth } from "../http/depth.ts";
import { MAX_PAYLOAD_BYTES, MAX_PAYLOAD_NESTING } from "../limits.ts";

export interface PreparedEvent {
  readonly input: EventInput;
  /** J(payload). */
  readonly payloadText: string;
  readonly occurredAtUtc: string;
}

/** Where events come from, so that a refusal can name the place. */
export interface EventSource {
  readonly isBatch: boolean;
  /** The request's body. */
  readonly bytes: Uint8Array;
}

/** How deep a payload itself stands in a request: in an object, or in an object of an array of an object. */
const LEVELS_ABOVE = { single: 1, batch: 3 } as const;

/** Prepares the events of one request; its shape has been checked, so that nothing but a payload can be deep. */
export function prepareEvents(
  kernel: Kernel,
  inputs: readonly EventInput[],
  { isBatch, bytes: body }: EventSource,
): PreparedEvent[] {
  return inputs.map((input, index) => {
    const path = isBatch ? `/events/${index}/payload` : "/payload";
    const place = isBatch ? { path, index } : { path };
    const where = isBatch ? `The payload of event ${index} (counted from 0)` : "The payload";
    if (nestsDeeper(input.payload, MAX_PAYLOAD_NESTING))
      throw new ServiceError("too_deep", `${where} nests deeper than ${MAX_PAYLOAD_NESTING}. Send a flatter one.`, {
        ...place,
        offset: offsetOfDepth(body, LEVELS_ABOVE[isBatch ? "batch" : "single"] + MAX_PAYLOAD_NESTING),
      });
    const bytes = kernel.canonicalize(input.payload);
    if (bytes.length > MAX_PAYLOAD_BYTES)
      throw new ServiceError(
        "payload_too_large",
        `${where} has ${bytes.length} bytes in canonical form, and at most ${MAX_PAYLOAD_BYTES} are taken. Store the content elsewhere and send its hash.`,
        place,
      );
    return {
      input,
      payloadText: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("utf8"),
      occurredAtUtc: normalizedUtc(input.occurred_at),
    };
  });
}

/** Whether a value nests deeper than `depth` arrays and objects. The recursion ends at that depth. */
function nestsDeeper(value: Json, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  if (depth === 0) return true;
  return Object.values(value).some((member) => nestsDeeper(member as Json, depth - 1));
}
