/**
 * Checks values against schemas as they stand, by the keywords of JSON Schema 2020-12 that wire objects need, and by no
 * others. A schema becomes closures when it is first used: a verifier carries no compiler and no compiled code. An
 * unknown keyword is a TypeError then, so that a schema is never followed in part.
 */
import type { TSchema } from "typebox";
import { formats } from "./formats.ts";
import { pointerOf } from "./pointer.ts";

/** A place where a value breaks a schema. */
export interface SchemaError {
  /** The keyword that is broken. */
  readonly keyword: string;
  /** JSON Pointer to the value that breaks it, as much of it as a report shows. */
  readonly path: string;
  readonly value: unknown;
  /** The name of the member that is missing or not allowed; for other keywords, the value of the keyword. */
  readonly demand: unknown;
}

/**
 * Returns the places where a value breaks one schema, at most MAX_ERRORS in a fixed order; empty if it holds. It takes
 * time linear in the value, goes no deeper than the schema does, and never throws because of the value.
 */
export type Validator = (value: unknown) => readonly SchemaError[];

/** A file full of mistakes must fill neither memory nor time: the walk ends with so many errors. */
export const MAX_ERRORS = 1000;

/**
 * Returns the validator of a schema. Its first call throws TypeError if the schema uses something that is unknown here:
 * another keyword, type or format, or a constant that is no scalar.
 */
export function validatorOf(schema: TSchema): Validator {
  return (value) => {
    const errors = new Errors();
    checkOf(schema)(value, errors);
    return errors.list;
  };
}

/** The values of keywords. Each is asked only of schemas that have it. */
interface Schema {
  readonly type: string | readonly string[];
  readonly maximum: number;
  readonly minimum: number;
  readonly pattern: string;
  readonly format: string;
  readonly const: unknown;
  readonly enum: readonly unknown[];
  readonly maxItems: number;
  readonly minItems: number;
  readonly items: TSchema;
  readonly required: readonly string[];
  readonly propertyNames: TSchema;
  readonly additionalProperties: TSchema | false;
  readonly properties?: Readonly<Record<string, TSchema>>;
  readonly dependentRequired: Readonly<Record<string, readonly string[]>>;
}

type PlainObject = Readonly<Record<string, unknown>>;
type Test = (value: unknown) => boolean;
type Check<Value = unknown> = (value: Value, errors: Errors) => void;

const TYPES: Readonly<Record<string, Test>> = {
  string: (value) => typeof value === "string",
  integer: Number.isInteger,
  number: Number.isFinite,
  boolean: (value) => typeof value === "boolean",
  null: (value) => value === null,
  array: Array.isArray,
  object: isObject,
};

/**
 * Keywords that a value meets or not, in the order in which errors are listed. A value of another type than a keyword
 * is about meets it.
 */
const TESTS: Readonly<Record<string, (schema: Schema) => Test>> = {
  type: ({ type }) => {
    if (typeof type === "string") return known(TYPES, type);
    const types = type.map((name) => known(TYPES, name));
    return (value) => types.some((isOfType) => isOfType(value));
  },
  maximum:
    ({ maximum }) =>
    (value) =>
      typeof value !== "number" || value <= maximum,
  minimum:
    ({ minimum }) =>
    (value) =>
      typeof value !== "number" || value >= minimum,
  pattern: ({ pattern }) => {
    const expression = new RegExp(pattern, "u");
    return (value) => typeof value !== "string" || expression.test(value);
  },
  format: ({ format }) => {
    const hasFormat = known(formats, format);
    return (value) => typeof value !== "string" || hasFormat(value);
  },
  const: ({ const: constant }) => {
    expectScalars([constant]);
    return (value) => value === constant;
  },
  enum: ({ enum: constants }) => {
    expectScalars(constants);
    return (value) => constants.includes(value);
  },
  maxItems:
    ({ maxItems }) =>
    (value) =>
      !Array.isArray(value) || value.length <= maxItems,
  minItems:
    ({ minItems }) =>
    (value) =>
      !Array.isArray(value) || value.length >= minItems,
};

