// `npx` that is ended by a signal leaves the package manager running, and all that this has started. So a script looks
// whether the npx above it is still there. Linux only: elsewhere it finds none. Plain Node, as tools/run.mjs is.
import { readFileSync } from "node:fs";

const LOOKS_AFTER_MS = 1000;

/** Calls back once when the npx that started this process is gone; never without npx. */
export function whenNpxIsGone(callBack) {
  const npx = npxAbove();
  if (npx === null) return;
  const timer = setInterval(() => {
    if (isNpx(npx)) return;
    clearInterval(timer);
    callBack();
  }, LOOKS_AFTER_MS);
  timer.unref();
}

/** Returns the nearest npx among the processes above this one, or null. */
function npxAbove() {
  for (let pid = process.ppid; pid > 1; pid = parentOf(pid)) if (isNpx(pid)) return pid;
  return null;
}

/** npm gives itself this title, which is lost with its end, also while nobody has asked for its exit code. */
function isNpx(pid) {
  return read(pid, "cmdline").startsWith("npm exec ");
}

function parentOf(pid) {
  // The name of the process, in parentheses, can have any character in it.
  return Number(/^.*\) \S (\d+) /s.exec(read(pid, "stat"))?.[1] ?? 0);
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
