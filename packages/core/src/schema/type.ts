/**
 * The builders of schemas: JSON Schema at run time, TypeBox's types for the compiler. They make the same schemas as
 * TypeBox's builders of these names. TypeBox's own would weigh on every page that verifies, and follow settings that
 * any other module can change.
 */
import type {
  TArray,
  TArrayOptions,
  TBoolean,
  TInteger,
  TLiteral,
  TNumberOptions,
  TObject,
  TObjectOptions,
  TOptional,
  TProperties,
  TSchema,
  TString,
  TUnsafe,
} from "typebox";

export type { Static, TObjectOptions, TProperties } from "typebox";
export { array as Array, boolean as Boolean, integer as Integer, object as Object, string as String };

/**
 * TypeBox's mark of a member that may be missing. It is not enumerable, since it is no keyword. Members of both makes
 * may be mixed.
 */
const OPTIONAL = "~optional";

/** Returns the schema of a list of such items. */
function array<Item extends TSchema>(items: Item, options: TArrayOptions = {}): TArray<Item> {
  return { type: "array", items, ...options } as TArray<Item>;
}

/** Returns the schema of true or false. */
function boolean(): TBoolean {
  return { type: "boolean" } as TBoolean;
}

/** Returns the schema of a number without a fraction. */
function integer(options: TNumberOptions): TInteger {
  return { type: "integer", ...options } as TInteger;
}

/** Returns the schema of an object with these members; those that are not `Optional` are required. */
function object<Members extends TProperties>(properties: Members, options: TObjectOptions): TObject<Members> {
  const required = Object.keys(properties).filter((name) => !(OPTIONAL in (properties[name] as TSchema)));
  return { type: "object", ...(required.length > 0 && { required }), properties, ...options } as TObject<Members>;
}

/** Returns the schema of any text. */
function string(): TString {
  return { type: "string" } as TString;
}

/** Returns the schema of this text or number and no other. */
export function Literal<const Value extends string | number>(value: Value): TLiteral<Value> {
  return { type: typeof value, const: value } as TLiteral<Value>;
}

/** Returns the schema of a member that may be missing. */
export function Optional<Schema extends TSchema>(schema: Schema): TOptional<Schema> {
  return Object.defineProperty({ ...schema }, OPTIONAL, { value: true }) as TOptional<Schema>;
}

/** Returns the given schema, with values of the type `Value`. */
export function Unsafe<Value>(schema: TSchema): TUnsafe<Value> {
  return schema as TUnsafe<Value>;
}
