/** A verifier that rounds sizes and indexes that no double holds exactly, where the protocol refuses them. */
import type { Json } from "@svc/core";
import { isOf, type Lie, mistaking } from "./lie.ts";

const SIZES = ["leaf_index", "tree_size", "size1", "size2"];

export const ROUNDS_SIZES: Lie = {
  name: "rounds-sizes",
  does: "takes a size beyond 2^53-1 for the nearest one that the protocol has",
  concerns: (one) => isOf(one, "merkle.inclusion", "merkle.consistency") && one.answer.code === "malformed",
  tell: (kernel) =>
    mistaking(kernel, (request) =>
      Object.fromEntries(
        Object.entries(request).map(([name, value]) => [name, SIZES.includes(name) ? rounded(value) : value]),
      ),
    ),
};

/** Returns the nearest size for one that is too large; any other value as it is. */
function rounded(value: Json): Json {
  const isTooLarge = typeof value === "string" && /^[1-9][0-9]*$/.test(value) && !Number.isSafeInteger(Number(value));
  return isTooLarge ? Number.MAX_SAFE_INTEGER : value;
}
