/** Random JSON values, and random spellings of them. */
import type { Draws } from "./draws.ts";

const CHARACTERS = [
  ...'abzAZ09 /"\\',
  "\n",
  "\u0001",
  "\u00e9",
  "\u20ac",
  "\ue000",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
];
const NUMBERS = ["0", "-0", "1", "-17", "0.5", "1e21", "1e-7", "123456789", "9007199254740991", "2.5e-310", "6.02e23"];

type Value = null | boolean | { readonly number: string } | string | Value[] | Map<string, Value>;

/** Returns a value that nests at most so deep. Names within an object differ. */
export function randomValue(draws: Draws, depth: number): Value {
  switch (draws.below(depth > 0 ? 7 : 4)) {
    case 0:
      return draws.pick([null, true, false]);
    case 1:
      return { number: draws.pick(NUMBERS) };
    case 2:
    case 3:
      return randomText(draws);
    case 4:
      return Array.from({ length: draws.below(5) }, () => randomValue(draws, depth - 1));
    default:
      return new Map(Array.from({ length: draws.below(6) }, () => [randomText(draws), randomValue(draws, depth - 1)]));
  }
}

/** Returns a text of the value, with white space and escapes where they may stand. */
export function randomSpelling(value: Value, draws: Draws): string {
  const space = () => draws.pick(["", "", "", " ", "\n", "\t ", "\r\n"]);
  const text = (one: string) => `"${[...one].map((character) => spelled(character, draws)).join("")}"`;
  const list = (open: string, items: readonly string[], close: string) =>
    `${open}${space()}${items.join(`${space()},${space()}`)}${space()}${close}`;
  if (value === null || typeof value === "boolean") return `${value}`;
  if (typeof value === "string") return text(value);
  if (Array.isArray(value))
    return list(
      "[",
      value.map((item) => randomSpelling(item, draws)),
      "]",
    );
  if (value instanceof Map) {
    const members = [...value].map(
      ([name, member]) => `${text(name)}${space()}:${space()}${randomSpelling(member, draws)}`,
    );
    return list("{", members, "}");
  }
  return value.number;
}

function randomText(draws: Draws): string {
  return Array.from({ length: draws.below(6) }, () => draws.pick(CHARACTERS)).join("");
}

function spelled(character: string, draws: Draws): string {
  const units = Array.from({ length: character.length }, (_, at) => character.charCodeAt(at));
  const escaped = units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
  if (draws.below(4) === 0) return draws.below(2) === 0 ? escaped : escaped.toUpperCase().replaceAll("\\U", "\\u");
  return JSON.stringify(character).slice(1, -1);
}
