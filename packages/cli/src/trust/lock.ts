/**
 * One writer at a time: a lock file beside the file, made with O_EXCL, that holds the writer's process id. A lock whose
 * process is gone is broken. It guards against other processes of this machine only; a process id says nothing about a
 * process of another machine. Each container that shares a folder has its own ids, so a lock is also given time: a
 * writer is done long before. An empty lock is of a process that died before it wrote its id, once it is old.
 */
import { closeSync, fstatSync, openSync, readFileSync, rmSync, statSync, writeSync } from "node:fs";
import process from "node:process";
import { EXIT, Refusal } from "../exit.ts";

/** A writer waits so long for another, in milliseconds. */
const PATIENCE_MS = 10_000;
const PAUSE_MS = 20;
/** A lock is not broken before it is so old. A writer reads and writes two small files. */
const SETTLED_MS = 2_000;
/** An empty one is not broken before it is so old. Its process writes its id as the next thing after making it. */
const EMPTY_SETTLED_MS = 30_000;

/** The locks that this process holds. */
const held = new Set<string>();

/**
 * Runs `work` while this process alone holds the lock of a file. Refuses if another process keeps it for longer than
 * `patienceMs`.
 */
export async function withLock<Value>(
  file: string,
  work: () => Value | Promise<Value>,
  patienceMs = PATIENCE_MS,
): Promise<Value> {
  const lock = `${file}.lock`;
  const end = performance.now() + patienceMs;
  while (!take(lock)) {
    breakStale(lock);
    if (performance.now() > end) throw busy(lock);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
  try {
    return await work();
  } finally {
    release(lock);
  }
}

/** Takes the lock. Returns whether it is ours now. */
function take(lock: string): boolean {
  let file: number;
  try {
    file = openSync(lock, "wx", 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EEXIST") return false;
    throw error;
  }
  held.add(lock);
  try {
    writeSync(file, `${process.pid}\n`);
    // A process that stood still since it made the file may find that another has broken it as an empty one.
    if (!isFileOf(file, lock)) {
      held.delete(lock);
      return false;
    }
  } catch (error) {
    // A lock that names nobody is not broken for a while.
    release(lock);
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

/** Returns whether an open file is the one that a path names. */
function isFileOf(file: number, path: string): boolean {
  const named = statSync(path, { throwIfNoEntry: false, bigint: true });
  const { dev, ino } = fstatSync(file, { bigint: true });
  return named?.dev === dev && named.ino === ino;
}

function release(lock: string): void {
  rmSync(lock, { force: true });
  held.delete(lock);
}

/**
 * Removes a lock whose process is gone. Only the owner of the second lock may do that: otherwise two could see the same
 * dead owner, and the slower one would remove the lock that the quicker one had taken since. A second lock whose owner
 * died is broken in the same way.
 */
function breakStale(lock: string): void {
  if (!isStale(lock)) return;
  const breaking = `${lock}.break`;
  if (!take(breaking)) {
    breakStale(breaking);
    return;
  }
  try {
    if (isStale(lock)) rmSync(lock, { force: true });
  } finally {
    release(breaking);
  }
}

function isStale(lock: string): boolean {
  const content = contentOf(lock);
  if (content === "") return isSettled(lock, EMPTY_SETTLED_MS);
  const pid = ownerIn(content);
  return pid !== null && isSettled(lock) && (pid === process.pid ? !held.has(lock) : isGone(pid));
}

/** Returns whether a lock has been there for a while, by whichever way the clock has been moved since. */
function isSettled(lock: string, settledMs = SETTLED_MS): boolean {
  const { mtimeMs } = statSync(lock, { throwIfNoEntry: false }) ?? {};
  return mtimeMs !== undefined && Math.abs(Date.now() - mtimeMs) >= settledMs;
}

function isGone(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    // EPERM: the process exists, and belongs to somebody else.
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

/** Returns the process that the content of a lock names; null for none. */
function ownerIn(content: string | null): number | null {
  const [, pid] = /^([1-9][0-9]{0,9})\n$/.exec(content ?? "") ?? [];
  return pid === undefined ? null : Number(pid);
}

/** Returns the content of a lock; null without a lock. */
function contentOf(lock: string): string | null {
  try {
    return readFileSync(lock, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

function busy(lock: string): Refusal {
  const pid = ownerIn(contentOf(lock));
  const who = pid === null ? "" : ` (process ${pid})`;
  return new Refusal(
    EXIT.internal,
    `Another process${who} keeps "${lock}", so nothing was changed.`,
    `Try again when it is done. If no svc is running, delete that file, and "${lock}.break" if it is there.`,
  );
}
