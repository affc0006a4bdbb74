/** The words for the three verdicts, for somebody who asks what one means. */
import type { Verdict } from "@svc/core";
import type { CodeText } from "./code-text.ts";

const TEXTS: Readonly<Record<Verdict, readonly [meaning: string, action: string]>> = {
  verified: [
    "Everything in the file that was checked holds, and it was sealed by keys that your trust reaches.",
    "Read what the report shows, and what not: the events are as they were sealed, which does not make them true.",
  ],
  rejected: [
    "Something in the file does not hold, or the file is not what you asked for.",
    "Do not rely on it. The report names each fault, its place, and what to do about it.",
  ],
  untrusted: [
    "Nothing that was checked is broken, but your trust does not suffice: mostly none of your pins leads to the key " +
      "that sealed the file, and then anybody could have made it.",
    "The report says what is missing. If it is the key, get the right one by a way that is not the file's, pin it, " +
      "and check the file again.",
  ],
};

/** The names of all verdicts. */
export const VERDICT_NAMES: readonly Verdict[] = Object.keys(TEXTS) as Verdict[];

/** The facts about a verdict. */
export type VerdictFacts = { readonly verdict: Verdict; readonly meaning: string; readonly action: string };

/** Returns the facts about a verdict. */
export function verdictFacts(verdict: Verdict): VerdictFacts {
  const [meaning, action] = TEXTS[verdict];
  return { verdict, meaning, action };
}

/** Returns the text about a verdict. */
export function verdictText(verdict: Verdict): CodeText {
  const [summary, action] = TEXTS[verdict];
  return { summary, points: [{ title: "What to do", text: action }] };
}