/** Keywords about the members of an object, in the order in which errors are listed. Only its own members count. */
const MEMBER_CHECKS: Readonly<Record<string, (schema: Schema) => Check<PlainObject>>> = {
  required:
    ({ required }) =>
    (object, errors) => {
      for (const name of required) if (own(object, name) === undefined) errors.add("required", name, object);
    },
  propertyNames: ({ propertyNames }) => {
    const check = checkOf(propertyNames);
    return (object, errors) => {
      const ofNames = new Errors();
      for (const name of Object.keys(object)) {
        if (ofNames.isFull) break;
        check(name, ofNames);
      }
      for (const { keyword, demand } of ofNames.list) errors.add(keyword, demand, object);
    };
  },
  additionalProperties: ({ additionalProperties, properties = {} }) => {
    const named = new Set(Object.keys(properties));
    const check = additionalProperties === false ? null : checkOf(additionalProperties);
    return (object, errors) => {
      for (const name of Object.keys(object)) {
        if (errors.isFull) return;
        if (named.has(name)) continue;
        if (check === null) errors.add("additionalProperties", name, object);
        else errors.within(name, check, object[name]);
      }
    };
  },
  properties: ({ properties = {} }) => {
    const members = Object.entries(properties).map(([name, schema]) => [name, checkOf(schema)] as const);
    return (object, errors) => {
      for (const [name, check] of members) {
        const member = own(object, name);
        if (member !== undefined) errors.within(name, check, member);
      }
    };
  },
  dependentRequired: ({ dependentRequired }) => {
    const dependents = Object.entries(dependentRequired);
    return (object, errors) => {
      for (const [name, others] of dependents) {
        if (own(object, name) === undefined) continue;
        for (const other of others)
          if (own(object, other) === undefined) errors.add("dependentRequired", other, object);
      }
    };
  },
};

/** The keywords that a schema may hold. `$id` and `description` say nothing of values. */
const KEYWORDS = { ...TESTS, ...MEMBER_CHECKS, items: null, $id: null, description: null };

const checks = new WeakMap<TSchema, Check>();

/** Returns the check of a schema, made once. */
function checkOf(schema: TSchema): Check {
  let check = checks.get(schema);
  if (check === undefined) {
    check = makeCheck(schema as Schema);
    checks.set(schema, check);
  }
  return check;
}

function makeCheck(schema: Schema): Check {
  for (const keyword of Object.keys(schema)) known(KEYWORDS, keyword);
  const tests = Object.entries(TESTS)
    .filter(([keyword]) => Object.hasOwn(schema, keyword))
    .map(([keyword, makeTest]) => ({ keyword, test: makeTest(schema), demand: schema[keyword as keyof Schema] }));
  const memberChecks = Object.entries(MEMBER_CHECKS)
    .filter(([keyword]) => Object.hasOwn(schema, keyword))
    .map(([, makeMemberCheck]) => makeMemberCheck(schema));
  const itemCheck = Object.hasOwn(schema, "items") ? checkOf(schema.items) : null;
  return (value, errors) => {
    for (const { keyword, test, demand } of tests) if (!test(value)) errors.add(keyword, demand, value);
    if (itemCheck !== null && Array.isArray(value))
      for (let index = 0; index < value.length && !errors.isFull; index++)
        errors.within(index, itemCheck, value[index]);
    if (memberChecks.length > 0 && isObject(value)) for (const check of memberChecks) check(value, errors);
  };
}

/** The errors found so far, and the way from the root to the current value. */
class Errors {
  readonly list: SchemaError[] = [];
  readonly #path: (string | number)[] = [];

  /** Says whether no more errors are kept: the rest of the value need not be looked at. */
  get isFull(): boolean {
    return this.list.length >= MAX_ERRORS;
  }

  add(keyword: string, demand: unknown, value: unknown): void {
    if (!this.isFull) this.list.push({ keyword, path: pointerOf(this.#path), value, demand });
  }

  /** Checks the value under a name or an index of the current value. */
  within(part: string | number, check: Check, value: unknown): void {
    this.#path.push(part);
    check(value, this);
    this.#path.pop();
  }
}

function isObject(value: unknown): value is PlainObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an object's own member. An undefined one counts as missing: JSON has no such value. */
function own(object: PlainObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

function known<Entry>(table: Readonly<Record<string, Entry>>, name: string): Entry {
  const entry = Object.hasOwn(table, name) ? table[name] : undefined;
  if (entry === undefined) throw new TypeError(`a schema uses ${JSON.stringify(name)}, which is not known here`);
  return entry;
}

/** Constants are compared by identity, and objects and arrays on the wire have none. */
function expectScalars(constants: readonly unknown[]): void {
  const other = constants.find((constant) => typeof constant === "object" && constant !== null);
  if (other !== undefined) throw new TypeError("a schema demands a constant that is no scalar");
}
