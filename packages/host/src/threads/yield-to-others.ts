/** The priority of the thread that calls: work for readers must not take the processor from the threads that record. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets the other threads of the machine go first; beside a busy one the caller gets a tenth. Does nothing where the system has no priority for a
 * single thread.
 */
export function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  try {
    // Linux gives each thread an id of its own, and takes it where others take that of a process.
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // A machine without /proc, or a policy that forbids it, only makes this thread as important as all others.
    const { code } = error as NodeJS.ErrnoException;
    if (!["ENOENT", "EACCES", "ERR_SYSTEM_ERROR"].includes(code ?? "")) throw error;
  }
}
