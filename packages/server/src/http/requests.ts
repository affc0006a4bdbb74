/** What routes read from a request besides its body and its query. */

import { MAX_IDEMPOTENCY_KEY_CHARACTERS } from "@svc/api/limits";
import type { Request } from "express";
import { ServiceError } from "../errors.ts";
import type { HeaderRules } from "./route.ts";

/** What an Idempotency-Key looks like. */
export const IDEMPOTENCY_KEY = new RegExp(`^[!-~]{1,${MAX_IDEMPOTENCY_KEY_CHARACTERS}}$`);

/** The Idempotency-Key; empty where it is not there and need not be. */
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

/** Headers by their names, null where one is not there. Throws `invalid_request` for one that has not its form. */
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
