/**
 * Refuses values that are not JSON before they are serialized: serializers skip undefined members, call toJSON, and
 * write lone surrogates.
 */

/** The most arrays and objects that are open at one place (protocol section 2). */
export const MAX_NESTING = 64;

/**
 * Throws TypeError, with a JSON Pointer, for a value that is not JSON: undefined, functions, symbols, bigints, numbers
 * that are not finite, text or names with lone surrogates, holes in arrays, objects that are not plain (of a class, or
 * with hidden or symbol members), objects and arrays with a toJSON method, nesting deeper than 64 and so every cycle.
 */
export function requireJson(value: unknown): void {
  const found = findNonJson(value, 0);
  if (found !== null) throw new TypeError(`not JSON at ${JSON.stringify(found.pointer)}: ${found.reason}`);
}

interface NonJson {
  readonly pointer: string;
  readonly reason: string;
}

/**
 * Returns the place and the reason why a value is not JSON, or null. It makes the pointer on the way out, so that a
 * JSON value costs nothing for it.
 */
function findNonJson(value: unknown, depth: number): NonJson | null {
  switch (typeof value) {
    case "string":
      return value.isWellFormed() ? null : here("text with a lone surrogate");
    case "number":
      return Number.isFinite(value) ? null : here(`the number ${value}`);
    case "boolean":
      return null;
    case "object":
      if (value === null) return null;
      if (depth >= MAX_NESTING) return here(`nested deeper than ${MAX_NESTING}`);
      if (isRawJson(value)) return here("a JSON.rawJSON");
      if ("toJSON" in value && typeof value.toJSON === "function") return here("a toJSON method");
      return Array.isArray(value) ? findInArray(value, depth) : findInObject(value, depth);
    default:
      return here(`a value of type ${typeof value}`);
  }
}

/** JSON.stringify writes such a text as it stands; newer runtimes have it. */
function isRawJson(value: object): boolean {
  const { isRawJSON } = JSON as { isRawJSON?: (value: unknown) => boolean };
  return isRawJSON?.(value) === true;
}

function findInArray(elements: readonly unknown[], depth: number): NonJson | null {
  // In every realm Array.prototype is an array; the prototype of a subclass is not.
  if (!Array.isArray(Object.getPrototypeOf(elements))) return here("an array that is not plain");
  for (let i = 0; i < elements.length; i++) {
    const found = findNonJson(elements[i], depth + 1); // a hole reads as undefined
    if (found !== null) return within(`${i}`, found);
  }
  return null;
}

function findInObject(object: object, depth: number): NonJson | null {
  const prototype: unknown = Object.getPrototypeOf(object);
  // A plain object of another realm has that realm's Object.prototype, which has no prototype itself.
  if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return here("an object that is not plain");
  // A boxed number or text stays boxed, with any prototype.
  if (Object.prototype.toString.call(object) !== "[object Object]") return here("an object that is not plain");
  const names = Object.keys(object);
  if (names.length !== Reflect.ownKeys(object).length) return here("an object with hidden members");
  for (const name of names) {
    const member = (object as Readonly<Record<string, unknown>>)[name];
    const found = name.isWellFormed() ? findNonJson(member, depth + 1) : here("a name with a lone surrogate");
    if (found !== null) return within(name, found);
  }
  return null;
}

function here(reason: string): NonJson {
  return { pointer: "", reason };
}

function within(name: string, { pointer, reason }: NonJson): NonJson {
  return { pointer: `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}${pointer}`, reason };
}
