/** The event that `bench server`, `bench sdk` and `bench export` record. */

const PAYLOAD_BYTES = 450;

/** Returns an event whose payload has 450 bytes, different for each number. */
export function eventOf(number: number) {
  const payload = { applicant: `A-${number}`, amount: 1000.25 + number, note: "" };
  payload.note = "x".repeat(PAYLOAD_BYTES - JSON.stringify(payload).length);
  return {
    source_ref: `loan-${number}`,
    event_type: "loan.decided",
    occurred_at: "2026-03-01T10:15:30.5+01:00",
    payload,
  };
}
