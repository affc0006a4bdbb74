/**
 * Lists of which one page costs a page, under any filters. Each filter that has an index can lead; the one whose index
 * leads furthest within a bound does, and the others are applied to the rows on the way. If the bound is met before the
 * page is full, the page is short and says how far it looked. Databases choose indexes by statistics, and an embedded
 * one has none: therefore the lead is chosen here.
 */
import { MAX_EXAMINED_ROWS } from "@svc/api/limits";
import type { Reader, SqlValue } from "./database.ts";

/** A place in the order of a list: the values of its key. */
export type Place = readonly (string | number)[];

/** Every row of a list up to a place; if `end` is null, every row to its end. */
export interface Walked<Row> {
  readonly rows: readonly Row[];
  readonly end: Place | null;
}

/** Returns one or more conditions in SQL; `place` returns the placeholder of a value. */
export type Condition = (place: (value: SqlValue) => string) => string;

/** A filter, in a form for which the database chooses no index. */
export interface Filter {
  readonly kept: Condition;
}

/** A filter that an index can answer too: a column with a text. */
export interface IndexedFilter extends Filter {
  readonly column: string;
  readonly text: string;
}

/** Returns the filter of a column with a text. */
export function equal(column: string, text: string): IndexedFilter {
  return { column, text, kept: (place) => `${column} || '' = ${place(text)}` };
}

/** The parts that all walks over a list have in common, in SQL. */
export interface ListSql<Row> {
  readonly columns: string;
  readonly from: string;
  /** The columns of the key, which orders the list. */
  readonly key: readonly string[];
  readonly isDescending?: boolean;
  readonly placeOf: (row: Row) => Place;
}

/** The part of a list to read. */
export interface Part {
  /** The place behind which it begins; null for the beginning. */
  readonly after: Place | null;
  readonly most: number;
}

/** One way through a list. */
export interface Lead<Row> {
  /** Whether every row to which it leads is in the list, so that no row is examined in vain. */
  readonly isExact: boolean;
  /**
   * Resolves to the place of the last of at most `bound` rows to which it leads; null if it leads to the end of the
   * list.
   */
  reach(after: Place | null, bound: number): Promise<Place | null>;
  /**
   * Resolves to the rows of the list behind a place, up to an end; if there are more than the part takes, to the first
   * ones.
   */
  rows(part: Part, end: Place | null): Promise<Row[]>;
}

/**
 * Reads a part of a list by an exact lead, or else by the lead that gets furthest within `bound` rows, the first one of
 * several. Throws TypeError without a lead.
 */
export async function walk<Row>(
  list: Pick<ListSql<Row>, "placeOf" | "isDescending">,
  leads: readonly Lead<Row>[],
  part: Part,
  bound = MAX_EXAMINED_ROWS,
): Promise<Walked<Row>> {
  const exact = leads.find(({ isExact }) => isExact);
  const chosen = exact === undefined ? await furthest(list, leads, part.after, bound) : { lead: exact, end: null };
  const rows = await chosen.lead.rows(part, chosen.end);
  const last = rows.length === part.most ? rows.at(-1) : undefined;
  return { rows, end: last === undefined ? chosen.end : list.placeOf(last) };
}

async function furthest<Row>(
  { isDescending = false }: Pick<ListSql<Row>, "isDescending">,
  leads: readonly Lead<Row>[],
  after: Place | null,
  bound: number,
) {
  let best: { readonly lead: Lead<Row>; readonly end: Place } | null = null;
  for (const lead of leads) {
    const end = await lead.reach(after, bound);
    if (end === null) return { lead, end };
    if (best === null || (isDescending ? isBefore(end, best.end) : isBefore(best.end, end))) best = { lead, end };
  }
  if (best === null) throw new TypeError("a list needs a lead");
  return best;
}

/**
 * Merges parts of lists that have no row in common, in ascending order of their key, and returns `most` rows at most.
 * The result ends where the shortest part ends: behind it, rows may be missing.
 */
export function merged<Row>(
  { placeOf }: Pick<ListSql<Row>, "placeOf">,
  parts: readonly Walked<Row>[],
  most: number,
): Walked<Row> {
  const ends = parts.flatMap(({ end }) => (end === null ? [] : [end]));
  const end = ends.toSorted(byPlace)[0] ?? null;
  const known = parts
    .flatMap(({ rows }) => rows)
    .filter((row) => end === null || !isBefore(end, placeOf(row)))
    .toSorted((one, other) => byPlace(placeOf(one), placeOf(other)));
  const rows = known.slice(0, most);
  const last = rows.length === most ? rows.at(-1) : undefined;
  return { rows, end: last === undefined ? end : placeOf(last) };
}

