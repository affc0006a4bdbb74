/**
 * Writes a program's value as JSON text, for every request. It refuses a value that JSON cannot carry unchanged, by
 * name and path: JSON.stringify would put another value in its place, and the service would seal that one.
 * docs/sdk-guide.md states the rule.
 */
import { SvcError } from "./error.ts";

/** The most levels that a service takes in a request (protocol section 2). */
const MAX_LEVELS = 64;
const LONE_SURROGATE = /\p{Surrogate}/u;
const WORD = /^[A-Za-z_$][\w$]*$/;

/** The state of the walk: the names that lead to a value, and the objects that are open. */
interface Place {
  readonly path: (string | number)[];
  readonly open: object[];
}

/**
 * Returns the text of a value. `mayLack`: members of the value itself, not those deeper in it, may be undefined and are
 * then left out, as options are. Throws SvcError `payload_not_json`, whose `detail.problems` has the JSON Pointer of
 * the refused value. Calls each `toJSON` once, and reads each member once.
 */
export function jsonOf(value: unknown, { mayLack = false } = {}): string {
  return textOf(value, { path: [], open: [] }, mayLack);
}

function textOf(value: unknown, place: Place, mayLack = false): string {
  switch (typeof value) {
    case "boolean":
      return String(value);
    case "string":
      if (LONE_SURROGATE.test(value)) throw refusal(place, "has half of a surrogate pair in it, which is no text");
      return JSON.stringify(value);
    case "number":
      return numberText(value, place);
    case "object":
      return value === null ? "null" : objectText(value, place, mayLack);
    case "undefined":
      throw refusal(place, "is undefined, which JSON does not have. Leave it out, or give null");
    case "bigint":
      throw refusal(place, "is a BigInt, which JSON does not have. Give it as a text");
    default:
      throw refusal(place, `is a ${typeof value}, which JSON does not have`);
  }
}

function numberText(value: number, place: Place): string {
  if (!Number.isFinite(value)) throw refusal(place, `is ${value}, which JSON does not have`);
  if (Object.is(value, -0)) throw refusal(place, "is -0, which would be recorded as 0. Give 0");
  if (Number.isInteger(value) && !Number.isSafeInteger(value))
    throw refusal(place, `is ${value}, an integer beyond 2^53-1, where neighbours look alike. Give it as a text`);
  return String(value);
}

function objectText(given: object, place: Place, mayLack: boolean): string {
  const value = plainOf(given, place);
  if (typeof value !== "object" || value === null) return textOf(value, place);
  if (place.open.includes(value)) throw refusal(place, "contains itself");
  if (place.open.length === MAX_LEVELS) throw refusal(place, `is more than ${MAX_LEVELS} levels deep`);
  place.open.push(value);
  const text = Array.isArray(value) ? arrayText(value, place) : membersText(value, place, mayLack);
  place.open.pop();
  return text;
}

/**
 * Returns the value that stands for an object: the result of its `toJSON`, if it has one. A Buffer's `toJSON` turns
 * each byte into a number, so Buffers are refused.
 */
function plainOf(value: object & { readonly toJSON?: unknown }, place: Place): unknown {
  if (typeof value.toJSON !== "function" || isPlainArray(value) || ArrayBuffer.isView(value)) return value;
  if (value instanceof Date && Number.isNaN(value.getTime())) throw refusal(place, "is a Date without a time");
  return value.toJSON(String(place.path.at(-1) ?? ""));
}

function arrayText(list: readonly unknown[], place: Place): string {
  if (!isPlainArray(list)) throw ofClass(list, place);
  const texts: string[] = [];
  for (let index = 0; index < list.length; index++) texts.push(memberText(list, index, place));
  const other = Reflect.ownKeys(list).find((key, index) => index >= list.length && key !== "length");
  if (other !== undefined) throw refusal(place, `is an array with a member ${String(other)}, which JSON does not have`);
  return `[${texts}]`;
}

function membersText(value: object, place: Place, mayLack: boolean): string {
  const prototype = Object.getPrototypeOf(value);
  // Plain objects of other realms have another Object.prototype.
  if (prototype !== null && !Object.hasOwn(prototype, "isPrototypeOf")) throw ofClass(value, place);
  const texts: string[] = [];
  for (const name of Reflect.ownKeys(value)) {
    if (typeof name === "symbol") throw refusal(place, `has a member named by the ${String(name)}`);
    if (LONE_SURROGATE.test(name)) throw refusal(place, "has a member whose name has half of a surrogate pair in it");
    const text = memberText(value, name, place, mayLack);
    if (text !== "") texts.push(`${JSON.stringify(name)}:${text}`);
  }
  return `{${texts}}`;
}

/** Returns the text of a member; empty for an undefined member that may be left out. */
function memberText(holder: object, name: string | number, place: Place, mayLack = false): string {
  place.path.push(name);
  const member = Object.getOwnPropertyDescriptor(holder, name);
  if (member === undefined) throw refusal(place, "is a hole in an array, which JSON does not have. Give null");
  if (!("value" in member)) throw refusal(place, "is a getter, not a value. Give what it answers");
  if (!member.enumerable) throw refusal(place, "is not enumerable, so JSON would leave it out");
  const text = mayLack && member.value === undefined ? "" : textOf(member.value, place);
  place.path.pop();
  return text;
}

/** An array's prototype is an array in every realm; the prototype of a class that extends Array is not. */
function isPlainArray(value: object): boolean {
  return Array.isArray(value) && Array.isArray(Object.getPrototypeOf(value));
}

function ofClass(value: object, place: Place): SvcError {
  const name: unknown = Object.getPrototypeOf(value)?.constructor?.name;
  const which = typeof name === "string" && name !== "" ? `the class ${name}` : "a class";
  return refusal(place, `is of ${which}, which JSON does not have. Give a plain object, an array or a text`);
}

function refusal({ path }: Place, what: string): SvcError {
  const [first, ...rest] = path;
  const names = rest.map((name) => {
    if (typeof name === "number") return `[${name}]`;
    return WORD.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
  });
  const message = `${first === undefined ? "What was given" : `${first}${names.join("")}`} ${what}.`;
  const pointer = path.map((name) => `/${String(name).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
  const problems = [{ path: pointer, message }];
  return new SvcError("payload_not_json", message, null, { detail: { problems } });
}
