/** The route of the verify page: the built file as it is, with its own policy as headers too. HTTP only. */
import Type from "typebox";
import { type Route, route } from "../http/route.ts";
import { readVerifyPage } from "./read-page.ts";

export function verifyPageRoutes(): Route[] {
  return [
    route({
      method: "GET",
      path: "/verify.html",
      chapter: "verify",
      summary: "The verifier as a page: it checks a dropped file in the browser, and sends nothing.",
      description: "One file, which works from a disk too. `svc verify page` says whether it is the published one.",
      access: "public",
      answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
      errors: ["route_not_found"],
      handle: () => {
        const { html, policy } = readVerifyPage();
        return { text: html, headers: headersOf(policy) };
      },
    }),
  ];
}

/** What a meta element cannot say stands here alone: who may frame the page, and that it shares no process with another. */
function headersOf(policy: string): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}
