/** The part of the SDK that needs a browser: a spool in IndexedDB. */
export { IndexedDbSpool, type IndexedDbSpoolOptions } from "./indexed-db-spool.ts";
