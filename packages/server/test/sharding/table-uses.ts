/**
 * The uses of tables in a statement, and the columns by which each is restricted: computed from the statement as
 * PostgreSQL's own parser reads it. A form that is not known here restricts nothing.
 */
import { parse } from "libpg-query";

/** A table in a statement. */
export interface TableUse {
  readonly table: string;
  /** The columns whose values the statement itself names, or writes. */
  readonly named: ReadonlySet<string>;
}

/** A part of a parsed statement: an object with the members of the parser's grammar, a list, or a value. */
type Part = unknown;
type Members = Readonly<Record<string, Part>>;

/** A member of FROM: a table, or anything else that has columns. */
interface Item {
  /** Null for what is no table. */
  readonly table: string | null;
  readonly named: Set<string>;
  /** Whether the statement names the values of all columns. */
  readonly isNamed: boolean;
}

/** A condition that holds for all rows of a query. `only`: the members of FROM about which it says something. */
interface Holds {
  readonly condition: Part;
  readonly only: ReadonlySet<Item> | null;
}

/** A query with its members of FROM, by their names, and the query around it. */
interface Query {
  readonly items: ReadonlyMap<string, Item>;
  readonly around: Query | null;
  /** The names of the queries before this one in WITH. */
  readonly withs: ReadonlySet<string>;
}

/**
 * Resolves to the uses of tables in a text of statements. Rejects if it is no SQL, or names a table in a form that is
 * not known.
 */
export async function tableUses(sql: string): Promise<TableUse[]> {
  const parsed: Part = await parse(sql);
  const uses: TableUse[] = [];
  look(parsed, null, uses);
  const tables = rangeVars(parsed).length;
  if (uses.length !== tables - withUses(parsed) - lockedNames(parsed))
    throw new Error(`not every table is in a form that is known here: ${sql}`);
  return uses;
}

/** Looks for queries in a part, and adds their uses. */
function look(part: Part, around: Query | null, uses: TableUse[]): void {
  for (const [name, inner] of membersOf(part)) {
    if (isSelect(inner)) addSelect(inner, around, uses);
    else if (name === "UpdateStmt" || name === "DeleteStmt") addChange(inner as Members, around, uses);
    else if (name === "InsertStmt") addInsertion(inner as Members, around, uses);
    else look(inner, around, uses);
  }
}

/** The two sides of a UNION are in members that do not name their kind, but every SELECT has this one. */
function isSelect(part: Part): part is Members {
  return typeof part === "object" && part !== null && "limitOption" in part;
}

function addSelect(select: Members, around: Query | null, uses: TableUse[]): void {
  const { fromClause, whereClause, lockingClause: _locks, limitOption: _kind, ...rest } = select;
  addQuery(listed(fromClause), whereClause, { around, rest, withClause: select.withClause, uses });
}

function addChange(change: Members, around: Query | null, uses: TableUse[]): void {
  const { relation, fromClause, usingClause, whereClause, ...rest } = change;
  const from = [{ RangeVar: relation }, ...listed(fromClause), ...listed(usingClause)];
  addQuery(from, whereClause, { around, rest, withClause: change.withClause, uses });
}

function addInsertion(insertion: Members, around: Query | null, uses: TableUse[]): void {
  const { relation, cols, ...rest } = insertion;
  const named = listed(cols).map((column) => textAt(column, "ResTarget", "name"));
  uses.push({ table: textAt(relation, "relname"), named: new Set(named) });
  look(rest, around, uses);
}

