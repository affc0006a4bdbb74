/** The parts of a request besides its body that routes read. */
import type { IncomingMessage } from "node:http";
import { type HeaderRules, IDEMPOTENCY_KEY, type QueryRules } from "@svc/api";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "@svc/api/limits";
import { ServiceError } from "../errors.ts";

/**
 * Returns the Idempotency-Key; empty if it is missing and optional. Throws `idempotency_key_required` or
 * `idempotency_key_invalid`.
 */
export function readIdempotencyKey(request: IncomingMessage, demand: "required" | "optional"): string {
  const key = request.headers["idempotency-key"];
  if (key === undefined && demand === "optional") return "";
  if (key === undefined || (key === "" && demand === "required"))
    throw new ServiceError(
      "idempotency_key_required",
      'This route needs the header "Idempotency-Key": any text that names this event, so that a retry cannot ' +
        "record it twice.",
    );
  if (typeof key !== "string" || !IDEMPOTENCY_KEY.test(key))
    throw new ServiceError(
      "idempotency_key_invalid",
      `The Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters without spaces.`,
    );
  return key;
}

/**
 * Returns the function that reads the declared headers of a request by name, null for a missing one. It throws
 * `invalid_request` for one that does not match its declared form.
 */
export function headersReader(
  rules: HeaderRules,
): (request: IncomingMessage) => Readonly<Record<string, string | null>> {
  const declared = Object.entries(rules).map(([name, { form }]) => ({
    name,
    lowerCase: name.toLowerCase(),
    words: form?.words,
    pattern: form === undefined ? null : new RegExp(form.pattern),
  }));
  return ({ headers }) => {
    const read: Record<string, string | null> = {};
    for (const { name, lowerCase, words, pattern } of declared) {
      // Only Set-Cookie, which no request has, is a list.
      const value = (headers[lowerCase] as string | undefined) ?? null;
      if (value !== null && pattern?.test(value) === false)
        throw new ServiceError("invalid_request", `The header ${name} must be ${words}.`, {
          problems: [{ path: `header:${name}`, message: `must be ${words}` }],
        });
      read[name] = value;
    }
    return read;
  };
}

/**
 * Returns the declared parameters of a query by name. Throws `invalid_request` with every fault; an undeclared
 * parameter is a fault, and is not ignored.
 */
export function readQuery(
  query: Readonly<Record<string, unknown>>,
  parameters: QueryRules,
): Readonly<Record<string, unknown>> {
  const faults = Object.keys(query)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => faultOf(name, "is no parameter of this route"));
  const values = new Map<string, unknown>();
  for (const [name, parameter] of Object.entries(parameters)) {
    const given: unknown = Object.hasOwn(query, name) ? query[name] : null;
    const read = given === null || typeof given === "string" ? parameter.read(given) : "must be given once, as text";
    if (typeof read === "string") faults.push(faultOf(name, read));
    else values.set(name, read.value);
  }
  const [first] = faults;
  if (first !== undefined) {
    const more = faults.length > 1 ? ` (and ${faults.length - 1} more, see problems)` : "";
    throw new ServiceError("invalid_request", `The query parameter ${first.path.slice(1)} ${first.message}${more}.`, {
      problems: faults,
    });
  }
  return Object.fromEntries(values);
}

function faultOf(name: string, message: string) {
  return { path: `?${name}`, message };
}
