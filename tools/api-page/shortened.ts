/** The answers of the page: with stand-ins, and cut if they are long. */
import type { StandIns } from "./stand-ins.ts";

const MOST_ITEMS = 2;
const MOST_MEMBERS = 16;
const MOST_CHARACTERS = 400;
const LEVELS = 4;

/**
 * Returns a value of JSON with stand-ins, down to so many levels. Items, members and characters beyond the first ones
 * become `…`.
 */
export function shortened(value: unknown, standIns: StandIns, levels = LEVELS, member = ""): unknown {
  if (typeof value === "number") return standIns.number(member, value);
  if (typeof value === "string") {
    const text = standIns.in(value);
    return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)}…` : text;
  }
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) {
    if (levels <= 0 && value.length > 0) return ["…"];
    const items = value.slice(0, MOST_ITEMS).map((item) => shortened(item, standIns, levels - 1));
    return value.length > MOST_ITEMS ? [...items, `… ${value.length - MOST_ITEMS} more`] : items;
  }
  const members = Object.entries(value);
  if (levels <= 0 && members.length > 0) return { "…": `${members.length} members` };
  const shown = members
    .slice(0, MOST_MEMBERS)
    .map(([name, inner]) => [standIns.in(name), shortened(inner, standIns, levels - 1, name)]);
  const rest = members.length > MOST_MEMBERS ? [["…", `${members.length - MOST_MEMBERS} more members`]] : [];
  return Object.fromEntries([...shown, ...rest]);
}
