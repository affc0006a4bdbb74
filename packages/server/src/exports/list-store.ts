/** The exports of an actor as lists find them: all SQL about it. */
import { MAX_EXAMINED_ROWS, MAX_EXPORT_STREAMS } from "@svc/api/limits";
import type { Principal } from "@svc/host/principal";
import {
  type Condition,
  equal,
  type Filter,
  indexLead,
  type ListSql,
  type Reader,
  type Walked,
  walk,
} from "@svc/host/store";
import type { ExportRow, ExportState } from "./exports-store.ts";

/** The filters and the part of a list of exports. */
export interface ExportsAsked {
  readonly state: ExportState | null;
  /** The only streams that the exports may hold, by id; null for any. */
  readonly only: readonly string[] | null;
  readonly afterId: string;
  readonly most: number;
}

const LIST: ListSql<ExportRow> = {
  columns: "e.*",
  from: "exports e",
  key: ["e.export_id"],
  placeOf: ({ export_id }) => [export_id],
};

/**
 * Resolves to the exports of an actor behind an id, in the order in which they were made: `most` at most, and no more
 * than a bounded walk finds.
 */
export function exportsOfActor(
  reader: Reader,
  { tenantId, id }: Principal,
  { state, only, afterId, most }: ExportsAsked,
): Promise<Walked<ExportRow>> {
  const ofActor: Condition = (place) => `e.tenant_id = ${place(tenantId)} AND e.actor_id = ${place(id)}`;
  const led = state === null ? [] : [equal("e.state", state)];
  const kept = only === null ? [] : [holdingOnly(only)];
  const lead = indexLead(reader, LIST, { within: [ofActor], led, kept });
  // For each export, the query looks at the ranges of these streams and at one more.
  const looks = only === null ? 0 : Math.min(only.length, MAX_EXPORT_STREAMS) + 1;
  return walk(LIST, [lead], { after: [afterId], most }, Math.floor(MAX_EXAMINED_ROWS / (1 + looks)));
}

/** Returns the filter of exports that hold no other streams. No index answers it. */
function holdingOnly(streamIds: readonly string[]): Filter {
  return {
    kept: (place) =>
      `NOT EXISTS (SELECT 1 FROM export_ranges r WHERE r.export_id = e.export_id
         AND r.stream_id NOT IN (${streamIds.length === 0 ? "''" : streamIds.map(place).join(", ")}))`,
  };
}
