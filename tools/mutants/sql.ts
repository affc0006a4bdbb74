/**
 * Mutants of SQL, which is text to the instrumenter: each condition is left out, each comparison moves by its boundary,
 * and NULL changes sides. They are behind the same switches, in the texts that the instrumenter has not changed.
 */

/** One change of one text, by offsets in the source file. */
export interface SqlChange {
  readonly start: number;
  readonly end: number;
  readonly replacement: string;
}

/** A comparison in the text, and its possible replacements. */
interface Comparison {
  readonly start: number;
  readonly end: number;
  readonly replacements: readonly string[];
}

/** A text of one line, or a template, that begins like a statement, or like the rest of one. */
const TEXT =
  /"((?:SELECT|INSERT|UPDATE|DELETE|WITH|WHERE|AND) [^"\\\n]*)"|`(\s*(?:SELECT|INSERT|UPDATE|DELETE|WITH|WHERE|AND) [^`]*)`/g;
/** The computed parts of a template. */
const COMPUTED = /\$\{[^}]*\}/g;
const COMPARISON = /(?<=\b(WHERE|AND|OR|ON)\s+\(?)([\w.]+) (<=|>=|<>|<|>|=|IS NOT|IS) (\$\d+|'[^']*'|NULL|[\w.]+)/g;
const OTHER_SIDE: Readonly<Record<string, string>> = {
  "<": "<=",
  "<=": "<",
  ">": ">=",
  ">=": ">",
  IS: "IS NOT",
  "IS NOT": "IS",
};

/** The changes of a source file's SQL. */
export function sqlChanges(source: string): SqlChange[] {
  return partsOf(source).flatMap(({ text, start }) =>
    comparisonsOf(text).flatMap((one) =>
      one.replacements.map((replacement) => ({ start: start + one.start, end: start + one.end, replacement })),
    ),
  );
}

/** Instrumented text with the changes of its source behind switches; `ids` are those of sqlChanges, in that order. */
export function withSqlSwitches(instrumented: string, source: string, ids: readonly string[]): string {
  let next = 0;
  return partsOf(source).reduce((all, { text, isTemplate }) => {
    let at = 0;
    let switched = "";
    for (const { start, end, replacements } of comparisonsOf(text)) {
      const own = replacements.map((replacement) => [ids[next++] ?? "", replacement] as const);
      switched += text.slice(at, start) + switchOf(text.slice(start, end), own);
      at = end;
    }
    if (at === 0) return all;
    switched += text.slice(at);
    if (!isTemplate) return all.replaceAll(`"${text}"`, () => `\`${switched}\``);
    return all.replaceAll(new RegExp(`(?<=[\`}])${escaped(text)}(?=\`|\\$\\{)`, "g"), () => switched);
  }, instrumented);
}

/** In a template: one of the changes where it is active, and the original otherwise. */
function switchOf(original: string, changes: readonly (readonly [id: string, replacement: string])[]): string {
  const cases = changes.map(([id, text]) => `stryMutAct_9fa48("${id}") ? ${JSON.stringify(text)} : `).join("");
  const ids = changes.map(([id]) => `"${id}"`).join(", ");
  return `\${${cases}(stryCov_9fa48(${ids}), ${JSON.stringify(original)})}`;
}

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}

/** A part of a text between what is computed into it. */
interface Part {
  readonly text: string;
  readonly start: number;
  readonly isTemplate: boolean;
}

/** Each once, wherever else the same text stands. */
function partsOf(source: string): Part[] {
  const all: Part[] = [...source.matchAll(TEXT)].flatMap(({ index, 1: line, 2: template = "" }): Part[] => {
    if (line !== undefined) return [{ text: line, start: index + 1, isTemplate: false }];
    const computed = [...template.matchAll(COMPUTED)].map((one) => ({
      from: one.index,
      to: one.index + one[0].length,
    }));
    const starts = [0, ...computed.map(({ to }) => to)];
    const ends = [...computed.map(({ from }) => from), template.length];
    return starts.map((from, part) => ({
      text: template.slice(from, ends[part]),
      start: index + 1 + from,
      isTemplate: true,
    }));
  });
  return [...new Map(all.toReversed().map((part) => [part.text, part])).values()].reverse();
}

/** Every parameter stays in the statement: one that is not used would be refused. */
function comparisonsOf(text: string): Comparison[] {
  return [...text.matchAll(COMPARISON)].map(({ index, 0: all, 1: after, 2: left, 3: operator = "", 4: right = "" }) => {
    const other = OTHER_SIDE[operator];
    const moved = other === undefined ? [] : [`${left} ${other} ${right}`];
    const value = right.startsWith("$") ? right : "1";
    const without = `${value} ${after === "OR" ? "IS NOT" : "IS"} ${value}`;
    return { start: index, end: index + all.length, replacements: [without, ...moved] };
  });
}
