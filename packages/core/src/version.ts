/** The release that every package, report and user agent names. Written by `tools/check-repo.ts --write` from the root package.json. */
export const VERSION = "0.5.0";
