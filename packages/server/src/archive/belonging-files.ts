/** The files of the archive that belong to a database, for copying it or putting it back. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Reader } from "@svc/host/store";
import { archiveFileNames, archiveTotals } from "./archives-store.ts";

/** The files, and how many of them are not in the folder. */
export interface BelongingFiles {
  readonly folder: string;
  readonly files: number;
  readonly bytes: number;
  readonly missing: number;
}

/** Resolves to the files that belong to a database; null without files, as in one of an earlier release. */
export async function belongingFiles(reader: Reader, folder: string): Promise<BelongingFiles | null> {
  if (!(await reader.tables()).includes("archives")) return null;
  const { files, bytes } = await archiveTotals(reader);
  if (files === 0) return null;
  const names = await archiveFileNames(reader);
  return { folder, files, bytes, missing: names.filter((name) => !existsSync(join(folder, name))).length };
}
