/**
 * Puts parts of one valid object in the place of another's. Each part holds by itself, so only the ties between the
 * parts can tell.
 */
import type { Json } from "../kernel/kernel.ts";
import { pointerTo } from "../schema/pointer.ts";
import type { Edit } from "./mutant.ts";
import { isObject, isSame, places } from "./places.ts";

/**
 * Yields edits that replace each member and each element of a value by that at its place in another value, and edits
 * that add each member that only the other value has.
 */
export function* splices(good: Json, donor: Json): Generator<Edit> {
  const description = "taken from the other object";
  const there = new Map([...places(donor)].map(({ path, value }) => [path, value]));
  for (const { path, value, replaced } of places(good)) {
    const other = there.get(path);
    if (other === undefined || isSame(value, other)) continue;
    if (path !== "") yield { class: "spliced", path, description, value: replaced(other) };
    if (!isObject(value) || !isObject(other)) continue;
    for (const [name, member] of Object.entries(other)) {
      if (Object.hasOwn(value, name)) continue;
      const at = pointerTo(path, name);
      yield { class: "spliced", path: at, description, value: replaced({ ...value, [name]: member }) };
    }
  }
}
