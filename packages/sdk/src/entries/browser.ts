/**
 * The main entry as pages get it: all that verifies, and in place of the client the reason why it is not here.
 */
export type * from "./client.ts";
export * from "./offline.ts";

/** Not for pages: a system key that a page holds is its readers' too. */
export class SvcClient {
  /** Throws TypeError, always. */
  constructor() {
    throw new TypeError(
      "A system key does not belong into a page: whoever opens the page could record in your name. Let the page ask a server of yours, which has the client. What needs no key can be asked for with the SvcClient of @svc/sdk/client.",
    );
  }
}
