/**
 * Routes as Express takes them. Every request passes the same steps in the same order: who asks, the query, the Idempotency-Key, the
 * body and its shape; then the route's own work.
 */
import type { Json } from "@svc/core";
import { type Request, type RequestHandler, Router } from "express";
import { ServiceError } from "../errors.ts";
import type { Foundation } from "../foundation.ts";
import { type Principal, USUAL_ACTIONS } from "../tenancy/principal.ts";
import { type SystemKeys, unauthorized } from "../tenancy/system-keys.ts";
import { readJson } from "./body.ts";
import { onlyMethods } from "./methods.ts";
import { readQuery } from "./parameters.ts";
import type { RateLimit } from "./rate-limit.ts";
import { REQUEST_ID_HEADER } from "./request-log.ts";
import { readHeaders, readIdempotencyKey } from "./requests.ts";
import { sendText } from "./responses.ts";
import type { Call, Route } from "./route.ts";
import { shape } from "./shapes.ts";

/** What requests are read with. */
export interface Readers {
  readonly ground: Pick<Foundation, "kernel">;
  readonly systemKeys: SystemKeys;
  readonly limits: Limits;
}

/** How many requests are served. */
export interface Limits {
  readonly byKey: RateLimit;
  readonly byAddress: RateLimit;
}

/** All routes, each path with an answer for the methods that it does not have. */
export function mount(routes: readonly Route[], readers: Readers): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const [path, ofPath] of Map.groupBy(routes, (one) => one.path)) {
    const mounted = router.route(path.replaceAll(/\{(\w+)\}/g, ":$1"));
    const isPublic = ofPath.every(({ access }) => access === "public");
    if (isPublic) mounted.all(openToPages).options(answerPreflight);
    for (const one of ofPath) mounted[one.method === "GET" ? "get" : "post"](handler(one, readers));
    mounted.all(onlyMethods(...ofPath.map(({ method }) => method)));
  }
  return router;
}

function handler(route: Route, readers: Readers): RequestHandler {
  const { ground } = readers;
  const isChecked = route.body !== null && route.body.unchecked !== true;
  const check = isChecked && route.body !== null ? shape(route.body.schema) : (value: Json) => value;
  return async (request, response) => {
    const principal = await admit(route, request, readers);
    const query = readQuery(request, route.query);
    const idempotencyKey = route.idempotencyKey === "none" ? "" : readIdempotencyKey(request, route.idempotencyKey);
    const headers = readHeaders(request, route.headers);
    const { bytes, value } =
      route.body === null ? NO_BODY : await readJson(request, ground.kernel, route.body.maxBytes);
    route.body?.precheck?.(value);
    const call = {
      path: request.params,
      query,
      principal,
      body: check(value),
      value,
      bytes,
      idempotencyKey,
      headers,
    } as unknown as Call;
    const answer = await route.handle(call);
    for (const [name, value] of Object.entries(answer.headers ?? {})) response.setHeader(name, value);
    sendText(response, route.answer.status, answer.text, route.answer.mediaType);
  };
}

/** Any page may ask what anybody may know. No credential is read here, so that none can be lent to a page. */
const openToPages: RequestHandler = (_request, response, next) => {
  response.setHeader("Access-Control-Allow-Origin", "*");
  response.setHeader("Access-Control-Expose-Headers", REQUEST_ID_HEADER);
  next();
};

const answerPreflight: RequestHandler = (_request, response) => {
  response.setHeader("Access-Control-Allow-Methods", "GET, POST");
  response.setHeader("Access-Control-Allow-Headers", "Content-Type");
  response.setHeader("Access-Control-Max-Age", "86400");
  response.status(204).end();
};

/** Who asks, null on a public route. Counted by key; by address where there is none, or none that is in force. */
async function admit(
  { access, action }: Route,
  request: Request,
  { systemKeys, limits }: Readers,
): Promise<Principal | null> {
  const address = request.ip ?? "";
  if (access === "public") {
    limits.byAddress.count(address);
    return null;
  }
  const found = await systemKeys.find(request.headers.authorization);
  if (found === null) {
    limits.byAddress.count(address);
    throw unauthorized();
  }
  limits.byKey.count(found.keyId);
  const actions = found.principal.limits?.actions ?? USUAL_ACTIONS;
  if (!actions.includes(action))
    throw new ServiceError(
      "action_forbidden",
      `This key may ${actions.join(", ")}, and this route needs ${action}. Use another key, or ask the operator for one.`,
      { action },
    );
  return found.principal;
}

const NO_BODY = { bytes: new Uint8Array(), value: null };
