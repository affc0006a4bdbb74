/** The priority of the calling thread: work for readers must not take the processor from the threads that record. */
import { readlinkSync } from "node:fs";
import { constants, setPriority } from "node:os";

/**
 * Lets the other threads of the machine go first; beside a busy one the caller gets about a tenth. Does nothing on
 * systems that have no priority for a single thread.
 */
export function yieldToOthers(): void {
  if (process.platform !== "linux") return;
  try {
    // Linux gives each thread its own id, and accepts it in place of a process id.
    const threadId = Number(readlinkSync("/proc/thread-self").split("/").at(-1));
    setPriority(threadId, constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    // Without /proc, or under a policy that forbids the change, this thread is only as important as all others.
    const { code } = error as NodeJS.ErrnoException;
    if (!["ENOENT", "EACCES", "ERR_SYSTEM_ERROR"].includes(code ?? "")) throw error;
  }
}
