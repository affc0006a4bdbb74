/** Mounts routes in Express. */
import type { Contract } from "@svc/api";
import { type Request, type RequestHandler, Router } from "express";
import { type Exchange, REQUEST_ID_HEADER } from "./exchange.ts";
import { onlyMethods } from "./methods.ts";
import { NO_QUERY, type ServedRoute } from "./serve-route.ts";

/**
 * Returns a router of all routes. Each path refuses the methods that it lacks. `exchangeOf`: that of a request.
 * `isOpen`: whether pages of other origins may read public answers.
 */
export function mount(
  routes: readonly ServedRoute[],
  exchangeOf: (request: Request) => Exchange,
  isOpen: boolean,
): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, ofPath] of Map.groupBy(routes, ({ contract }) => contract.path)) {
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    mounted.all((request, _response, next) => {
      exchangeOf(request).route = path;
      next();
    });
    const isPublic = ofPath.every(({ contract }) => contract.access.includes("public"));
    if (isPublic && isOpen) mounted.all(openToPages).options(answerPreflight);
    const refuse = onlyMethods(...ofPath.map(({ contract }) => contract.method));
    // Express answers HEAD as it does GET.
    if (ofPath.some(({ contract }) => contract.answer.partial !== undefined)) mounted.head(refuse);
    for (const { contract, serve } of ofPath)
      mounted[METHODS[contract.method]]((request) =>
        serve(
          exchangeOf(request),
          request.params as Record<string, string>,
          request.url.includes("?") ? request.query : NO_QUERY,
        ),
      );
    mounted.all(refuse);
  }
  return router;
}

const METHODS = { GET: "get", POST: "post", PUT: "put", PATCH: "patch", DELETE: "delete" } as const satisfies Record<
  Contract["method"],
  string
>;

/** Any page may ask for public data. No credential is read here, so a page can misuse none. */
const openToPages: RequestHandler = (_request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", `${REQUEST_ID_HEADER}, Retry-After`);
  next();
};

const answerPreflight: RequestHandler = (_request, response) => {
  response.setHeader("Access-Control-Allow-Methods", "GET, POST");
  response.setHeader("Access-Control-Allow-Headers", "Content-Type");
  response.setHeader("Access-Control-Max-Age", "86400");
  response.status(204).end();
};
