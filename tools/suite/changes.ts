/** Finds the paths that changed in a checkout since a commit. */
import { execFileSync } from "node:child_process";

/**
 * Returns the paths that differ between a commit and the working tree, from the root, new files among them; a renamed
 * file has both of its names. Returns null where they are unknown: without a commit, in a clone without the history
 * up to it, or without git.
 */
export function changesSince(commit: string | null, root: string): string[] | null {
  if (commit === null) return null;
  try {
    const differing = git(root, "diff", "--name-only", "--no-renames", "-z", commit, "--");
    const untracked = git(root, "ls-files", "--others", "--exclude-standard", "-z");
    return [...new Set([...differing, ...untracked])].sort();
  } catch {
    return null;
  }
}

/** Returns the hash of the checked out commit; null outside of a repository. */
export function headOf(root: string): string | null {
  try {
    return git(root, "rev-parse", "HEAD")[0]?.trim() ?? null;
  } catch {
    return null;
  }
}

/** Returns the time of the checked out commit, in ms; 0 outside of a repository. */
export function commitTime(root: string): number {
  try {
    return Number(git(root, "show", "--no-patch", "--format=%ct", "HEAD")[0]) * 1000;
  } catch {
    return 0;
  }
}

/** Returns what git prints, split at its zero bytes. */
function git(root: string, ...words: string[]): string[] {
  const out = execFileSync("git", words, {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 2 ** 26,
    stdio: ["ignore", "pipe", "ignore"],
  });
  return out.split("\0").filter((text) => text !== "");
}
