/** Counts every answer by the template of its route; paths that no route has are counted together, since anybody can think of new ones. */
import type { RequestHandler, Response } from "express";
import type { Metrics } from "./metrics.ts";

const NO_ROUTE = "none";

export function requestMetrics(metrics: Metrics): RequestHandler {
  return (request, response, next) => {
    const startedAt = performance.now();
    response.once("finish", () => {
      const seconds = (performance.now() - startedAt) / 1000;
      metrics.answered({ route: routeOf(response), method: request.method, status: response.statusCode, seconds });
    });
    next();
  };
}

/** Notes of every request to a path by which template it is counted. */
export function countAs(template: string): RequestHandler {
  return (_request, response, next) => {
    response.locals.routeTemplate = template;
    next();
  };
}

function routeOf({ locals }: Response): string {
  return typeof locals.routeTemplate === "string" ? locals.routeTemplate : NO_ROUTE;
}
