/** The release that every package, report and user agent names. Written by `tools/check-repo.ts --write` from the root package.json. */
/** The version of this software, as reports state it. */
export const VERSION = "0.5.0";
