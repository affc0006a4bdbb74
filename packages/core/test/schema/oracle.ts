/** Returns ajv's errors about a value in the form of core's checker. */
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import { formats } from "../../src/index.ts";
import { MAX_ERRORS, type SchemaError } from "../../src/schema/check.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true, formats });

/** The parameter in which ajv names the value of a keyword, or the member that it is about. */
const DEMANDS: Readonly<Record<string, string>> = {
  additionalProperties: "additionalProperty",
  required: "missingProperty",
  dependentRequired: "missingProperty",
  const: "allowedValue",
  enum: "allowedValues",
  minimum: "limit",
  maximum: "limit",
  minItems: "limit",
  maxItems: "limit",
  type: "type",
  pattern: "pattern",
  format: "format",
};

/** An error without the value, which is at its path. */
export type ToldError = Omit<SchemaError, "value">;

/** Compiles a schema with ajv; its errors come in ajv's order, as many as our checker lists. */
export function oracleOf(schema: object): (value: unknown) => ToldError[] {
  // The same schema is in several others, and ajv accepts an identifier only once.
  const validate = ajv.compile(JSON.parse(JSON.stringify(schema, withoutId)));
  return (value) => {
    validate(value);
    // After every error in a member's name, ajv adds that a name is wrong.
    const errors = (validate.errors ?? []).filter(({ keyword }) => keyword !== "propertyNames");
    return errors.slice(0, MAX_ERRORS).map(retold);
  };
}

function withoutId(name: string, value: unknown): unknown {
  return name === "$id" ? undefined : value;
}

function retold({ keyword, instancePath, params }: ErrorObject): ToldError {
  const demand: unknown = params[DEMANDS[keyword] ?? ""];
  if (demand === undefined) throw new TypeError(`ajv tells nothing of ${keyword} that is known here`);
  return { keyword, path: instancePath, demand };
}
