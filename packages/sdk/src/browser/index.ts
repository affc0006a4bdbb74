/** What of the SDK needs a browser: a spool in IndexedDB. */
export { IndexedDbSpool, type IndexedDbSpoolOptions } from "./indexed-db-spool.ts";
