/** Writes values as Python: the literals of tables, laid out much as ruff's formatter would. */

/** A value that a table holds. */
export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value };

const LINE_CHARACTERS = 120;

/** Returns the Python literal of a value. `indent`: that of the line where it begins; -Infinity for a single line. */
export function literal(value: Value, indent = 0): string {
  if (value === null) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return text(value);
  const inner = " ".repeat(Math.max(0, indent + 4));
  const items = Array.isArray(value)
    ? (value as readonly Value[]).map((item) => literal(item, indent + 4))
    : Object.entries(value).map(([name, member]) => `${text(name)}: ${literal(member as Value, indent + 4)}`);
  const [open, close] = Array.isArray(value) ? ["[", "]"] : ["{", "}"];
  const line = `${open}${items.join(", ")}${close}`;
  if (indent + line.length <= LINE_CHARACTERS && !line.includes("\n")) return line;
  return `${open}\n${items.map((item) => `${inner}${item},\n`).join("")}${" ".repeat(indent)}${close}`;
}

/** Returns the literal of a table with each entry whole on a line: a quarter less to ship than one laid out to read. */
export function byEntry(value: Value): string {
  const lines = (whole: readonly string[]) => whole.map((item) => `    ${item},\n`).join("");
  if (Array.isArray(value)) return `[\n${lines((value as readonly Value[]).map((item) => literal(item, -Infinity)))}]`;
  if (value === null || typeof value !== "object") return literal(value);
  const entries = Object.entries(value);
  return `{\n${lines(entries.map(([name, member]) => `${text(name)}: ${literal(member as Value, -Infinity)}`))}}`;
}

/** Returns a text as a Python string literal in ASCII. */
export function text(value: string): string {
  const escaped = JSON.stringify(value).replace(/[^\x20-\x7e]/gu, (character) => {
    const point = character.codePointAt(0) ?? 0;
    return point > 0xffff ? `\\U${point.toString(16).padStart(8, "0")}` : `\\u${point.toString(16).padStart(4, "0")}`;
  });
  return escaped;
}
