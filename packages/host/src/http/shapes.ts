/**
 * Request shapes: a TypeBox schema becomes a check that names every place where a request breaks it. String forms are
 * core's own, so a request and a verifier mean the same by a source_ref or a time.
 */
import { formats, type Json, type JsonObject } from "@svc/core";
import { Ajv2020, type ErrorObject, type ValidateFunction } from "ajv/dist/2020.js";
import type { Static, TSchema } from "typebox";
import { ServiceError } from "../errors.ts";

const ajv = new Ajv2020({ allErrors: true, strict: true, strictTypes: false, allowUnionTypes: true, verbose: true });
for (const [name, validate] of Object.entries(formats)) ajv.addFormat(name, { type: "string", validate });

/** The most problems in one answer, so that it stays short for any request. */
const MAX_LISTED_PROBLEMS = 100;
const LOCAL_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?$/;
const LEAP_SECOND = /:60(?=[.Z+-])/;
/** Keywords for which a schema's description says more than the validator does. */
const DESCRIBED_KEYWORDS = new Set(["pattern", "format", "enum"]);
const BATCH_PATH = /^\/events\/(\d+)/;

/**
 * Returns the check of a schema. The check returns the typed value, or throws `invalid_request` or `timezone_required`.
 */
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

/**
 * Returns a function that lists the places where a value breaks a schema, at most 100, in the words of a refusal. It
 * serves values that come from elsewhere than a request. The schema is compiled for the first value: most processes see
 * none, and would start later by a tenth of a second.
 */
export function problemsOf(schema: TSchema): (value: Json) => Problem[] {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajv.compile(schema);
    return validate(value)
      ? []
      : own(validate.errors ?? [])
          .slice(0, MAX_LISTED_PROBLEMS)
          .map(problemOf);
  };
}

/** Drops errors that only sum up others: for a name, each fault is a separate error. */
function own(errors: readonly ErrorObject[]): ErrorObject[] {
  return errors.filter(({ keyword }) => keyword !== "propertyNames");
}

function refusal(errors: readonly ErrorObject[]): ServiceError {
  const problems = errors.slice(0, MAX_LISTED_PROBLEMS).map(problemOf);
  // The index of the event is given only if all errors, also the unlisted ones, are in one event of the batch.
  const indexes = new Set(errors.map(indexOf));
  const [index] = indexes;
  const place = indexes.size === 1 && index !== undefined ? { index } : {};
  const withoutOffset =
    errors.length === 1 && errors[0] !== undefined && lacksOffset(errors[0]) ? problems[0] : undefined;
  if (withoutOffset !== undefined)
    return new ServiceError(
      "timezone_required",
      `${withoutOffset.path} has no offset from UTC. Add "Z", or an offset such as "+02:00".`,
      { ...place, problems },
    );
  const first = problems[0];
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more, see problems)` : "";
  return new ServiceError(
    "invalid_request",
    `${first?.path === "" ? "The body" : first?.path} ${first?.message}${more}.`,
    { ...place, problems },
  );
}

function problemOf(error: ErrorObject) {
  const problem: JsonObject & { path: string; message: string } = { path: pathOf(error), message: sentence(error) };
  const index = indexOf(error);
  return index === undefined ? problem : { ...problem, index };
}

function pathOf({ params, propertyName, instancePath }: ErrorObject): string {
  const member: unknown = params.missingProperty ?? params.additionalProperty ?? propertyName;
  return typeof member === "string" ? `${instancePath}/${pointerPart(member)}` : instancePath;
}

/** Returns the index of the event in a batch, from 0; undefined if the error is in no single event. */
function indexOf(error: ErrorObject): number | undefined {
  const [, index] = BATCH_PATH.exec(pathOf(error)) ?? [];
  return index === undefined ? undefined : Number(index);
}

function sentence(error: ErrorObject): string {
  if (error.keyword === "required") return "is missing";
  if (error.keyword === "additionalProperties") return "is not a member of this request";
  const message = (error.message ?? "is not allowed").replace("must NOT", "must not");
  if (error.propertyName !== undefined) return `has a name that ${message}`;
  const ofTime = timeFault(error);
  if (ofTime !== null) return ofTime;
  const description = (error.parentSchema as { description?: string } | undefined)?.description;
  if (DESCRIBED_KEYWORDS.has(error.keyword) && description !== undefined) return `must be ${description}`;
  return message;
}

/** Returns the fault of a time that other readers of RFC 3339 may accept; null for any other fault. */
function timeFault(error: ErrorObject): string | null {
  if (lacksOffset(error)) return "has no offset from UTC";
  const text = sourceTimeOf(error);
  if (text === null) return null;
  if (isSourceTime(text.toUpperCase())) return "must have an upper-case T and Z";
  if (isSourceTime(text.replace(LEAP_SECOND, ":59")))
    return "names a leap second, which the protocol does not take: send the second before or after it";
  return null;
}

function lacksOffset(error: ErrorObject): boolean {
  const text = sourceTimeOf(error);
  return text !== null && LOCAL_TIME.test(text) && isSourceTime(`${text}Z`);
}

/** Returns the text of a failed source time; null for another fault. */
function sourceTimeOf({ keyword, params, data }: ErrorObject): string | null {
  return keyword === "format" && params.format === "source-time" && typeof data === "string" ? data : null;
}

function isSourceTime(text: string): boolean {
  return formats["source-time"]?.(text) === true;
}

/** Returns one part of a JSON Pointer, escaped (RFC 6901). */
function pointerPart(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}
