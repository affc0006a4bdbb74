/** What of the SDK needs Node: a spool in a folder. */
export { FileSpool, type FileSpoolOptions } from "./file-spool.ts";
