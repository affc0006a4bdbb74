/**
 * Request shapes: a TypeBox schema becomes a check that names every place where a request breaks it. String forms are core's own, so a
 * request and a verifier mean the same by a source_ref or a time.
 */
import { formats, type Json, type JsonObject } from "@svc/core";
import { Ajv2020, type ErrorObject } from "ajv/dist/2020.js";
import type { Static, TSchema } from "typebox";
import { ServiceError } from "../errors.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true, verbose: true });
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: "string", validate });

/** At most this many problems are listed, so that an answer stays short whatever the request. */
const MAX_LISTED_PROBLEMS = 100;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?$/;
/** Keywords of which a schema's description says more than the validator does. */
const DESCRIBED_KEYWORDS = new Set(["pattern", "format", "enum"]);
const BATCH_PATH = /^\/events\/(\d+)/;

/** Makes the check of a schema: it answers with the typed value, or throws `invalid_request` or `timezone_required`. */
export function shape<Schema extends TSchema>(schema: Schema): (value: Json) => Static<Schema> {
  const validate = ajv.compile(schema);
  return (value) => {
    if (validate(value)) return value as Static<Schema>;
    throw refusal(own(validate.errors ?? []));
  };
}

/** A place where a value breaks a schema. */
export interface Problem {
  /** JSON Pointer (RFC 6901). */
  readonly path: string;
  readonly message: string;
}

/** Lists where a value breaks a schema, at most 100 places, in the words of a refusal; for values that come on another way than a request. */
export function problemsOf(schema: TSchema): (value: Json) => Problem[] {
  const validate = ajv.compile(schema);
  return (value) =>
    validate(value)
      ? []
      : own(validate.errors ?? [])
          .slice(0, MAX_LISTED_PROBLEMS)
          .map(problemOf);
}

/** Without those that only sum up others: of a name, each thing that is wrong is an error of its own. */
function own(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.filter(({ keyword }) => keyword !== "propertyNames");
}

function refusal(errors: readonly ErrorObject[]): ServiceError {
  const problems = errors.slice(0, MAX_LISTED_PROBLEMS).map(problemOf);
  const withoutOffset =
    errors.length === 1 && errors[0] !== undefined && lacksOffset(errors[0]) ? problems[0] : undefined;
  if (withoutOffset !== undefined)
    return new ServiceError(
      "timezone_required",
      `${withoutOffset.path} has no offset from UTC. Add "Z", or an offset such as "+02:00".`,
      { problems },
    );
  const first = problems[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see problems)` : "";
  return new ServiceError(
    "invalid_request",
    `${first?.path === "" ? "The body" : first?.path} ${first?.message}${more}.`,
    { problems },
  );
}

function problemOf(error: ErrorObject) {
  const { params } = error;
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? error.propertyName;
  const path = typeof member === "string" ? `${error.instancePath}/${pointerPart(member)}` : error.instancePath;
  const [, index] = BATCH_PATH.exec(path) ?? [];
  const problem: JsonObject & { path: string; message: string } = { path, message: sentence(error) };
  return index === undefined ? problem : { ...problem, index: Number(index) };
}

function sentence(error: ErrorObject): string {
  if (error.keyword === "required") return "is missing";
  if (error.keyword === "additionalProperties") return "is not a member of this request";
  const message = (error.message ?? "is not allowed").replace("must NOT", "must not");
  if (error.propertyName !== undefined) return `has a name that ${message}`;
  if (error.keyword === "format" && lacksOffset(error)) return "has no offset from UTC";
  const description = (error.parentSchema as { description?: string } | undefined)?.description;
  if (DESCRIBED_KEYWORDS.has(error.keyword) && description !== undefined) return `must be ${description}`;
  return message;
}

function lacksOffset(error: ErrorObject): boolean {
  return (
    error.keyword === "format" &&
    error.params.format === "source-time" &&
    typeof error.data === "string" &&
    LOCAL_TIME.test(error.data) &&
    formats["source-time"]?.(`${error.data}Z`) === true
  );
}

/** One part of a JSON Pointer (RFC 6901). */
function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
