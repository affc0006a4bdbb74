/**
 * The routes that describe the service: its front page, the OpenAPI document, and a page of the routes for people. HTTP
 * only.
 */
import { type Contract, docs as contracts, openApi } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import { frontPage } from "./front-page.ts";
import { docsPage } from "./page.ts";

/**
 * Returns these routes. `described`: the contracts of all routes, including these. `apiUrl`: the public URL of the
 * routes; null if it is the document's own. `origin`: the name in the service's evidence.
 */
export function docsRoutes(described: readonly Contract[], apiUrl: string | null, origin: string): Route[] {
  const document = once(() => openApi(described, apiUrl));
  const text = once(() => Buffer.from(JSON.stringify(document())));
  const page = once(() => docsPage(document(), described));
  const front = once(() => frontPage(origin));
  return [
    bind(contracts.front, () => ({ text: front().html, headers: front().headers })),
    bind(contracts.document, () => ({ text: text() })),
    bind(contracts.page, () => ({ text: page().html, headers: page().headers })),
  ];
}

/** Returns a function that makes a value at its first call. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
