/** The JSON values that the runner reads with `JSON.parse`. */

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;

export interface JsonObject {
  readonly [member: string]: Json;
}

/** Says whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns the JSON text of a value with the members of every object in one order, so that equal values are equal. */
export function textOf(value: Json): string {
  return JSON.stringify(value, (_, part: Json) =>
    isObject(part)
      ? Object.fromEntries(
          Object.keys(part)
            .sort()
            .map((name) => [name, part[name]]),
        )
      : part,
  );
}
