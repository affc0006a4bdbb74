/**
 * Checks the access log and the events of the administration against each other: each change has one entry and one
 * event, and they say the same. Entries from before there were such events are NOT checked.
 */
import { type Fault, type StrayRule, strayRows } from "@svc/host/checks";
import type { CheckContext } from "../check-context.ts";
import { PURPOSES } from "../streams/purposes.ts";
import { WAITING_CHANGE } from "../tenancy/administration.ts";
import { payloadOf } from "./at-once.ts";
import { type RecordedChange, recordedChanges } from "./rows-store.ts";

const PORTION = 500;

/** Returns the rules by which entries and events belong together. `names`: those of the events. */
const straysOf = (names: readonly string[]): readonly StrayRule[] => [
  {
    table: "access_log",
    id: "access_id",
    fault: "no event of the administration says what it says, and no message about it waits",
    where:
      `e.action IN (${names.map((name) => `'${name}'`).join(", ")}) AND e.administration_seq_no IS NULL ` +
      `AND NOT EXISTS (SELECT 1 FROM outbox o WHERE o.kind = '${WAITING_CHANGE}' ` +
      `AND o.subject = e.access_id AND o.done_at IS NULL)`,
  },
  {
    table: "access_log",
    id: "access_id",
    fault: "the event of the administration that it names is not there, or says something else",
    where:
      "e.administration_seq_no > 0 AND NOT EXISTS (SELECT 1 FROM events v " +
      "WHERE v.stream_id = e.administration_stream_id AND v.seq_no = e.administration_seq_no " +
      "AND v.tenant_id = e.tenant_id AND v.event_type = e.action " +
      "AND v.source_ref = e.object_id)",
  },
  {
    table: "events",
    id: "stream_event_id",
    fault: "the audit log does not say what this event of the administration says",
    where:
      `e.stream_id IN (SELECT s.stream_id FROM streams s WHERE s.class = 'lifecycle' ` +
      `AND s.use_case = '${PURPOSES.administration}') AND NOT EXISTS (SELECT 1 FROM access_log l ` +
      "WHERE l.administration_stream_id = e.stream_id AND l.administration_seq_no = e.seq_no)",
  },
];

/** Yields the faults of the administration. */
export async function* checkAdministration(
  context: Pick<CheckContext, "database" | "kernel" | "events">,
): AsyncGenerator<Fault> {
  const names = context.events.filter(({ purpose }) => purpose === "administration").map(({ name }) => name);
  yield* strayRows(context, straysOf(names));
  const { database, kernel } = context;
  for (let after = ""; ; ) {
    const rows = await database.read((reader) => recordedChanges(reader, after, PORTION));
    for (const row of rows)
      if (!saysTheSame(row, (value) => Buffer.from(kernel.canonicalize(value)).toString()))
        yield {
          table: "access_log",
          row: { access_id: row.access_id },
          fault: "its event of the administration says something else",
        };
    if (rows.length < PORTION) return;
    after = rows.at(-1)?.access_id ?? after;
  }
}

/** Returns whether the payload of an event is that of its entry. The entry does not have what was before. */
function saysTheSame(
  { actor_kind, actor_id, object_id, detail, payload }: RecordedChange,
  textOf: (value: ReturnType<typeof payloadOf>) => string,
): boolean {
  try {
    const told = JSON.parse(payload);
    const kind = actor_kind as Parameters<typeof payloadOf>[0]["kind"];
    const expected = payloadOf({ kind, id: actor_id }, object_id, told.before ?? null, JSON.parse(detail));
    return textOf(told) === textOf(expected);
  } catch {
    return false;
  }
}
