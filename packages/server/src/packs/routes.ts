/** The routes of evidence to take away: receipts, as records or portable, and audit packs. HTTP only. */
import { packs as contracts, streams } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import type { Readings } from "@svc/host/reads";
import type { ReadContext } from "../context.ts";
import type { EventRow } from "../streams/events-store.ts";
import type { ReadStream } from "../streams/read-stream.ts";
import { recordText } from "../streams/receipt-records.ts";
import type { CreatePack } from "./create-pack.ts";
import { evidenceMissing } from "./missing-evidence.ts";
import { tlogProofRead, wholeReceiptRead } from "./reads.ts";

/** The capabilities that the routes call. */
export interface PackCapabilities {
  readonly createPack: CreatePack;
  readonly readStream: ReadStream;
  readonly readings: Readings<ReadContext>;
  /** Resolves to the same row with its payload, if that is archived. */
  readonly fetched: (row: EventRow) => Promise<EventRow>;
}

/** Returns the routes of packs and receipts. */
export function packRoutes({ createPack, readStream, readings, fetched }: PackCapabilities): Route[] {
  return [
    bind(contracts.create, async ({ principal, body, idempotencyKey }) => {
      const made = await createPack.create(principal, body, idempotencyKey);
      if ("missing" in made) throw evidenceMissing(made);
      const { pieces, lacksQuorum } = made;
      return lacksQuorum ? { pieces, headers: { "SVC-Evidence-Missing": "witness_statements" } } : { pieces };
    }),
    bind(streams.receipt, async ({ principal, path: { eventId }, query, asker, used }) => {
      const row = await readStream.receipt(principal, eventId);
      if (!query.portable) return { text: recordText(await fetched(row)) };
      const { tenantId } = principal;
      const text = await readings.read(asker, wholeReceiptRead, { tenantId, eventId }, used);
      if (typeof text !== "string") throw evidenceMissing(text);
      return { text };
    }),
    bind(streams.tlogProof, async ({ principal, path: { eventId }, asker, used }) => {
      await readStream.receipt(principal, eventId);
      const text = await readings.read(asker, tlogProofRead, { tenantId: principal.tenantId, eventId }, used);
      if (typeof text !== "string") throw evidenceMissing(text);
      return { text };
    }),
  ];
}
