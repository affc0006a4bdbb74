/** The route of the verify page: the built file as it is, with its own policy as headers too. HTTP only. */
import { verifyPage as contracts } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import { readVerifyPage } from "./read-page.ts";

export function verifyPageRoutes(): Route[] {
  return [
    bind(contracts.page, () => {
      const { html, policy } = readVerifyPage();
      return { text: html, headers: headersOf(policy) };
    }),
  ];
}

/**
 * What a meta element cannot say stands here alone: who may frame the page, and that it shares no process with another.
 */
function headersOf(policy: string): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}
