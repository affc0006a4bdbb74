/** The public verify routes: the bare object in, the report out, 200 whatever the verdict. HTTP only. */

import {
  MAX_LARGE_VERIFY_BODIES,
  MAX_SMALL_VERIFY_BODY_BYTES,
  MAX_VERIFY_BODY_BYTES,
  MAX_VERIFY_WAIT_MS,
  MIN_VERIFY_BYTES_PER_SECOND,
} from "@svc/api/limits";
import type { Kind } from "@svc/core";
import { BodyMemory } from "../http/body-memory.ts";
import { type Route, route } from "../http/route.ts";
import { MAX_VERIFY_MEMORY_BYTES } from "../limits.ts";
import type { Service } from "../open-service.ts";
import { Evidence, Report } from "./schema.ts";
import { verifierBusy } from "./verifying-threads.ts";

export function verifyRoutes({ verifyEvidence }: Service): Route[] {
  const memory = new BodyMemory({
    maxBytes: MAX_VERIFY_MEMORY_BYTES,
    smallBytes: MAX_SMALL_VERIFY_BODY_BYTES,
    places: MAX_LARGE_VERIFY_BODIES,
    waitMs: MAX_VERIFY_WAIT_MS,
    refusal: verifierBusy,
  });
  const verifyAs = (path: string, kind: Kind | null, summary: string): Route =>
    route({
      method: "POST",
      path,
      chapter: "verify",
      summary,
      description:
        "The server pins its own keys; the report says by which key an object is trusted. A verdict of your own: `svc verify`.",
      access: "public",
      body: {
        schema: Evidence,
        maxBytes: MAX_VERIFY_BODY_BYTES,
        minBytesPerSecond: MIN_VERIFY_BYTES_PER_SECOND,
        unparsed: true,
        memory,
      },
      answer: { status: 200, description: "The report, also where the object is rejected.", schema: Report },
      errors: [
        "unsupported_object",
        "object_too_complex",
        "verifier_busy",
        ...(kind === null ? [] : (["wrong_kind"] as const)),
      ],
      handle: async ({ bytes, asker: owner, signal, used }) => ({
        text: await verifyEvidence.verify({ bytes, kind, owner, signal, used }),
      }),
    });
  return [
    verifyAs("/v2/verify", null, "The verdict on an object of evidence, of whatever kind."),
    verifyAs("/v2/verify/receipt", "receipt", "The verdict on a receipt record."),
    verifyAs(
      "/v1/public/verify",
      "portable-receipt",
      "The verdict on the proof of an event, as the event log gives it.",
    ),
  ];
}
