/**
 * The members of a request, each parsed strictly by its form. A member of another form is a RequestFault that names it;
 * the operation decides what the member means. Hashes, keys and signatures may have any length here: a wrong one is a
 * case to judge.
 */
import { type Json, type JsonObject, parseBase64, parseHex } from "@svc/core";
import { RequestFault } from "./operation.ts";

const MAX_SIZE_TEXT = `${Number.MAX_SAFE_INTEGER}`;

/** Returns a JSON object that has these members, and maybe others. `what` names it in messages. */
export function objectWith(value: Json | undefined, what: string, required: readonly string[]): JsonObject {
  if (!isObject(value)) throw new RequestFault(`${what} must be a JSON object.`);
  for (const name of required)
    if (!Object.hasOwn(value, name)) throw new RequestFault(`${what} lacks the member ${JSON.stringify(name)}.`);
  return value;
}

/** Returns a JSON object that has all of the required members, and no others than these and the optional ones. */
export function closedObject(
  value: Json | undefined,
  what: string,
  required: readonly string[],
  optional: readonly string[] = [],
): JsonObject {
  const object = objectWith(value, what, required);
  for (const name of Object.keys(object))
    if (!required.includes(name) && !optional.includes(name))
      throw new RequestFault(`${what} has a member ${JSON.stringify(name.slice(0, 80))}, which it does not take.`);
  return object;
}

/** Says whether a value is a JSON object, and neither null nor an array. */
export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns bytes from standard base64 with its padding. */
export function bytesMember(object: JsonObject, name: string): Uint8Array {
  const bytes = parseBase64(textMember(object, name));
  if (bytes === null)
    throw wrong(name, "canonical base64 with padding, in the alphabet with + and / (RFC 4648 section 4)");
  return bytes;
}

/** Returns bytes from lowercase hex, of any length. */
export function hexMember(object: JsonObject, name: string): Uint8Array {
  return hexBytes(object[name], name);
}

/** Returns an array of bytes from lowercase hex. */
export function hexListMember(object: JsonObject, name: string): Uint8Array[] {
  return listMember(object, name).map((item, index) => hexBytes(item, `${name}[${index}]`));
}

/** Returns an array of texts. */
export function textListMember(object: JsonObject, name: string): string[] {
  return listMember(object, name).map((item, index) => text(item, `${name}[${index}]`));
}

/** Returns an array. */
export function listMember(object: JsonObject, name: string): readonly Json[] {
  const value = object[name];
  if (!Array.isArray(value)) throw wrong(name, "an array");
  return value;
}

/** Returns a text. */
export function textMember(object: JsonObject, name: string): string {
  return text(object[name], name);
}

/**
 * Returns a tree size or a leaf index: a JSON integer of 0 to 2^53-1, or the same in decimal digits as a text. A text
 * of a larger number is well formed, but beyond the protocol's integers: it is refused with the code `malformed`, and
 * never rounded.
 */
export function sizeMember(object: JsonObject, name: string): number {
  return size(object[name], name);
}

/** Returns an array of such integers. */
export function sizeListMember(object: JsonObject, name: string): number[] {
  return listMember(object, name).map((item, index) => size(item, `${name}[${index}]`));
}

function size(value: Json | undefined, name: string): number {
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 0) return value;
  if (typeof value !== "string" || !/^(?:0|[1-9][0-9]*)$/.test(value))
    throw wrong(name, "an integer of 0 to 2^53-1, or a larger one as a text of decimal digits without a leading zero");
  if (value.length > MAX_SIZE_TEXT.length || (value.length === MAX_SIZE_TEXT.length && value > MAX_SIZE_TEXT))
    throw new RequestFault(`"${name}" is larger than 2^53-1, the protocol's largest integer.`, "malformed");
  return Number(value);
}

function hexBytes(value: Json | undefined, name: string): Uint8Array {
  const bytes = parseHex(text(value, name));
  if (bytes === null) throw wrong(name, "lowercase hex, two digits a byte");
  return bytes;
}

function text(value: Json | undefined, name: string): string {
  if (typeof value !== "string") throw wrong(name, "a text");
  return value;
}

function wrong(name: string, form: string): RequestFault {
  return new RequestFault(`"${name}" must be ${form}.`);
}
