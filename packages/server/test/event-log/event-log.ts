/** Entries that tests send to the event log, and their requests for proofs. */
import type { Answer, Client } from "@svc/testkit/server/client";
import { until } from "@svc/testkit/until";

/** Returns a loan decision, as it is sent to the log. */
export function entry(number: number, changes: object = {}) {
  return {
    type: "loan.decided",
    status: number % 3 === 0 ? "refused" : "granted",
    occurred_at: "2026-03-01T10:15:30.5+01:00",
    source_ref: `loan-${number}`,
    payload: { applicant: `A-${number}`, amount: 1000.25 * number },
    ...changes,
  };
}

let used = 0;

/** Sends an event to the log, by default under a new key. */
export function log(client: Client, event: unknown, key = `log-${++used}`): Promise<Answer> {
  return client.post("/v1/sdk/events", event, { "idempotency-key": key });
}

/** Sends a batch to the log, by default under a new key. */
export function logBatch(client: Client, events: unknown, key = `log-batch-${++used}`): Promise<Answer> {
  return client.post("/v1/sdk/events/batch", { events }, { "idempotency-key": key });
}

/** Resolves to the parts of the proof of an event, once it has this one. */
export function proofWith(client: Client, eventId: string, part: string): Promise<Answer> {
  return until(`the proof of ${eventId} has ${part}`, async () => {
    const answer = await client.get(`/v1/events/${eventId}/proof`);
    return part in answer.body ? answer : null;
  });
}
