/** Every place in a JSON value, and the value with something else there. */
import type { Json, JsonObject } from "../kernel/kernel.ts";
import { pointerTo } from "../schema/pointer.ts";

/** One value inside another. */
export interface Place {
  /** JSON Pointer (RFC 6901); empty for the whole. */
  readonly path: string;
  readonly value: Json;
  /** Returns the whole with another value here. */
  replaced(value: Json): Json;
}

/** Yields every place in a value, the whole first, each before those inside it. */
export function places(root: Json): Generator<Place> {
  return inside({ path: "", value: root, replaced: (value) => value });
}

function* inside(place: Place): Generator<Place> {
  yield place;
  const { path, value, replaced } = place;
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      yield* inside({
        path: `${path}/${index}`,
        value: item,
        replaced: (other) => replaced(value.with(index, other)),
      });
  } else if (isObject(value)) {
    for (const [name, member] of Object.entries(value))
      yield* inside({
        path: pointerTo(path, name),
        value: member,
        replaced: (other) => replaced({ ...value, [name]: other }),
      });
  }
}

/** Says whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns a value with every text in it changed, the names of members too. */
export function withTexts(value: Json, change: (text: string) => string): Json {
  if (typeof value === "string") return change(value);
  if (Array.isArray(value)) return value.map((item: Json) => withTexts(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [change(name), withTexts(member, change)]));
}

/** Returns an object without these members. */
export function without(object: JsonObject, ...names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Says whether two values are the same JSON, without regard to the order of their members. */
export function isSame(a: Json | undefined, b: Json | undefined): boolean {
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index]));
  if (!isObject(a) || !isObject(b)) return a === b;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  return names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name]));
}
