/** The bytes of a folder's files. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Returns the contents of all files in a folder, at any depth; a server may remove or rename some meanwhile. */
export function contentsOf(folder: string): Buffer[] {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((one) => one.isFile());
  return files.flatMap(({ parentPath, name }) => contentOf(join(parentPath, name)) ?? []);
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}
