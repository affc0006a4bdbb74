/**
 * Says which names entries of a package may have (protocol section 15): relative paths that mean the same file on every
 * system, and say nothing about the machine that packed them.
 */

/** The folders in which people and systems keep their own files, and the signs that stand for one. */
const HOME = /^(~|(home|users|root|documents and settings)(\/|$))/;
/** macOS leaves these in archives. */
const METADATA = ["__macosx", ".ds_store"];
/** Names that mean devices on Windows, with any extension: it drops blanks before the first dot. */
const DEVICE = /^(con|prn|aux|nul|(com|lpt)\d|(conin|conout|clock)\$) *(\.|$)/;

/** Says whether a name is printable ASCII, as every name must be: all systems then read the same of its bytes. */
export function isAsciiName(name: string): boolean {
  return /^[ -~]*$/.test(name);
}

/**
 * Returns the reason why a path may not be in a package, as the end of a sentence; null if it may. `path`: printable
 * ASCII. A folder's path ends in a slash.
 */
export function forbiddenPath(path: string): string | null {
  const lower = path.toLowerCase();
  if (path === "") return "is empty";
  if (path.includes("\\")) return "has a backslash";
  if (path.startsWith("/")) return "is absolute";
  if (lower.startsWith("file:")) return "is a file: reference";
  if (/^[a-z]:/.test(lower)) return "names a drive";
  if (path.includes(":")) return "has a colon";
  if (HOME.test(lower)) return "is inside of somebody's home";
  for (const segment of lower.replace(/\/$/, "").split("/")) {
    if (segment === "" || segment === "." || segment === "..") return "does not name a file by itself";
    if (METADATA.includes(segment) || segment.startsWith("._")) return "is metadata of macOS";
    if (DEVICE.test(segment)) return "names a device";
    if (/[. ]$/.test(segment)) return "ends in what some systems leave out";
  }
  return null;
}
