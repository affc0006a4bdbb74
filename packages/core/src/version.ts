/** The version of this release. `tools/check-repo.ts --write` writes it, from the root package.json. */
/** The version that every package, every report and every user agent names. */
export const VERSION = "0.5.0";
