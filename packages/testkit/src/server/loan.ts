/** The event that most tests of the server send. */

/** Returns a loan decision, as a source system would send it. */
export function loan(number: number, changes: object = {}) {
  return {
    source_ref: `loan-${number}`,
    event_type: "loan.decided",
    occurred_at: "2026-03-01T10:15:30.5+01:00",
    payload: { applicant: `A-${number}`, amount: 1000.25 * number, decision: number % 3 === 0 ? "refused" : "granted" },
    ...changes,
  };
}
