/** Folders for tests. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folders: string[] = [];
process.once("exit", () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A fresh folder that goes away with the test process. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "svc-test-"));
  folders.push(folder);
  return folder;
}
