/** The table of protocol section 26, cell by cell: every combination of what it depends on. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { keyTimeCell } from "../../src/vault/key-time.ts";

const ENROLLED = "2026-03-01T00:00:00.000Z";
const ENDED = "2026-03-02T00:00:00.000Z";
const TOLD = "2026-03-03T00:00:00.000Z";

/** The times of an event, from the earliest, with its side of each instant. */
const RECEIVED = {
  "before enrolment": "2026-02-28T23:59:59.999Z",
  "at enrolment": ENROLLED,
  "before the end": "2026-03-01T23:59:59.999Z",
  "at the end": ENDED,
  "after the end, untold": "2026-03-02T23:59:59.999Z",
  "when it was announced": TOLD,
  "no receipt": null,
} as const;
type Received = keyof typeof RECEIVED;
const REASONS = ["key_compromise", "superseded", "decommissioned", "unspecified"] as const;

const REVOKED = "rejected vault_key_revoked";
const UNCERTAIN = "untrusted vault_revocation_time_uncertain";
const UNPROVEN = "untrusted key_time_unproven";

/** The table as section 26 writes it, apart from the code under test. */
function expected(
  received: Received,
  {
    isProven,
    isReconstructed,
    reason,
    wantsProof,
  }: Record<"isProven" | "isReconstructed" | "wantsProof", boolean> & {
    readonly reason: (typeof REASONS)[number];
  },
): string {
  switch (received) {
    case "before enrolment":
      return "rejected vault_key_not_yet_enrolled";
    case "no receipt":
      return UNPROVEN;
    case "at the end":
    case "after the end, untold":
      return isReconstructed ? UNCERTAIN : REVOKED;
    case "when it was announced":
      return REVOKED;
    case "at enrolment":
    case "before the end":
      if (isProven) return isReconstructed ? "passes, noted" : "passes";
      if (isReconstructed && ["key_compromise", "unspecified"].includes(reason)) return UNCERTAIN;
      return wantsProof ? UNPROVEN : "passes";
  }
}

function said(cell: ReturnType<typeof keyTimeCell>): string {
  if (cell.verdict !== "passes") return `${cell.verdict} ${cell.code}`;
  return cell.isNoted ? "passes, noted" : "passes";
}

const BOTH = [false, true];

test("a key that has ended: every cell", () => {
  let cells = 0;
  for (const received of Object.keys(RECEIVED) as Received[])
    for (const isProven of BOTH)
      for (const isReconstructed of BOTH)
        for (const reason of REASONS)
          for (const wantsProof of BOTH) {
            const asked: string[] = [];
            const event = {
              receivedAt: RECEIVED[received],
              provenBefore: (instant: string) => asked.push(instant) > 0 && isProven,
            };
            const status = {
              enrolledAt: ENROLLED,
              revokedAt: ENDED,
              revocationReason: reason,
              revocationInstantReconstructed: isReconstructed,
            };
            const cell = keyTimeCell(status, TOLD, event, wantsProof);
            const about = JSON.stringify({ received, isProven, isReconstructed, reason, wantsProof });
            assert.equal(said(cell), expected(received, { isProven, isReconstructed, reason, wantsProof }), about);
            assert.ok(
              asked.every((instant) => instant === ENDED),
              "the proof is asked for before the end",
            );
            cells++;
          }
  assert.equal(cells, 7 * 2 * 2 * 4 * 2);
});

test("an active key passes from its enrolment on, whatever is proven", () => {
  const status = {
    enrolledAt: ENROLLED,
    revokedAt: null,
    revocationReason: null,
    revocationInstantReconstructed: false,
  };
  for (const [received, receivedAt] of Object.entries(RECEIVED))
    for (const isProven of BOTH)
      for (const wantsProof of BOTH) {
        const cell = keyTimeCell(status, null, { receivedAt, provenBefore: () => isProven }, wantsProof);
        const early = received === "before enrolment";
        assert.equal(said(cell), early ? "rejected vault_key_not_yet_enrolled" : "passes", received);
      }
});

test("an end that no status has stated leaves the event's time uncertain", () => {
  const status = {
    enrolledAt: ENROLLED,
    revokedAt: ENDED,
    revocationReason: "key_compromise",
    revocationInstantReconstructed: true,
  } as const;
  const event = { receivedAt: RECEIVED["when it was announced"], provenBefore: () => true };
  assert.equal(said(keyTimeCell(status, null, event, false)), UNCERTAIN);
});
