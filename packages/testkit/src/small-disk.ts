/** Disks that are soon full. */
import { execFileSync } from "node:child_process";
import { mkdirSync } from "node:fs";

/** What a test says that cannot have one. */
export const NO_SMALL_DISK = "a small disk cannot be mounted here: a full disk is NOT TESTED";

/** Makes a disk of so many bytes in a folder, as long as the process lives; false where this user may not. */
export function mountSmallDisk(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  // Before the folder is removed.
  process.prependOnceListener("exit", () => execFileSync("umount", ["-l", folder]));
  return true;
}
