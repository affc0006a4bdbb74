/** The place where a process is in its JavaScript, although it never comes back to its event loop. */
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";

/** The port of the inspector, which a process opens where SIGUSR1 comes. */
const INSPECTOR = "http://127.0.0.1:9229/json/list";
const TRIES = 20;
const PAUSE_MS = 250;
/** The most calls, of which the innermost come first. */
const MAX_CALLS = 12;

interface Call {
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number };
}

/**
 * Resolves to the calls in which a process is, the innermost first, as `function file:line`; to why nobody can tell
 * where it cannot be paused, such as in a loop that is not JavaScript.
 */
export async function pausedStack(pid: number): Promise<string[]> {
  try {
    process.kill(pid, "SIGUSR1");
    const socket = new WebSocket(await debuggerOf());
    const urls = new Map<string, string>();
    const calls = new Promise<readonly Call[]>((resolve, reject) => {
      socket.addEventListener("error", () => reject(new Error("its inspector does not answer")));
      socket.addEventListener("message", ({ data }) => {
        const { method, params } = JSON.parse(String(data));
        if (method === "Debugger.scriptParsed") urls.set(params.scriptId, params.url);
        if (method === "Debugger.paused") resolve(params.callFrames);
      });
      socket.addEventListener("open", () => {
        for (const [id, name] of ["Debugger.enable", "Debugger.pause"].entries())
          socket.send(JSON.stringify({ id, method: name }));
      });
    });
    const late = pause(TRIES * PAUSE_MS, null, { ref: false }).then(() => {
      throw new Error("it does not pause: it is in no JavaScript");
    });
    const found = await Promise.race([calls, late]).finally(() => socket.close());
    return found.slice(0, MAX_CALLS).map(({ functionName, location: { scriptId, lineNumber } }) => {
      const place = `${urls.get(scriptId) ?? "unknown"}:${lineNumber + 1}`;
      return `${functionName || "(anonymous)"} ${place}`;
    });
  } catch (error) {
    return [`nobody can say where it is: ${(error as Error).message}`];
  }
}

/** Resolves to the address of the inspector's connection, once it listens. */
async function debuggerOf(): Promise<string> {
  for (let tries = 1; ; tries++) {
    try {
      const [first] = (await (await fetch(INSPECTOR)).json()) as { webSocketDebuggerUrl: string }[];
      if (first !== undefined) return first.webSocketDebuggerUrl;
    } catch (error) {
      if (tries === TRIES) throw error;
    }
    await pause(PAUSE_MS);
  }
}
