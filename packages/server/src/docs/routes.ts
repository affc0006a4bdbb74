/** The routes that describe the service: its front page, the OpenAPI document, and a page of the routes for people. HTTP only. */
import Type from "typebox";
import { openApi } from "../http/openapi.ts";
import { type Route, route } from "../http/route.ts";
import { frontPage } from "./front-page.ts";
import { docsPage } from "./page.ts";

/**
 * Three routes; those over all routes describe themselves too. `apiUrl`: where the routes are reached; null where the document is. `origin`: the
 * name in the service's evidence.
 */
export function docsRoutes(allRoutes: () => readonly Route[], apiUrl: string | null, origin: string): Route[] {
  const document = once(() => openApi(allRoutes(), apiUrl));
  const text = once(() => JSON.stringify(document()));
  const page = once(() => docsPage(document(), allRoutes()));
  const front = once(() => frontPage(origin));
  return [
    route({
      method: "GET",
      path: "/",
      chapter: "service",
      summary: "What this service is, as a page for people.",
      access: "public",
      answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
      handle: () => ({ text: front().html, headers: front().headers }),
    }),
    route({
      method: "GET",
      path: "/openapi.json",
      chapter: "service",
      summary: "This interface as an OpenAPI 3.1 document.",
      access: "public",
      answer: { status: 200, description: "The document.", schema: Type.Object({ openapi: Type.String() }) },
      handle: () => ({ text: text() }),
    }),
    route({
      method: "GET",
      path: "/docs",
      chapter: "service",
      summary: "This interface as a page for people.",
      access: "public",
      answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
      handle: () => ({ text: page().html, headers: page().headers }),
    }),
  ];
}

/** Makes a value at the first call. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | null = null;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
