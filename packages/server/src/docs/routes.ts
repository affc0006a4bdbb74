/** The routes that describe the routes: the OpenAPI document, and a page for people that needs no network. HTTP only. */
import Type from "typebox";
import { openApi } from "../http/openapi.ts";
import { type Route, route } from "../http/route.ts";
import { docsPage, PAGE_POLICY } from "./page.ts";

/** Who may frame the page is nothing that it can say of itself. */
const PAGE_HEADERS = {
  "Content-Security-Policy": `${PAGE_POLICY}; frame-ancestors 'none'`,
  "Referrer-Policy": "no-referrer",
};

/** Two routes over all routes, which they describe themselves among. `apiUrl`: where the routes are reached; null where the document is. */
export function docsRoutes(allRoutes: () => readonly Route[], apiUrl: string | null): Route[] {
  const document = once(() => openApi(allRoutes(), apiUrl));
  const text = once(() => JSON.stringify(document()));
  const page = once(() => docsPage(document(), allRoutes()));
  return [
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
      handle: () => ({ text: page(), headers: PAGE_HEADERS }),
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
