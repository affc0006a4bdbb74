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
  const { known_checkpoints = null, key_status = null, ...others } = value as Readonly<Record<string, Json>>;
  return (
    Array.isArray(others.signers) &&
    ![others, each(known_checkpoints, withoutRoot), each(key_status, withoutSeal)].some(valueBearsMarks)
  );
}

/** Returns a list with this done to each object in it; any other value unchanged. */
function each(list: Json, change: (one: JsonObject) => Json): Json {
  if (!Array.isArray(list)) return list;
  return list.map((one: Json) =>
    typeof one === "object" && one !== null && !Array.isArray(one) ? change(one as JsonObject) : one,
  );
}

/** Returns a known checkpoint without its root: evidence has that one member as well. */
function withoutRoot({ checkpoint_root: _, ...others }: JsonObject): Json {
  return others;
}

/** Returns a key status without the members by which it is known as evidence where it stands alone. */
function withoutSeal({ revocationInstantReconstructed: _, seal: __, ...others }: JsonObject): Json {
  return others;
}