function addQuery(
  from: readonly Part[],
  where: Part,
  {
    around,
    rest,
    withClause,
    uses,
  }: { readonly around: Query | null; readonly rest: Members; readonly withClause: Part; readonly uses: TableUse[] },
): void {
  const withs = new Set([...(around?.withs ?? []), ...withNames(withClause)]);
  const items = new Map<string, Item>();
  const holds: Holds[] = [];
  const inner: Part[] = [];
  for (const one of from) addItem(one, { items, holds, inner, withs });
  const query: Query = { items, around, withs };
  if (where !== undefined) holds.push({ condition: where, only: null });
  const conditions = holds.flatMap(({ condition, only }) => joined(condition).map((one) => ({ condition: one, only })));
  // One condition may name a column that another one compares with.
  for (let before = -1, now = 0; before !== now; ) {
    before = now;
    for (const { condition, only } of conditions) nameBy(condition, only, query);
    now = [...items.values()].reduce((sum, { named }) => sum + named.size, 0);
  }
  for (const { table, named } of items.values()) if (table !== null) uses.push({ table, named });
  look([inner, holds.map(({ condition }) => condition), rest], query, uses);
}

/** Adds a member of FROM with the conditions of its joins. `inner`: gets the queries in it. Returns the items. */
function addItem(
  part: Part,
  to: {
    readonly items: Map<string, Item>;
    readonly holds: Holds[];
    readonly inner: Part[];
    readonly withs: ReadonlySet<string>;
  },
): Item[] {
  const [[kind, members] = ["", null]] = membersOf(part);
  const add = (name: string, item: Item) => {
    if (to.items.has(name)) throw new Error(`two members of FROM are named ${name}`);
    to.items.set(name, item);
    return [item];
  };
  if (kind === "RangeVar") {
    const table = textAt(members, "relname");
    const name = aliasOf(members) ?? table;
    return add(name, { table: to.withs.has(table) ? null : table, named: new Set(), isNamed: false });
  }
  if (kind === "JoinExpr") {
    const { jointype, larg, rarg, quals } = members as Members;
    const [left, right] = [addItem(larg, to), addItem(rarg, to)];
    // An outer join restricts the rows of its optional side alone.
    const only = jointype === "JOIN_INNER" ? null : new Set(jointype === "JOIN_LEFT" ? right : []);
    if (quals !== undefined) to.holds.push({ condition: quals, only });
    return [...left, ...right];
  }
  to.inner.push(part);
  const { subquery } = members as Members;
  const isNamed = kind === "RangeSubselect" && isValues(subquery);
  return add(aliasOf(members) ?? `unnamed ${to.items.size}`, { table: null, named: new Set(), isNamed });
}

/** Notes the columns that a condition compares with values that the statement names. */
function nameBy(condition: Part, only: ReadonlySet<Item> | null, query: Query): void {
  const [[kind, members] = ["", null]] = membersOf(condition);
  if (kind === "SubLink") {
    const { subLinkType, testexpr, subselect } = members as Members;
    if (subLinkType === "ANY_SUBLINK" && isValues(subselect)) nameAll(testexpr, only, query);
    return;
  }
  if (kind !== "A_Expr") return;
  const { kind: form, name, lexpr, rexpr } = members as Members;
  if (textAt(listed(name)[0], "String", "sval") !== "=") return;
  if (form === "AEXPR_IN") {
    if (listed(memberAt(rexpr, "List", "items")).every((one) => isNamedValue(one, query))) nameAll(lexpr, only, query);
    return;
  }
  if (form !== "AEXPR_OP" && form !== "AEXPR_OP_ANY") return;
  if (isNamedValue(rexpr, query)) nameAll(lexpr, only, query);
  if (isNamedValue(lexpr, query) && form === "AEXPR_OP") nameAll(rexpr, only, query);
}

/** Notes a column, or those of a row. */
function nameAll(part: Part, only: ReadonlySet<Item> | null, query: Query): void {
  const row = memberAt(part, "RowExpr", "args");
  if (row !== undefined) {
    for (const one of listed(row)) nameAll(one, only, query);
    return;
  }
  const column = columnOf(part, query, { isAround: false });
  if (column !== null && (only === null || only.has(column.item))) column.item.named.add(column.name);
}

