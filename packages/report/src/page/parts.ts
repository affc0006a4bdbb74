/** The parts that several sections of a page share. */
import { type Element, el, type Part, type Parts } from "./element.ts";

type Attributes = Readonly<Record<string, string>>;

/** Returns a section with its heading. */
export function section(id: string, title: string, ...children: readonly Parts[]): Element {
  return el("section", { id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...children);
}

/** Returns a table: the names of its columns, its rows, and attributes of it and of its body. */
export function tableOf(
  columns: readonly string[],
  rows: readonly Part[],
  table: Attributes = {},
  body: Attributes = {},
): Element {
  const head = el("tr", {}, ...columns.map((name) => el("th", { scope: "col" }, name)));
  return el("table", table, el("thead", {}, head), el("tbody", body, ...rows));
}

/** Returns a list of names, each with what is said of it. */
export function pairsOf(pairs: readonly (readonly [name: string, said: Part])[]): Element {
  return el("dl", {}, ...pairs.flatMap(([name, said]) => [el("dt", {}, name), el("dd", {}, said)]));
}
