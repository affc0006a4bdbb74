/**
 * Every small edit of a JSON value: each value changed and retyped, each member deleted and renamed, one added to each
 * object, each element of an array dropped, repeated and swapped with its neighbour. It knows nothing of the meaning of
 * the value.
 */
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { pointerTo } from "../schema/pointer.ts";
import type { Edit } from "./mutant.ts";
import { isObject, type Place, places, without } from "./places.ts";
import { otherTypes, otherValues } from "./values.ts";

/** A description shows so much of a value, in characters. */
const SHOWN_CHARACTERS = 100;

/** Yields all single edits of a value, place by place. */
export function* edits(root: Json): Generator<Edit> {
  for (const place of places(root)) {
    yield* ofValue(place);
    if (Array.isArray(place.value)) yield* ofElements(place, place.value);
    else if (isObject(place.value)) yield* ofMembers(place, place.value);
  }
}

function* ofValue({ path, value, replaced }: Place): Generator<Edit> {
  if (typeof value === "boolean" || typeof value === "number" || typeof value === "string")
    for (const other of otherValues(value))
      yield { class: "changed", path, description: `changed to ${shown(other)}`, value: replaced(other) };
  for (const other of otherTypes(value))
    yield { class: "retyped", path, description: `made ${shown(other)}`, value: replaced(other) };
}

function* ofElements({ path, replaced }: Place, items: readonly Json[]): Generator<Edit> {
  for (const [index, item] of items.entries()) {
    const at = `${path}/${index}`;
    yield { class: "dropped", path: at, description: "dropped", value: replaced(items.toSpliced(index, 1)) };
    yield { class: "repeated", path: at, description: "repeated", value: replaced(items.toSpliced(index, 0, item)) };
    const next = items[index + 1];
    if (next === undefined) continue;
    const swapped = items.with(index, next).with(index + 1, item);
    yield { class: "swapped", path: at, description: "swapped", value: replaced(swapped) };
  }
}

function* ofMembers({ path, replaced }: Place, object: JsonObject): Generator<Edit> {
  for (const [name, member] of Object.entries(object)) {
    const at = pointerTo(path, name);
    const rest = without(object, name);
    yield { class: "deleted", path: at, description: "deleted", value: replaced(rest) };
    yield { class: "renamed", path: at, description: "renamed", value: replaced({ ...rest, [`${name}_`]: member }) };
  }
  yield { class: "added", path, description: "given a member", value: replaced({ ...object, additional: 0 }) };
}

function shown(value: Json): string {
  const text = JSON.stringify(value);
  return text.length > SHOWN_CHARACTERS ? `${text.slice(0, SHOWN_CHARACTERS)}…`.toWellFormed() : text;
}
