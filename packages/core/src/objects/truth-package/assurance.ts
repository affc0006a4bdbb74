/** The assurance of a package: the weakest among its bundles. */
import type { Assurance, ProvenanceAssurance } from "../../report/report.ts";
import { provenanceOfBoth } from "../assurance/tally.ts";

/** The part of the assurance that is about the checkpoints of a bundle. */
export type Shown = Pick<Assurance, "included" | "complete" | "witnessed" | "published" | "anchored">;

/** Weaker ones come first. */
const PUBLISHED = ["none", "included", "witnessed"] as const;
const ANCHORED = ["none", "pending", "unpinned", "pinned"] as const;

/** Returns the assurance that both have. */
export function shownByBoth(one: Shown, other: Shown): Shown {
  return {
    included: one.included && other.included,
    complete: one.complete && other.complete,
    witnessed: {
      required: Math.max(one.witnessed.required, other.witnessed.required),
      valid: Math.min(one.witnessed.valid, other.witnessed.valid),
      pinned: Math.min(one.witnessed.pinned, other.witnessed.pinned),
    },
    published: lesser(PUBLISHED, one.published, other.published),
    anchored: lesser(ANCHORED, one.anchored, other.anchored),
  };
}

/** Returns the sum of what the bundles of a package say of vaults; null if none says anything. */
export function provenanceOfAll(bundles: readonly Pick<Assurance, "provenance">[]): ProvenanceAssurance | null {
  const [first, ...more] = bundles.flatMap(({ provenance }) => provenance ?? []);
  return first === undefined ? null : more.reduce(provenanceOfBoth, first);
}

function lesser<Value>(order: readonly Value[], one: Value, other: Value): Value {
  return order.indexOf(one) < order.indexOf(other) ? one : other;
}
