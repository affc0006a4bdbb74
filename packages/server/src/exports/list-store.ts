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

/** Which exports a list shows. */
export interface ExportsAsked {
  readonly state: ExportState | null;
  /** The ids of the only streams that they may hold; null for any. */
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

/** Exports of an actor behind an id, in the order in which they were made: at most so many. */
export function exportsOfActor(
  reader: Reader,
  { tenantId, id }: Principal,
  { state, only, afterId, most }: ExportsAsked,
): Promise<Walked<ExportRow>> {
  const ofActor: Condition = (place) => `e.tenant_id = ${place(tenantId)} AND e.actor_id = ${place(id)}`;
  const led = state === null ? [] : [equal("e.state", state)];
  const kept = only === null ? [] : [holdingOnly(only)];
  const lead = indexLead(reader, LIST, { within: [ofActor], led, kept });
  // Of each export as many ranges are looked at as are of these streams, and one more.
  const looks = only === null ? 0 : Math.min(only.length, MAX_EXPORT_STREAMS) + 1;
  return walk(LIST, [lead], { after: [afterId], most }, Math.floor(MAX_EXAMINED_ROWS / (1 + looks)));
}

/** Exports that hold no other streams. No index answers it. */
function holdingOnly(streamIds: readonly string[]): Filter {
  return {
    kept: (place) =>
      `NOT EXISTS (SELECT 1 FROM export_ranges r WHERE r.export_id = e.export_id
         AND r.stream_id NOT IN (${streamIds.length === 0 ? "''" : streamIds.map(place).join(", ")}))`,
  };
}