/** Returns whether a value is a placeholder, a constant, or a column that the statement names. */
function isNamedValue(part: Part, query: Query): boolean {
  const [[kind, members] = ["", null]] = membersOf(part);
  if (kind === "ParamRef" || kind === "A_Const") return true;
  if (kind === "TypeCast") return isNamedValue((members as Members).arg, query);
  if (kind === "RowExpr") return listed((members as Members).args).every((one) => isNamedValue(one, query));
  const column = columnOf(part, query, { isAround: true });
  return column !== null && (column.item.isNamed || column.item.named.has(column.name));
}

/** Returns the member of FROM to which a column belongs, in the query or around it; null for anything else. */
function columnOf(part: Part, query: Query, { isAround }: { readonly isAround: boolean }) {
  const fields = listed(memberAt(part, "ColumnRef", "fields")).map((field) => textAt(field, "String", "sval"));
  const [first = "", second] = fields;
  if (fields.length === 0) return null;
  for (let at: Query | null = query; at !== null; at = isAround ? at.around : null) {
    const item: Item | undefined = second === undefined ? onlyOne(at.items) : at.items.get(first);
    if (item !== undefined) return { item, name: second ?? first };
    // A column without a name before it may be any table's.
    if (second === undefined) return null;
  }
  return null;
}

function onlyOne(items: ReadonlyMap<string, Item>): Item | undefined {
  return items.size === 1 ? [...items.values()][0] : undefined;
}

/** Returns whether a query is a list of rows of values that the statement names. */
function isValues(part: Part): boolean {
  const rows = listed(memberAt(part, "SelectStmt", "valuesLists"));
  const none: Query = { items: new Map(), around: null, withs: new Set() };
  return (
    rows.length > 0 &&
    rows.every((row) => listed(memberAt(row, "List", "items")).every((one) => isNamedValue(one, none)))
  );
}

/** Returns the conditions that AND joins. */
function joined(condition: Part): Part[] {
  const bool = memberAt(condition, "BoolExpr") as Members | undefined;
  return bool?.boolop === "AND_EXPR" ? listed(bool.args).flatMap(joined) : [condition];
}

function withNames(withClause: Part): string[] {
  return listed(memberAt(withClause, "ctes")).map((one) => textAt(one, "CommonTableExpr", "ctename"));
}

function aliasOf(members: Part): string | null {
  const alias = memberAt(members, "alias", "aliasname");
  return typeof alias === "string" ? alias : null;
}

/** Returns the names of all tables in a part, wherever they stand. */
function rangeVars(part: Part): string[] {
  const own = memberAt(part, "relname");
  const inner = membersOf(part).flatMap(([, one]) => rangeVars(one));
  return typeof own === "string" ? [own, ...inner] : inner;
}

function withUses(part: Part): number {
  const names = new Set(partsNamed(part, "CommonTableExpr").map((one) => textAt(one, "ctename")));
  return rangeVars(part).filter((name) => names.has(name)).length;
}

/** FOR UPDATE names what is in FROM already. */
function lockedNames(part: Part): number {
  return partsNamed(part, "LockingClause").flatMap(rangeVars).length;
}

function partsNamed(part: Part, kind: string): Part[] {
  return membersOf(part).flatMap(([name, inner]) => (name === kind ? [inner] : partsNamed(inner, kind)));
}

function membersOf(part: Part): [string, Part][] {
  return typeof part === "object" && part !== null ? Object.entries(part) : [];
}

function memberAt(part: Part, ...path: readonly string[]): Part {
  return path.reduce<Part>(
    (at, name) => (typeof at === "object" && at !== null ? (at as Members)[name] : undefined),
    part,
  );
}

function textAt(part: Part, ...path: readonly string[]): string {
  const text = memberAt(part, ...path);
  return typeof text === "string" ? text : "";
}

function listed(part: Part): readonly Part[] {
  return Array.isArray(part) ? part : [];
}
