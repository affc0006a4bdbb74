/**
 * The schemas of spec/schemas/: core's own, one file for each object that has a name, which others refer to. Patterns
 * are in the dialect of formats.ts. A keyword that is not listed here is an error, so that no reader of the files meets
 * one.
 */
import { schemas } from "@svc/core";
import { CustodyEvidence, QuoteEvidence } from "../../packages/core/src/objects/attestation/schema.ts";
import { MigrationReport } from "../../packages/core/src/objects/migration.ts";
import { EarlierProviderResult } from "../../packages/core/src/objects/provider/result.ts";
import { portable } from "./formats.ts";
import { ReportSchema } from "./report-schema.ts";

const DIALECT = "https://json-schema.org/draft/2020-12/schema";
/** The home of the files, by which they refer to each other; nothing is loaded from there. */
const HOME = "https://svc.example/spec/schemas/";

/** The keywords whose values are no schemas; with those of `within` all that the files hold. */
const PLAIN = [
  "type",
  "const",
  "enum",
  "minimum",
  "maximum",
  "minItems",
  "maxItems",
  "maxLength",
  "pattern",
  "format",
  "required",
  "dependentRequired",
  "description",
];
/** All keywords of the files. */
export const KEYWORDS: readonly string[] = [
  "$schema",
  "$id",
  "$ref",
  ...PLAIN,
  "items",
  "properties",
  "additionalProperties",
  "propertyNames",
];

type Schema = Readonly<Record<string, unknown>>;

/** Every schema that has a name, by the name of its file. */
const NAMED: ReadonlyMap<string, Schema> = new Map(
  Object.entries({
    ...schemas,
    CustodyEvidence,
    EarlierProviderResult,
    MigrationReport,
    QuoteEvidence,
    ReportSchema,
  }).map(([name, schema]) => [idOf(schema) ?? kebab(name), schema as object as Schema]),
);
const NAMES: ReadonlyMap<Schema, string> = new Map([...NAMED].map(([name, schema]) => [schema, name]));

/** Returns the schemas by the names of their files, without the ending. */
export function specSchemas(): Readonly<Record<string, Schema>> {
  return Object.fromEntries(
    [...NAMED]
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, schema]) => [name, { $schema: DIALECT, $id: `${HOME}${name}.json`, ...members(schema) }]),
  );
}

/** Returns a schema inside of another one: a reference if it has a separate file. */
function inner(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  const name = idOf(schema) ?? NAMES.get(schema as Schema);
  if (name === undefined) return members(schema as Schema);
  if (!NAMED.has(name)) throw new Error(`a schema is called ${name}, and has no file of that name`);
  return { $ref: `${name}.json` };
}

function members({ $id: _, pattern, ...schema }: Schema): Schema {
  return {
    ...Object.fromEntries(Object.entries(schema).map(([keyword, value]) => [keyword, within(keyword, value)])),
    ...(typeof pattern === "string" ? patternOf(pattern) : {}),
  };
}

function within(keyword: string, value: unknown): unknown {
  if (PLAIN.includes(keyword)) return value;
  if (["items", "additionalProperties", "propertyNames"].includes(keyword)) return inner(value);
  if (keyword !== "properties") throw new Error(`a schema uses the keyword ${keyword}, which spec/ does not`);
  return Object.fromEntries(Object.entries(value as Schema).map(([name, schema]) => [name, inner(schema)]));
}

function patternOf(own: string): Schema {
  const { pattern, max_characters } = portable(own);
  return { pattern: `^(?:${pattern})$`, ...(max_characters === undefined ? {} : { maxLength: max_characters }) };
}

function idOf(schema: object): string | undefined {
  const { $id } = schema as { readonly $id?: unknown };
  return typeof $id === "string" ? $id : undefined;
}

function kebab(name: string): string {
  return name.replaceAll(/(?<=.)([A-Z])/g, "-$1").toLowerCase();
}
