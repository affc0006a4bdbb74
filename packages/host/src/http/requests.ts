/** The parts of a request besides its body that routes read. */
import { type HeaderRules, IDEMPOTENCY_KEY, type QueryRules } from "@svc/api";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "@svc/api/limits";
import type { Request } from "express";
import { ServiceError } from "../errors.ts";

/**
 * Returns the Idempotency-Key; empty if it is missing and optional. Throws `idempotency_key_required` or
 * `idempotency_key_invalid`.
 */
export function readIdempotencyKey(request: Request, demand: "required" | "optional"): string {
  const key = request.headers["idempotency-key"];
  if (key === undefined && demand === "optional") return "";
  if (key === undefined || (key === "" && demand === "required"))
    throw new ServiceError(
      "idempotency_key_required",
      'This route needs the header "Idempotency-Key": any text of your own that names this event, so that a retry cannot record it twice.',
    );
  if (typeof key !== "string" || !IDEMPOTENCY_KEY.test(key))
    throw new ServiceError(
      "idempotency_key_invalid",
      `The Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters without spaces.`,
    );
  return key;
}

/**
 * Returns the declared headers by name, null for a missing one. Throws `invalid_request` for one that does not match
 * its declared form.
 */
export function readHeaders(request: Request, rules: HeaderRules): Readonly<Record<string, string | null>> {
  const read = Object.entries(rules).map(([name, { form }]): [string, string | null] => {
    const value = request.get(name) ?? null;
    if (value !== null && form !== undefined && !new RegExp(form.pattern).test(value))
      throw new ServiceError("invalid_request", `The header ${name} must be ${form.words}.`, {
        problems: [{ path: `header:${name}`, message: `must be ${form.words}` }],
      });
    return [name, value];
  });
  return Object.fromEntries(read);
}

/**
 * Returns the query parameters by name. Throws `invalid_request` with every fault; an undeclared parameter is a fault,
 * and is not ignored.
 */
export function readQuery(request: Request, parameters: QueryRules): Readonly<Record<string, unknown>> {
  // Express parses the query anew at each access.
  const query = request.url.includes("?") ? request.query : {};
  const faults = Object.keys(query)
    .filter((name) => !Object.hasOwn(parameters, name))
    .map((name) => faultOf(name, "is no parameter of this route"));
  const values = new Map<string, unknown>();
  for (const [name, parameter] of Object.entries(parameters)) {
    const given: unknown = Object.hasOwn(query, name) ? query[name] : null;
    const read = given === null || typeof given === "string" ? parameter.read(given) : "must stand once, as text";
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
