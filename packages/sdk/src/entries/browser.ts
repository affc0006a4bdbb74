/** The main entry for pages: everything that verifies, and in place of the client the reason why it is missing. */
export type * from "./client.ts";
export * from "./offline.ts";

/** The client is not for pages: every reader of a page could read its system key. */
export class SvcClient {
  /** Always throws TypeError. */
  constructor() {
    throw new TypeError(
      "A system key does not belong into a page: every visitor of the page could record in your name. Let the " +
        "page ask your server, which has the client. What needs no key can be asked for with the SvcClient of " +
        "@svc/sdk/client.",
    );
  }
}
