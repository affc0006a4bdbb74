/** One difference of two answers: a line for the member, what is wanted, what was given. */
import { escapeText, shortened } from "../escape.ts";
import { isObject, type Json, type JsonObject, textOf } from "../json.ts";

/** A difference, for people and programs: texts without control characters, at most 300 characters long each. */
export interface Difference {
  /** The member that differs, as a JSON Pointer into the answer; empty for the answer as a whole. */
  readonly member: string;
  readonly wanted: string;
  readonly given: string;
}

const MAX_CHARACTERS = 300;

/** Returns a difference with its values as JSON text. */
export function difference(member: string, wanted: Json | undefined, given: Json | undefined): Difference {
  return { member: printed(member), wanted: printed(shown(wanted)), given: printed(shown(given)) };
}

/** Returns the difference of an invalid answer. */
export function fault(text: string): Difference {
  return { member: "", wanted: "an answer", given: printed(text) };
}

/** Returns the sort of some differences, most often one cause: the same members, and the same words in them. */
export function sortOf(differences: readonly Difference[]): string {
  const wordsOf = (text: string) => (text.match(/"(?:code|verdict|id|status)":"[a-z_]+"|^"[a-z_]+"$/g) ?? []).join();
  const parts = differences.map(
    ({ member, wanted, given }) => `${member.replaceAll(/\d+/g, "n")} ${wordsOf(wanted)} ${wordsOf(given)}`,
  );
  return [...new Set(parts)].join("; ");
}

/** Returns a member's own value. */
export function memberOf(object: JsonObject, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Says whether two values are equal, whatever the order of members. */
export function isEqual(left: Json | undefined, right: Json | undefined): boolean {
  if (left === right) return true;
  if (Array.isArray(left) && Array.isArray(right))
    return left.length === right.length && left.every((one, index) => isEqual(one, right[index]));
  if (!isObject(left) || !isObject(right)) return false;
  const names = Object.keys(left);
  if (names.length !== Object.keys(right).length) return false;
  return names.every((name) => Object.hasOwn(right, name) && isEqual(left[name], right[name]));
}

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : textOf(value);
}

function printed(text: string): string {
  return escapeText(shortened(text, MAX_CHARACTERS));
}
