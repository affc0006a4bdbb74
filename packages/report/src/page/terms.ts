/** The words of the field, one line each, for readers who meet them here first. */
import { type Element, el } from "./element.ts";

const TERMS: readonly (readonly [string, string])[] = [
  ["receipt", "The service's signed answer to one event."],
  ["sealed", "Signed with a service's key; by a vault, with its own."],
  ["window", "A batch of events under one fingerprint, sealed."],
  ["checkpoint", "All windows so far under one fingerprint, sealed."],
  ["cosigned", "Signed by a witness too, who signs only what extends what it signed before."],
  ["anchored", "Written, as a fingerprint, into a block of a public chain."],
  ["endorsement", "A key's signed word that another key is trusted too."],
  ["pinned", "Named by you as a key to trust."],
];

/** Returns the words with their meanings. */
export function terms(): Element {
  return el("dl", {}, ...TERMS.flatMap(([term, meaning]) => [el("dt", {}, term), el("dd", {}, meaning)]));
}
