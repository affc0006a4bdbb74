/** The last handler of every path: a known path refuses the methods that it does not have with 405. */
import type { RequestHandler } from "express";
import { ServiceError } from "../errors.ts";

/**
 * Returns a handler that throws `method_not_allowed` and names the allowed methods in the header Allow (RFC 9110
 * section 15.5.6).
 */
export function onlyMethods(...methods: readonly string[]): RequestHandler {
  const allowed = methods.join(", ");
  return (request, response) => {
    response.setHeader("Allow", allowed);
    throw new ServiceError("method_not_allowed", `${request.method} is not possible here. This path takes ${allowed}.`);
  };
}
