/** What routes read from a request besides its body: who asks, the Idempotency-Key, and query parameters. */
import type { Request } from "express";
import { ServiceError } from "../errors.ts";
import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "../limits.ts";
import type { Principal } from "../tenancy/principal.ts";
import type { SystemKeys } from "../tenancy/system-keys.ts";

const VISIBLE_ASCII = /^[!-~]+$/;
const ORDINAL = /^[1-9]\d{0,14}$/;

/** The principal behind the request's credential. */
export function authenticate(request: Request, systemKeys: SystemKeys): Promise<Principal> {
  return systemKeys.resolve(request.headers.authorization);
}

/** The Idempotency-Key, which append routes demand. */
export function idempotencyKey(request: Request): string {
  const key = request.headers["idempotency-key"];
  if (key === undefined || key === "")
    throw new ServiceError(
      "idempotency_key_required",
      'This route needs the header "Idempotency-Key": any text of your own that names this event, so that a retry cannot record it twice.',
    );
  if (typeof key !== "string" || key.length > MAX_IDEMPOTENCY_KEY_CHARACTERS || !VISIBLE_ASCII.test(key))
    throw new ServiceError(
      "idempotency_key_invalid",
      `The Idempotency-Key must be 1 to ${MAX_IDEMPOTENCY_KEY_CHARACTERS} visible ASCII characters without spaces.`,
    );
  return key;
}

/** A query parameter that stands at most once; null where it does not. Unknown parameters are the route's to refuse. */
export function query(request: Request, name: string): string | null {
  const value: unknown = request.query[name];
  if (value === undefined) return null;
  if (typeof value !== "string") throw invalidQuery(name, "must stand once, as text");
  return value;
}

/** A query parameter that is `true` or `false`. */
export function flag(request: Request, name: string): boolean {
  const value = query(request, name);
  if (value !== null && value !== "true" && value !== "false") throw invalidQuery(name, "must be true or false");
  return value === "true";
}

/** A query parameter that counts from 1. */
export function ordinal(request: Request, name: string): number | null {
  const value = query(request, name);
  if (value === null) return null;
  if (!ORDINAL.test(value)) throw invalidQuery(name, "must be a whole number from 1");
  return Number(value);
}

/** A path parameter, as text. */
export function pathPart(request: Request, name: string): string {
  const value: unknown = request.params[name];
  return typeof value === "string" ? value : "";
}

export function invalidQuery(name: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `The query parameter ${name} ${message}.`, {
    problems: [{ path: `?${name}`, message }],
  });
}