/** Returns the way along the index that answers `within` and the leading filter, in the order of the key. */
export function indexLead<Row>(
  reader: Reader,
  list: ListSql<Row>,
  {
    within,
    led = [],
    kept = [],
    also = [],
  }: {
    /** Conditions that hold for all rows to which the index leads. */
    readonly within: readonly Condition[];
    /** The filters that the index answers. */
    readonly led?: readonly IndexedFilter[];
    /** The other filters of the list. */
    readonly kept?: readonly Filter[];
    /** Conditions that hold for all rows to which the index leads, and are checked again in the rows that are shown. */
    readonly also?: readonly Condition[];
  },
): Lead<Row> {
  const { columns, from, key, isDescending = false } = list;
  const direction = isDescending ? " DESC" : "";
  const [behind, upTo] = isDescending ? ["<", ">="] : [">", "<="];
  const leading = led.map(
    ({ column, text }): Condition =>
      (place) =>
        `${column} = ${place(text)}`,
  );
  // Both ends of a range repeat the columns before the key. Without them SQLite prefers the range of the key alone, in
  // another index, to the whole of this one.
  const inFront = [...led.map(({ column }) => column), ...key];
  const compared = (names: readonly string[], operator: string, values: Place): Condition => {
    const tuple = (parts: readonly string[]) => (parts.length === 1 ? parts.join() : `(${parts.join(", ")})`);
    return (place) => `${tuple(names)} ${operator} ${tuple(values.map(place))}`;
  };
  const inRange = (after: Place | null, end: Place | null): Condition[] => {
    if (after === null || end === null)
      return [
        ...leading,
        ...(after === null ? [] : [compared(key, behind, after)]),
        ...(end === null ? [] : [compared(key, upTo, end)]),
      ];
    const texts = led.map(({ text }) => text);
    return [compared(inFront, behind, [...texts, ...after]), compared(inFront, upTo, [...texts, ...end])];
  };
  const orderBy = (names: readonly string[]) => `ORDER BY ${names.map((name) => `${name}${direction}`).join(", ")}`;
  return {
    isExact: kept.length === 0,
    reach: async (after, bound) => {
      const names = key.map((column, index) => `${column} AS key_${index}`).join(", ");
      const { sql, values } = written(
        (place) =>
          `SELECT ${names} FROM ${from} ${where([...within, ...inRange(after, null)])(place)}
           ${orderBy(key)} LIMIT 1 OFFSET ${place(bound - 1)}`,
      );
      const row = await reader.first<Readonly<Record<string, string | number>>>(sql, ...values);
      return row === null ? null : Object.values(row);
    },
    rows: ({ after, most }, end) => {
      const conditions = [...within, ...inRange(after, end), ...also, ...kept.map((filter) => filter.kept)];
      const { sql, values } = written(
        (place) =>
          `SELECT ${columns} FROM ${from} ${where(conditions)(place)} ${orderBy(inFront)} LIMIT ${place(most)}`,
      );
      return reader.all<Row>(sql, ...values);
    },
  };
}

/** Returns the WHERE clause that joins these conditions by AND; empty without conditions. */
export function where(conditions: readonly Condition[]): Condition {
  return (place) =>
    conditions.length === 0 ? "" : `WHERE ${conditions.map((condition) => condition(place)).join(" AND ")}`;
}

/** Returns a statement with the values of its placeholders, `$1` first. */
export function written(statement: Condition): { readonly sql: string; readonly values: readonly SqlValue[] } {
  const values: SqlValue[] = [];
  const sql = statement((value) => `$${values.push(value)}`);
  return { sql, values };
}

function isBefore(one: Place, other: Place): boolean {
  return byPlace(one, other) < 0;
}

/** Compares places as the database orders them: numbers by size, texts by their characters, which are ASCII. */
function byPlace(one: Place, other: Place): number {
  for (const [index, value] of one.entries()) {
    const against = other[index] ?? value;
    if (value !== against) return value < against ? -1 : 1;
  }
  return 0;
}
