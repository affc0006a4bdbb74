/** The end of every route: a path that exists answers 405 to the methods that it does not have. */
import type { RequestHandler } from "express";
import { ServiceError } from "../errors.ts";

export function onlyMethods(...methods: readonly string[]): RequestHandler {
  const allowed = methods.join(", ");
  return (request, response) => {
    response.setHeader("Allow", allowed);
    throw new ServiceError("method_not_allowed", `${request.method} is not possible here. This path takes ${allowed}.`);
  };
}
