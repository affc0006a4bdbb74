/** The route of the verify page: the built file unchanged, with its own policy as headers too. HTTP only. */
import { verifyPage as contracts } from "@svc/api";
import { bind, type Route } from "@svc/host/http";
import { readVerifyPage } from "./read-page.ts";

/** Returns the route of the verify page. */
export function verifyPageRoutes(): Route[] {
  return [
    bind(contracts.page, () => {
      const { html, policy } = readVerifyPage();
      return { text: html, headers: headersOf(policy) };
    }),
  ];
}

/**
 * Returns the headers. Two rules exist only here, because a meta element cannot express them: nobody may frame the
 * page, and it shares no process with another page.
 */
function headersOf(policy: string): Readonly<Record<string, string>> {
  return {
    "Content-Security-Policy": `${policy}; frame-ancestors 'none'`,
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
  };
}
