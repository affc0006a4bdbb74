/** Folders for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** Makes a folder, deleted at the end of the test process, and returns its path. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  folders.push(folder);
  return folder;
}
