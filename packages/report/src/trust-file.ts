/** Tells a trust policy, even one with faults, from evidence. It does not say whether the policy is a good one. */
import type { Json, JsonObject } from "@svc/core";
import { valueBearsMarks } from "./marks.ts";

/**
 * Says whether JSON that is of no kind of evidence is a trust policy, or tries to be one. No kind of evidence has a
 * member `signers`; broken evidence with such a member added stays evidence by its marks, so that nobody can turn a
 * rejection into a remark on a policy.
 */
export function isTrustFile(value: Json | undefined): boolean {
  if (typeof value !== "object" || value === null) return false;
  const { known_checkpoints: known, ...others } = value as Readonly<Record<string, Json>>;
  return Array.isArray(others.signers) && !valueBearsMarks(others) && !valueBearsMarks(withoutRoots(known ?? null));
}

/** Returns known checkpoints without their root: evidence has that one member as well. */
function withoutRoots(known: Json): Json {
  if (!Array.isArray(known)) return known;
  return known.map((one: Json) =>
    typeof one === "object" && one !== null && !Array.isArray(one) ? withoutRoot(one as JsonObject) : one,
  );
}

function withoutRoot({ checkpoint_root: _, ...others }: JsonObject): Json {
  return others;
}
