/**
 * The one way in which events enter a stream: numbered, hashed, chained to the head, signed and stored (protocol section 7), in a
 * transaction of the caller's. Who may append is the caller's to decide.
 */
import { issueReceipt } from "@svc/core";
import { latest, serviceTime } from "../clock.ts";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { newId } from "../ids.ts";
import { randomBytes } from "../random.ts";
import type { Writer } from "../store/database.ts";
import type { Principal } from "../tenancy/principal.ts";
import { newestPolicy } from "../witnesses/policies-store.ts";
import { type EventRow, insertEvent } from "./events-store.ts";
import type { PreparedEvent } from "./prepare-events.ts";
import { rowOf } from "./receipt-records.ts";
import { requireKnownHead } from "./require-chain.ts";
import { moveHead, type StreamRow } from "./streams-store.ts";

const SALT_BYTES = 16;

/** Appends at least one event on behalf of `actor`, and answers their rows in order; the receipts hold once the transaction is committed. */
export async function appendEvents(
  writer: Writer,
  { kernel, signer, clock }: Pick<Foundation, "kernel" | "signer" | "clock">,
  stream: StreamRow,
  events: readonly PreparedEvent[],
  actor: Principal,
): Promise<EventRow[]> {
  if (stream.closed_at !== null)
    throw new ServiceError(
      "stream_closed",
      `Stream ${stream.stream_id} was closed at ${stream.closed_at}, after its database had lost events. Make a new stream and append to that.`,
      { stream_id: stream.stream_id, closed_at: stream.closed_at },
    );
  await requireKnownHead(writer, stream);
  const policy = await newestPolicy(writer, stream.policy_id);
  // Never before what the stream stands on, even where the clock has been set back since.
  const now = latest(
    serviceTime(clock()),
    stream.last_received_at,
    stream.created_at,
    policy?.witnessPolicy.declared_at,
  );
  const rows: EventRow[] = [];
  let previous = stream.head_event_hash;
  for (const event of events) {
    const record = await issueReceipt(kernel, signer, event.input, {
      stream_id: stream.stream_id,
      stream_event_id: newId("sev"),
      seq_no: stream.head_seq_no + rows.length + 1,
      previous_event_hash: previous,
      received_at: now,
      payload_salt: Buffer.from(randomBytes(SALT_BYTES)).toString("hex"),
    });
    const row = rowOf(record, event.payloadText);
    await insertEvent(writer, row, {
      tenantId: stream.tenant_id,
      actor,
      occurredAtUtc: event.occurredAtUtc,
      sourceTimezone: stream.source_timezone,
    });
    rows.push(row);
    previous = record.event_hash;
  }
  const seqNo = stream.head_seq_no + rows.length;
  await moveHead(writer, stream, { seqNo, eventHash: previous, receivedAt: now, firstReceivedAt: now });
  return rows;
}
