/** Whether a file is there. */
import { statSync } from "node:fs";

/** Returns whether a file or folder is there. Throws where this user may not look: what is hidden is not missing. */
export function isThere(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false }) !== undefined;
}
