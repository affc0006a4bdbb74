/**
 * A Chromium that is driven over its debugging pipe (Chrome DevTools Protocol): no port, no dependency. Messages are
 * JSON texts with a zero byte behind each.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts a Chromium. `words`: further arguments of it. Resolves to its connection; rejects if it does not start. */
export async function startChromium(path, words) {
  const profile = mkdtempSync(join(tmpdir(), "svc-chromium-"));
  const own = ["--headless", "--remote-debugging-pipe", `--user-data-dir=${profile}`, "--no-first-run"];
  const child = spawn(path, [...own, ...words, "about:blank"], {
    stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"],
  });
  const ended = once(child, "exit").finally(() => rmSync(profile, { recursive: true, force: true, maxRetries: 5 }));
  return new Connection(child, ended);
}

class Connection {
  #child;
  #ended;
  #nextId = 1;
  #waiting = new Map();
  #listeners = new Map();

  constructor(child, ended) {
    this.#child = child;
    this.#ended = ended;
    const failed = (why) => {
      for (const { reject } of this.#waiting.values()) reject(new Error(`Chromium ${why}`));
      this.#waiting.clear();
    };
    ended.then(([code, signal]) => failed(`ended with ${signal ?? code}`)).catch(({ message }) => failed(message));
    child.stdio[3].on("error", () => undefined);
    let begun = [];
    child.stdio[4].on("data", (chunk) => {
      let start = 0;
      for (let end = chunk.indexOf(0); end !== -1; end = chunk.indexOf(0, start)) {
        this.#take(JSON.parse(Buffer.concat([...begun, chunk.subarray(start, end)]).toString()));
        begun = [];
        start = end + 1;
      }
      begun.push(chunk.subarray(start));
    });
  }

  /** Calls a method, in a session or in the browser itself. Resolves to its result; rejects with its error. */
  call(method, params = {}, sessionId = undefined) {
    const id = this.#nextId++;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#child.stdio[3].write(`${JSON.stringify({ id, method, params, sessionId })}\0`);
    });
  }

  /** Resolves when an event comes the next time. */
  next(method) {
    return new Promise((resolve) => this.#listeners.set(method, resolve));
  }

  /** Ends the browser, and resolves when it has ended. */
  async close() {
    await this.call("Browser.close").catch(() => undefined);
    await this.#ended;
  }

  #take({ id, method, result, error, params }) {
    if (method !== undefined) {
      this.#listeners.get(method)?.(params);
      this.#listeners.delete(method);
      return;
    }
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (error === undefined) waiting?.resolve(result);
    else waiting?.reject(new Error(error.message));
  }
}
