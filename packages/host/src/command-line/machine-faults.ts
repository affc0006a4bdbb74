/**
 * The advice for failures of the machine: by the code of the system call, or by SQLite's. Failures that a command
 * foresees have their own messages.
 */

const OF_THE_SYSTEM: Readonly<Record<string, string>> = {
  EACCES: "This user may not do that: run it as the user to whom the folder belongs.",
  EPERM: "This user may not do that: run it as the user to whom the folder belongs.",
  EROFS: "The file system is read-only: mount it for writing, or name another place.",
  ENOSPC: "The disk is full: make room, and run it again.",
  EDQUOT: "The user's share of the disk is full: make room, and run it again.",
  EEXIST: "Something has this name already: choose another.",
  ENOENT: "Check the path.",
  ENOTDIR: "A part of the path is no folder: name another.",
  EISDIR: "It is a folder: name a file.",
  EIO: "The disk has failed: look into the system's log before anything is written there again.",
};

/** By result code; extended codes carry it in their lowest byte. */
const OF_SQLITE: Readonly<Record<number, string>> = {
  8: "The database may not be written by this user, or its file system is read-only.",
  11: "The database is damaged. Put a backup back, and keep this file.",
  13: "The disk is full: make room, and run it again.",
  14: "See that the database's folder is there, and may be written by this user: SQLite keeps its own files beside it.",
  26: "The database is damaged or replaced. Put a backup back, and keep this file.",
};

/**
 * By extended result code: there is no room for the file that SQLite makes beside a database before it reads anything.
 */
const NO_ROOM = "The disk is full, and SQLite needs a little room even to read: make room, and run it again.";
const OF_SQLITE_EXTENDED: Readonly<Record<number, string>> = { 4618: NO_ROOM, 4874: NO_ROOM, 5386: NO_ROOM };

/** Returns a sentence with the next step; null if the machine is not to blame. */
export function machineAdvice(error: unknown): string | null {
  const { code, syscall, errcode, cause } = error as Partial<Record<"code" | "syscall" | "errcode" | "cause", unknown>>;
  if (typeof syscall === "string") return OF_THE_SYSTEM[String(code)] ?? null;
  // The store wraps SQLite's error.
  const result = errcode ?? (cause as { errcode?: unknown } | undefined)?.errcode;
  return typeof result === "number" ? (OF_SQLITE_EXTENDED[result] ?? OF_SQLITE[result & 0xff] ?? null) : null;
}
