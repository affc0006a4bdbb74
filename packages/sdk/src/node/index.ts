/** The part of the SDK that needs Node: a spool in a folder. */
export { FileSpool, type FileSpoolOptions } from "./file-spool.ts";
