/**
 * Values that a JSON Schema allows, for fast-check: for the keywords that requests use. Another keyword is an error, so
 * that no test uses a schema that is wider or narrower than it says.
 */

import type { Document } from "@svc/testkit/server/contract";
import fc, { type Arbitrary } from "fast-check";

const KNOWN = new Set(
  [
    "type,const,enum,anyOf,$ref,description,default,pattern,format,minLength,maxLength,minimum,maximum",
    "properties,required,additionalProperties,propertyNames,maxProperties,items,minItems,maxItems",
  ].flatMap((names) => names.split(",")),
);
/** Long lists and texts take time and find no more. */
const MOST_ITEMS = 3;
const MOST_CHARACTERS = 40;

const FORMATS: Readonly<Record<string, Arbitrary<string>>> = {
  "key-name": fc.stringMatching(/^[a-z0-9./-]{1,20}$/),
  "service-time": fc
    .date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true })
    .map((date) => date.toISOString()),
  "source-ref": fc.string({ minLength: 1, maxLength: MOST_CHARACTERS, unit: "grapheme" }),
  "source-time": fc
    .tuple(
      fc.date({ min: new Date("0001-01-01T00:00:00Z"), max: new Date("9999-12-31T23:59:59Z"), noInvalidDate: true }),
      fc.constantFrom("", ".5", ".123456789"),
      fc.constantFrom("Z", "+00:00", "-23:59", "+14:00"),
    )
    .map(([date, fraction, offset]) => date.toISOString().slice(0, 19) + fraction + offset),
};

/** Values of JSON that the strict parser accepts: no number that a double cannot carry, no lone surrogate, not deep. */
const anyJson = fc.jsonValue({ maxDepth: 2, noUnicodeString: false } as object);

/**
 * Returns values that a schema of the document allows. `known`: values for members by their names, which are tried in
 * place of random ones.
 */
export function allowedBy(
  schema: Document,
  document: Document,
  known: Readonly<Record<string, Arbitrary<unknown>>> = {},
): Arbitrary<unknown> {
  const of = (inner: Document) => allowedBy(inner, document, known);
  const unknown = Object.keys(schema).filter((keyword) => !KNOWN.has(keyword));
  if (unknown.length > 0) throw new Error(`add ${unknown} to packages/server/test/http/schema-arbitrary.ts`);
  if (schema.$ref !== undefined) return of(document.components.schemas[schema.$ref.split("/").at(-1)]);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.anyOf !== undefined) return fc.oneof(...schema.anyOf.map(of));
  if (Array.isArray(schema.type)) return fc.oneof(...schema.type.map((type: string) => of({ ...schema, type })));
  const { minLength = 0, maxLength = MOST_CHARACTERS } = schema;
  switch (schema.type) {
    case undefined:
      return anyJson;
    case "null":
      return fc.constant(null);
    case "boolean":
      return fc.boolean();
    case "integer":
      return fc.oneof(
        fc.integer({ min: schema.minimum ?? -10, max: Math.min(schema.maximum ?? 10, (schema.minimum ?? 0) + 10) }),
        fc.maxSafeInteger().filter((value) => value >= (schema.minimum ?? value) && value <= (schema.maximum ?? value)),
      );
    case "string":
      if (schema.format !== undefined) return FORMATS[schema.format] ?? fail(`the format ${schema.format}`);
      if (schema.pattern !== undefined) return fc.stringMatching(new RegExp(schema.pattern));
      return fc.string({ minLength, maxLength: Math.min(maxLength, MOST_CHARACTERS), unit: "grapheme" });
    case "array":
      return fc.array(of(schema.items ?? {}), {
        minLength: schema.minItems ?? 0,
        maxLength: Math.min(schema.maxItems ?? MOST_ITEMS, MOST_ITEMS),
      });
    case "object":
      return objects(schema, of, known);
    default:
      return fail(`the type ${schema.type}`);
  }
}

function objects(
  schema: Document,
  of: (inner: Document) => Arbitrary<unknown>,
  known: Readonly<Record<string, Arbitrary<unknown>>>,
): Arbitrary<unknown> {
  if (schema.properties === undefined)
    return fc.dictionary(
      of({ type: "string", ...schema.propertyNames }) as Arbitrary<string>,
      of(typeof schema.additionalProperties === "object" ? schema.additionalProperties : {}),
      { maxKeys: MOST_ITEMS, noNullPrototype: true },
    );
  const members = Object.entries<Document>(schema.properties).map(([name, inner]) => [name, known[name] ?? of(inner)]);
  return fc.record(Object.fromEntries(members), { requiredKeys: schema.required ?? [], noNullPrototype: true });
}

function fail(what: string): never {
  throw new Error(`add ${what} to packages/server/test/http/schema-arbitrary.ts`);
}
