/**
 * The answering of requests by routes: the steps that every request passes before its route, and the two ways to it. A
 * direct route is found by its plain target; Express finds all others. It knows no route by name, no port and no
 * environment.
 */
import type { IncomingMessage, RequestListener } from "node:http";
import express, { type ErrorRequestHandler, type Request } from "express";
import proxyAddress from "proxy-addr";
import { ServiceError } from "../errors.ts";
import { bareAddress } from "./asker.ts";
import { directRoutes } from "./direct-routes.ts";
import { type Accounting, begin, type Exchange, refuse } from "./exchange.ts";
import { LargeBodies } from "./large-bodies.ts";
import { requireChunkedAlone, requireSingleHeaders, requireVersion } from "./listener.ts";
import { mount } from "./mount.ts";
import type { Route } from "./route.ts";
import { NO_QUERY, type Readers, type ServedRoute, servedRoute } from "./serve-route.ts";

/** The capabilities with which an application serves its routes. */
export interface Serving extends Omit<Readers, "addressOf">, Accounting {
  /** The addresses, or networks as address/prefix, of proxies whose X-Forwarded-For is believed. */
  readonly trustedProxies: readonly string[];
  /** Whether pages of other origins may read public answers. */
  readonly isOpenToPages: boolean;
}

/** Returns the application: these routes, and the refusal `route_not_found` for all other paths. */
export function application(routes: readonly Route[], serving: Serving): RequestListener {
  const largeBodies = new LargeBodies();
  const readers = { ...serving, addressOf: addressReader(serving.trustedProxies) };
  const served = routes.map((route) => servedRoute(route, readers, largeBodies));
  const find = directRoutes(served);
  const framework = expressOf(served, serving, serving.isOpenToPages);
  return (request, response) => {
    const exchange = begin(request, response, serving);
    try {
      requireVersion(request, response);
      requireSingleHeaders(request, response);
      requireChunkedAlone(request, response);
    } catch (error) {
      refuse(exchange, error, serving);
      return;
    }
    const found = find(request.method ?? "", request.url ?? "");
    if (found === null) {
      framework(exchange);
      return;
    }
    exchange.route = found.route.contract.path;
    found.route.serve(exchange, found.path, NO_QUERY).catch((error: unknown) => refuse(exchange, error, serving));
  };
}

/** Returns the function that answers an exchange with Express. */
function expressOf(
  served: readonly ServedRoute[],
  accounting: Accounting,
  isOpenToPages: boolean,
): (exchange: Exchange) => void {
  const exchanges = new WeakMap<IncomingMessage, Exchange>();
  const exchangeOf = (request: Request) => {
    const exchange = exchanges.get(request);
    if (exchange === undefined) throw new TypeError("Express has a request of somebody else");
    return exchange;
  };
  const app = express();
  app.disable("x-powered-by");
  app.disable("etag");
  app.set("query parser", "simple");
  app.use(mount(served, exchangeOf, isOpenToPages));
  const hint = served.some(({ contract }) => contract.path === "/docs") ? " GET /docs shows all there are." : "";
  app.use((request) => {
    throw new ServiceError("route_not_found", `There is no route ${request.method} ${request.path}.${hint}`);
  });
  const answerError: ErrorRequestHandler = (error: unknown, request, _response, _next) =>
    refuse(exchangeOf(request), error, accounting);
  app.use(answerError);
  return (exchange) => {
    exchanges.set(exchange.request, exchange);
    app(exchange.request, exchange.response);
  };
}

/**
 * Returns the function that tells the address of a request's sender. Only these proxies may say where a request came
 * from: any other sender could forge the header.
 */
function addressReader(trustedProxies: readonly string[]): (request: IncomingMessage) => string {
  if (trustedProxies.length === 0) return ({ socket }) => socket.remoteAddress ?? "";
  const isTrusted = proxyAddress.compile([...trustedProxies]);
  return (request) => proxyAddress(request, (address, index) => isTrusted(bareAddress(address), index)) ?? "";
}
