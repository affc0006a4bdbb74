/** A real litewitness (filippo.io/torchwood), as its operator runs it: a database, and a key behind an ssh-agent. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import process from "node:process";
import { createInterface } from "node:readline";
import { counterpart, runCounterpart } from "./counterparts.ts";
import { freePort } from "./free-port.ts";
import { atLast, type Lifetime } from "./lifetime.ts";
import { serverFolder } from "./server-folder.ts";

/** A litewitness that runs. */
export interface Litewitness {
  /** Its address, without a slash at the end; the same after each start. */
  readonly url: string;
  /** Its verification key, type 0x04; the same after each start. */
  readonly vkey: string;
  readonly pid: number;
  /** Has it cosign a log from now on; the name of the key is the log's origin. */
  addOrigin(...vkeys: string[]): Promise<void>;
  /** Ends it at once, as kill -9 does. */
  kill(): Promise<void>;
  /** Starts it again on the same data; resolves when it answers. */
  start(): Promise<void>;
}

/** Starts a litewitness that knows no log, on a free port, until the test ends. `name`: a URL without a scheme. */
export async function startLitewitness(t: Lifetime, name = "litewitness.example/w1"): Promise<Litewitness> {
  const folder = serverFolder(t);
  const [database, socket] = [join(folder.path, "litewitness.db"), join(folder.path, "agent.sock")];
  const key = await startKeyAgent(t, join(folder.path, "key"), socket);
  const host = `127.0.0.1:${await freePort()}`;
  const url = `http://${host}`;
  const program = folder.program({
    name: "litewitness",
    file: await counterpart("litewitness"),
    words: ["-name", name, "-db", database, "-ssh-agent", socket, "-key", key, "-listen", host],
    options: { env: { PATH: process.env.PATH ?? "" } },
    isReady: () =>
      fetch(url).then(
        ({ ok }) => ok,
        () => false,
      ),
    signal: "SIGTERM",
  });
  await program.start();
  const [, vkey] = / vkey="?([^"\s]+)/.exec(program.log()) ?? [];
  if (vkey === undefined) throw new Error(`litewitness does not say its key:\n${program.log()}`);
  return {
    url,
    vkey,
    get pid() {
      return program.pid;
    },
    addOrigin: async (...vkeys) => void (await runCounterpart("addlog", [database, ...vkeys])),
    kill: () => program.stop("SIGKILL"),
    start: program.start,
  };
}

/** Starts what holds the key, and resolves to the key's fingerprint. It ends with the test, or with this process. */
async function startKeyAgent(t: Lifetime, file: string, socket: string): Promise<string> {
  const child = spawn(await counterpart("keyagent"), [file, socket], { stdio: ["pipe", "pipe", "inherit"] });
  atLast(t, () => void child.kill());
  const [line] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), once(child, "close")]);
  if (typeof line !== "string") throw new Error(`the agent of the key ended with ${line}`);
  return line;
}
