/**
 * Compares the schema of a database with what the migrations of its version make. A trigger changes what is written.
 * Without a unique index, a request can be recorded twice.
 */
import type { Fault } from "@svc/host/checks";
import {
  type Database,
  IN_MEMORY,
  type Migration,
  migrate,
  openSqlite,
  type Reader,
  type Schema,
  schemaVersion,
} from "@svc/host/store";
import { STORE_MIGRATION_TABLES } from "../deployment/store-migration.ts";
import { tablesOfOthers } from "../program/platform-tables.ts";
import type { Program } from "../program/program.ts";
import { partsOfFile, partsOfServer, type SchemaPart } from "./schema-store.ts";

/** The place of faults in the schema. */
export const SCHEMA = "schema";

/** The statements that decide which indexes a table has. */
const CHANGES =
  /\b(?:CREATE (?:UNIQUE )?INDEX (?:IF NOT EXISTS )?(?<index>\w+)\s+ON (?:ONLY )?(?<of>\w+)|DROP INDEX (?:IF EXISTS )?(?<dropped>\w+)|DROP TABLE (?:IF EXISTS )?(?<table>\w+)|ALTER TABLE (?<from>\w+) RENAME TO (?<to>\w+))/g;

/** A table that a server makes a second time, without the keys of the first one, and the key that it gets. */
const MADE_ANEW = /\bCREATE TABLE (\w+) \(LIKE /g;
const ADDED_KEY = /\bALTER TABLE (\w+) ADD PRIMARY KEY \(([^)]*)\)/g;

/** Yields the differences as faults. */
export async function* checkSchema(
  database: Pick<Database, "read">,
  program: Pick<Program, "schemas">,
  place: { readonly onServer: boolean },
): AsyncGenerator<Fault> {
  yield* await database.read((reader) => schemaFaults(reader, program, place));
}

/**
 * Resolves to the differences, in the order of their names; none for a database without a schema. Tables that belong to
 * another program are not looked at.
 */
export async function schemaFaults(
  reader: Reader,
  { schemas }: Pick<Program, "schemas">,
  { onServer }: { readonly onServer: boolean },
): Promise<Fault[]> {
  const made = await appliedOf(reader, schemas);
  const parts = await (onServer ? partsOfServer : partsOfFile)(reader);
  const ofFile = await partsMadeBy(made);
  const own = new Set(ofFile.map(({ table }) => table));
  // A row of the database names these. It cannot take a table of this program from the check.
  const ofOthers = (await tablesOfOthers(reader, schemas)).filter((name) => !own.has(name));
  // A database that is being moved, or was, has these besides, and every command says so.
  const others: readonly string[] = [...STORE_MIGRATION_TABLES, ...ofOthers];
  const actual = parts.filter(({ table }) => !others.includes(table));
  const migrations = made.flatMap((schema) => schema.migrations);
  return differences(onServer ? asOnServer(ofFile, migrations) : ofFile, actual);
}

/** Resolves to the schemas that a database has, with the migrations alone that were applied. */
async function appliedOf(reader: Reader, schemas: readonly Schema[]): Promise<Schema[]> {
  const tables = await reader.tables();
  const applied: Schema[] = [];
  for (const schema of schemas.filter(({ table }) => tables.includes(table))) {
    const newest = await schemaVersion(reader, schema);
    applied.push({ ...schema, migrations: schema.migrations.filter(({ version }) => version <= newest) });
  }
  return applied;
}

/** Resolves to the parts that schemas make of an embedded database. */
async function partsMadeBy(schemas: readonly Schema[]): Promise<SchemaPart[]> {
  const database = openSqlite(IN_MEMORY);
  try {
    await migrate(database, () => "", schemas);
    return await database.read(partsOfFile);
  } finally {
    await database.close();
  }
}

/**
 * Returns the same parts as a server has them. Tables and columns are equal; some indexes and keys are others. The
 * references of its tables are not compared.
 */
function asOnServer(parts: readonly SchemaPart[], migrations: readonly Migration[]): SchemaPart[] {
  const texts = migrations.map(({ sql, onServer = sql }) => onServer);
  const anew = new Set(texts.flatMap((text) => [...text.matchAll(MADE_ANEW)].map(([, table = ""]) => table)));
  const kept = parts
    .filter(({ kind, name }) => kind !== "index" && !name.startsWith("foreign key "))
    .filter(({ kind, table }) => kind !== "constraint" || !anew.has(table))
    .map((part) => ({ ...part, definition: null }));
  const keys = texts.flatMap((text) =>
    [...text.matchAll(ADDED_KEY)].map(([, table = "", columns]) =>
      part("constraint", `primary key (${columns})`, table),
    ),
  );
  return [...kept, ...keys, ...[...indexesOn(texts)].map(([name, table]) => part("index", name, table))];
}

function part(kind: SchemaPart["kind"], name: string, table: string): SchemaPart {
  return { kind, name, table, definition: null };
}

/** Returns the table of each index that statements leave behind, by its name. */
function indexesOn(texts: readonly string[]): Map<string, string> {
  const tableOf = new Map<string, string>();
  for (const text of texts)
    for (const { groups = {} } of text.matchAll(CHANGES)) {
      const { index, of = "", dropped, table, from, to = "" } = groups;
      if (index !== undefined) tableOf.set(index, of);
      if (dropped !== undefined) tableOf.delete(dropped);
      for (const [name, place] of tableOf)
        if (place === table) tableOf.delete(name);
        else if (place === from) tableOf.set(name, to);
    }
  return tableOf;
}

function differences(expected: readonly SchemaPart[], actual: readonly SchemaPart[]): Fault[] {
  const wanted = new Map(expected.map((part) => [keyOf(part), part]));
  const found = new Map(actual.map((part) => [keyOf(part), part]));
  return [...new Set([...wanted.keys(), ...found.keys()])].sort().flatMap((key) => {
    const [want, have] = [wanted.get(key), found.get(key)];
    const part = want ?? have;
    const fault = faultOf(want, have);
    // A missing or added table has all its parts with it.
    const isWithin = part?.kind !== "table" && isOfOther(wanted, found, part?.table ?? "");
    return part === undefined || fault === null || isWithin ? [] : [{ table: SCHEMA, row: rowOf(part), fault }];
  });
}

function faultOf(want: SchemaPart | undefined, have: SchemaPart | undefined): string | null {
  if (have === undefined) return "it is missing";
  if (want === undefined) return "the server has not made it";
  return want.definition === have.definition ? null : "it is defined otherwise than the server makes it";
}

/** Returns whether a table is in only one of two schemas. */
function isOfOther(wanted: ReadonlyMap<string, unknown>, found: ReadonlyMap<string, unknown>, table: string): boolean {
  const key = keyOf({ kind: "table", name: table, table });
  return wanted.has(key) !== found.has(key);
}

function keyOf({ kind, table, name }: Pick<SchemaPart, "kind" | "table" | "name">): string {
  return JSON.stringify([table, kind, name]);
}

function rowOf({ kind, name, table }: SchemaPart): Fault["row"] {
  return kind === "table" || kind === "view" ? { [kind]: name } : { table, [kind]: name };
}
