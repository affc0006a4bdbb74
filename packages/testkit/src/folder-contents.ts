/** The bytes of a folder's files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the contents of all files in a folder, at any depth. */
export function contentsOf(folder: string): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.map(({ parentPath, name }) => readFileSync(join(parentPath, name)));
}
