/** How a person calls this program again: as it was called, in the repository or installed. */
import { relative } from "node:path";

export function invocation(): string {
  return process.argv[1]?.endsWith(".ts") ? "npx -y pnpm@12 run svc-server" : "svc-server";
}

/** A folder as a person would type it: relative where it lies below the current one. */
export function shownFolder(path: string): string {
  const below = relative(process.cwd(), path);
  const shown = below === "" ? "." : below.startsWith("..") ? path : `./${below}`;
  return /^[\w@%+=:,./-]+$/.test(shown) ? shown : `'${shown.replaceAll("'", `'\\''`)}'`;
}
