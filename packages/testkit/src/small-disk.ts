/** Disks that fill up soon. */
import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync } from "node:fs";
import { sep } from "node:path";

/** The reason to skip a test that needs one. */
export const NO_SMALL_DISK = "a small disk cannot be mounted here: a full disk is NOT TESTED";

/** Mounts a disk of this size in a folder, for the life of the process; returns false if this user may not. */
export function mountSmallDisk(folder: string, size: string): boolean {
  mkdirSync(folder, { recursive: true });
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "tmpfs", folder], { stdio: "ignore" });
  } catch {
    return false;
  }
  // The disk must be unmounted before the folder is removed.
  process.prependOnceListener("exit", () => execFileSync("umount", ["-l", folder]));
  return true;
}

/**
 * Unmounts what is mounted below a folder: a test that was killed leaves its disk, and the folder cannot be removed. It
 * reads /proc: Linux only.
 */
export function unmountBelow(folder: string): void {
  for (const line of readFileSync("/proc/self/mounts", "utf8").split("\n")) {
    const place = (line.split(" ")[1] ?? "").replaceAll(/\\([0-7]{3})/g, (_, octal: string) =>
      String.fromCharCode(Number.parseInt(octal, 8)),
    );
    if (place.startsWith(folder + sep)) execFileSync("umount", ["-l", place]);
  }
}
