/**
 * The ladder of a rejected object: which steps break, and what holds all the same. No step is good, because the object
 * as a whole does not count.
 */
import type { CheckId, Report } from "@svc/core";
import { type StepName, stepsOf } from "../ladder.ts";
import { CHECK_NAMES, type Tone } from "../words.ts";

interface BrokenStep {
  readonly name: StepName;
  readonly mark: "✗" | "◐" | "○";
  readonly tone: Tone | null;
  readonly text: string;
}

/** The checks that each step needs. Signatures are made over payloads and event hashes. */
const STANDS_ON: Readonly<Record<StepName, readonly CheckId[]>> = {
  signed: [
    "payload_hash",
    "event_hash",
    "sequence",
    "receipt_signature",
    "window_seal",
    "checkpoint_seal",
    "bundle_seal",
  ],
  included: ["inclusion", "window_root", "window_tiling", "completeness", "checkpoint_root", "checkpoint_chain"],
  witnessed: ["note", "witness"],
  published: [],
  anchored: ["anchor"],
  vault: ["envelope", "vault_key", "vault_chain", "provenance", "disclosure"],
  level: ["attestation", "assurance"],
};

/** Returns the steps; empty if the form was wrong, because then nothing behind it was looked at. */
export function rejectedLadder(report: Report): BrokenStep[] {
  const { checks } = report;
  if (checks.some(({ id, status }) => (id === "json" || id === "shape") && status === "fail")) return [];
  return stepsOf(report).map((name) => {
    const found = checks.filter(({ id }) => STANDS_ON[name].includes(id));
    const named = (wanted: string) => found.flatMap(({ id, status }) => (status === wanted ? [CHECK_NAMES[id]] : []));
    const [failed, held] = [named("fail"), named("pass")];
    if (failed.length > 0) return { name, mark: "✗", tone: "bad", text: `does not hold: ${failed.join(", ")}` };
    if (held.length > 0) return { name, mark: "◐", tone: "warn", text: `holds by itself: ${held.join(", ")}` };
    return { name, mark: "○", tone: null, text: "not shown" };
  });
}
