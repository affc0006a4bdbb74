/**
 * The schemas as one flat table: a schema refers to others by their place in it, counted from 1, and equal ones
 * are one. Nothing is parsed or compiled when a program starts. A keyword that is not listed here is an error.
 */
import type { Schema, Tables, Value } from "../tables.ts";
import { file, slice, text, texts } from "./source.ts";

const TYPES: Readonly<Record<string, number>> = {
  object: 1,
  array: 2,
  string: 4,
  integer: 8,
  boolean: 16,
  null: 32,
  number: 64,
};
/** Keywords that say nothing about a value. */
const SILENT = ["$schema", "$id", "description"];

/** Returns the file of the schemas. */
export function schemasFile({ schemas, formats }: Tables): string {
  const rows: string[] = [];
  const places = new Map<string, number>();
  const named = new Map<string, number>();
  const patterns = new Map(Object.values(formats).map(({ pattern }, index) => [`^(?:${pattern})$`, index + 1]));
  const names = Object.keys(formats);

  const refer = (name: string): number => {
    const known = named.get(name);
    if (known !== undefined) return known;
    const schema = schemas[name];
    if (schema === undefined) throw new Error(`no schema is called ${name}`);
    const place = placeOf(schema);
    named.set(name, place);
    return place;
  };
  const placeOf = (schema: Schema): number => {
    if (typeof schema["$ref"] === "string") return refer(schema["$ref"].replace(/\.json$/, ""));
    const row = rowOf(schema);
    const known = places.get(row);
    if (known !== undefined) return known;
    rows.push(row);
    places.set(row, rows.length);
    return rows.length;
  };
  const rowOf = (schema: Schema): string => {
    const members = Object.entries(schema)
      .filter(([keyword]) => !SILENT.includes(keyword))
      .map(([keyword, value]) => memberOf(keyword, value));
    return `{${members.filter((member) => member !== "").join(", ")}}`;
  };
  const memberOf = (keyword: string, value: Value): string => {
    switch (keyword) {
      case "type":
        return `Types: ${[value].flat().reduce((sum: number, type) => sum + typeOf(String(type)), 0)}`;
      case "const":
        return `Const: ${text(JSON.stringify(value))}`;
      case "enum":
        return `Enum: ${texts((value as readonly Value[]).map((one) => JSON.stringify(one)))}`;
      case "minimum":
        return `Minimum: ${value}, HasMinimum: true`;
      case "maximum":
        return `Maximum: ${value}, HasMaximum: true`;
      case "minItems":
        return `MinItems: ${value}`;
      case "maxItems":
        return `MaxItems: ${value}, HasMaxItems: true`;
      case "maxLength":
        return `MaxLength: ${value}`;
      case "pattern":
        return `Format: ${formatOf(patterns.get(String(value)), String(value))}`;
      case "format":
        return `Format: ${formatOf(names.indexOf(String(value)) + 1, String(value))}`;
      case "required":
        return `Required: ${texts(value as readonly string[])}`;
      case "dependentRequired":
        return `Dependent: []Dependent{${Object.entries(value as Readonly<Record<string, readonly string[]>>)
          .map(([name, needs]) => `{${text(name)}, ${texts(needs)}}`)
          .join(", ")}}`;
      case "items":
        return `Items: ${placeOf(value as Schema)}`;
      case "properties":
        return `Properties: []Property{${Object.entries(value as Readonly<Record<string, Schema>>)
          .map(([name, one]) => `{${text(name)}, ${placeOf(one)}}`)
          .join(", ")}}`;
      case "additionalProperties":
        return value === false ? "Closed: true" : `Additional: ${placeOf(value as Schema)}`;
      case "propertyNames":
        return `Names: ${placeOf(value as Schema)}`;
      default:
        throw new Error(`a schema uses the keyword ${keyword}, which the table has no place for`);
    }
  };

  const list = Object.keys(schemas).map((name) => `{${text(name)}, ${refer(name)}}`);
  return file(
    "tables",
    [],
    [
      slice("Schemas", "Schema", "Schemas holds every schema; that of number n is at n - 1.", rows),
      slice("SchemaNames", "SchemaName", "SchemaNames holds the numbers of the schemas that have a name.", list),
    ],
  );
}

function typeOf(name: string): number {
  const type = TYPES[name];
  if (type === undefined) throw new Error(`a schema has the type ${name}, which the table has no number for`);
  return type;
}

function formatOf(place: number | undefined, named: string): number {
  if (place === undefined || place === 0) throw new Error(`a schema has the form ${named}, which formats.json lacks`);
  return place;
}
