/** A real workerd on a free port of the loopback interface, with one worker in it. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/**
 * Starts it with a module; its configuration goes beside the module. Resolves to its URL, and to a function that stops
 * it.
 */
export async function startWorkerd(
  binary: string,
  module: string,
): Promise<{ url: string; stop: () => Promise<void> }> {
  const config = join(dirname(module), "workerd.capnp");
  // A worker may reach no address of this machine unless the configuration allows it.
  writeFileSync(
    config,
    `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "internet", network = (allow = ["local"])),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);
const worker :Workerd.Worker = (
  modules = [(name = "worker", esModule = embed "${basename(module)}")],
  compatibilityDate = "2026-01-01",
);
`,
  );
  const child = spawn(binary, ["serve", config, "--control-fd=3"], { stdio: ["ignore", "ignore", "inherit", "pipe"] });
  const ended = once(child, "exit");
  const control = createInterface({ input: child.stdio[3] as Readable });
  const [line] = (await Promise.race([
    once(control, "line"),
    ended.then(([code]) => Promise.reject(new Error(`workerd ended with ${code}`))),
  ])) as [string];
  return {
    url: `http://127.0.0.1:${JSON.parse(line).port}`,
    stop: async () => {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
