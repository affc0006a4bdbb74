/**
 * The level of assurance that the verifier demands (protocol section 33). Evidence of events that does not say from
 * which vault they come is refused too: otherwise a provenance stream could be shown as another one to evade the
 * demand.
 */
import type { Kind } from "./checks.ts";
import type { Examination } from "./examination.ts";
import type { Level, ProvenanceAssurance } from "./report.ts";

/** The lowest comes first. */
export const LEVELS: readonly Level[] = ["L0", "L1", "L2", "L3"];

/** The kinds that show events. A disclosure or an envelope states its level itself. */
const SHOWS_EVENTS: readonly Kind[] = [
  "receipt",
  "stream",
  "portable-receipt",
  "bundle",
  "truth-package",
  "inclusion",
  "provenance-inclusion",
  "provider-result",
];

/** Checks the examined object against `require_assurance` of the trust policy. Call it after everything else. */
export function examineRequiredLevel(exam: Examination): void {
  const { require_assurance: required } = exam.trust;
  if (required === undefined || exam.kind === null) return;
  const { provenance } = exam;
  if (provenance === null) {
    const showsEvents = SHOWS_EVENTS.includes(exam.kind);
    if (!showsEvents) exam.notChecked("assurance", "it shows no event, and so no level");
    exam.expect("assurance", !showsEvents, {
      code: "assurance_insufficient",
      path: "",
      message: `You demand the level ${required}, and nothing here says which vault sealed these events.`,
      expected: required,
    });
    return;
  }
  const reached = lowestLevel(provenance);
  exam.looked("assurance");
  exam.expect("assurance", reached !== null && LEVELS.indexOf(reached) >= LEVELS.indexOf(required), {
    code: "assurance_insufficient",
    path: "",
    message: `You demand the level ${required}, and not everything here reaches it.`,
    expected: required,
    actual: reached ?? "none",
  });
}

/** Returns the lowest level with a count above 0; null without one. */
export function lowestLevel({ effective }: ProvenanceAssurance): Level | null {
  return LEVELS.find((level) => effective[level] > 0) ?? null;
}
