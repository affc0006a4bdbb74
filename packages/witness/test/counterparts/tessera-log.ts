/** A Tessera log as a real child process: somebody else's, which publishes only what its witnesses have cosigned. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseCheckpointText, parseNote } from "@svc/core";
import { counterpart, runCounterpart } from "@svc/testkit/counterparts";
import type { Lifetime } from "@svc/testkit/lifetime";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";

/** A log that was made, and has not started yet. */
export class TesseraLog {
  readonly vkey: string;
  readonly #folder: string;
  #child: ChildProcess | null = null;
  #port = 0;
  #errors = "";

  private constructor(folder: string, vkey: string) {
    this.#folder = folder;
    this.vkey = vkey;
  }

  /** Makes the key of a log. */
  static async make(origin: string): Promise<TesseraLog> {
    const folder = temporaryFolder();
    mkdirSync(join(folder, "log"));
    return new TesseraLog(folder, (await runCounterpart("tesseralog", ["key", origin, join(folder, "key")])).trim());
  }

  /** The log's words on what it could not publish. */
  get errors(): string {
    return this.#errors;
  }

  /**
   * Starts the log, and resolves to null when it listens, or to its exit code: a new log that cannot publish its empty
   * tree ends. `policy`: the lines of witnesses, groups and the quorum.
   */
  async start(t: Lifetime, policy: readonly string[]): Promise<number | null> {
    const file = join(this.#folder, "policy");
    writeFileSync(file, policy.map((line) => `${line}\n`).join(""));
    const words = ["serve", join(this.#folder, "log"), join(this.#folder, "key"), file];
    const child = spawn(await counterpart("tesseralog"), words, { stdio: ["ignore", "pipe", "pipe"] });
    this.#child = child;
    this.#errors = "";
    t.after(() => child.kill("SIGKILL"));
    child.stderr.on("data", (chunk) => {
      this.#errors += chunk;
    });
    const closed = once(child, "close");
    const [first] = await Promise.race([once(createInterface({ input: child.stdout }), "line"), closed]);
    if (typeof first !== "string") return first;
    this.#port = Number(first);
    return null;
  }

  async end(): Promise<void> {
    const child = this.#child;
    if (child === null) return;
    const closed = once(child, "close");
    if (child.kill("SIGTERM")) await closed;
    this.#child = null;
  }

  /** Appends an entry; resolves when the log has it on disk. */
  async append(entry: string): Promise<void> {
    const response = await fetch(`http://127.0.0.1:${this.#port}/add`, { method: "POST", body: entry });
    if (!response.ok) throw new Error(await response.text());
  }

  /** Returns the published checkpoint, or null. */
  published(): { readonly note: string; readonly size: number } | null {
    const file = join(this.#folder, "log/checkpoint");
    if (!existsSync(file)) return null;
    const note = readFileSync(file, "utf8");
    const size = parseCheckpointText(parseNote(note)?.text ?? "")?.treeSize;
    if (size === undefined) throw new Error(`the log publishes no checkpoint:\n${note}`);
    return { note, size };
  }

  /** Resolves to the checkpoint of a size when it is published. */
  publishes(size: number): Promise<string> {
    return until(`the log publishes size ${size}`, async () => {
      const published = this.published();
      return published?.size === size ? published.note : null;
    });
  }

  /** Resolves when publishing has failed so often since the last call, or the start. */
  async fails(times: number): Promise<void> {
    this.#errors = "";
    const failure = /publishCheckpoint: /g;
    await until(`publishing fails ${times} times`, async () =>
      (this.#errors.match(failure) ?? []).length >= times ? true : null,
    );
  }
}
