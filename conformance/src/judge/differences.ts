/** The differences of two answers, whole outcomes compared: a line for the member, what is wanted, what was given. */
import { escapeText, shortened } from "../escape.ts";
import { isObject, type Json, type JsonObject, textOf } from "../json.ts";
import { reportDifferences } from "./report.ts";

/** A difference, for people and programs: texts without control characters, at most 300 characters long each. */
export interface Difference {
  /** The member that differs, as a JSON Pointer into the answer; empty for the answer as a whole. */
  readonly member: string;
  readonly wanted: string;
  readonly given: string;
}

const MAX_CHARACTERS = 300;
/** Members of an answer that are not compared. */
const NOT_COMPARED = new Set(["id", "message"]);

/**
 * Returns the differences between the right answer and one that was given; none if they are the same outcome. `words`:
 * compare what core's tables word as well.
 */
export function differencesOf(wanted: JsonObject, given: JsonObject, words: boolean): Difference[] {
  const found: Difference[] = [];
  const names = new Set([...Object.keys(wanted), ...Object.keys(given)].filter((name) => !NOT_COMPARED.has(name)));
  for (const name of names) {
    const [right, other] = [memberOf(wanted, name), memberOf(given, name)];
    if (name === "report" && isObject(right) && isObject(other)) found.push(...reportDifferences(right, other, words));
    else if (!isEqual(right, other)) found.push(difference(`/${name}`, right, other));
  }
  return found;
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

/** Returns a difference with its values as JSON text. */
export function difference(member: string, wanted: Json | undefined, given: Json | undefined): Difference {
  return { member: printed(member), wanted: printed(shown(wanted)), given: printed(shown(given)) };
}

/** Returns the difference of an answer that is none. */
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

function shown(value: Json | undefined): string {
  return value === undefined ? "nothing" : textOf(value);
}

function printed(text: string): string {
  return escapeText(shortened(text, MAX_CHARACTERS));
}
