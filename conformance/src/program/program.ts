/**
 * A program under test as a process: lines go in, lines come out, and it ends in one way only, which has a reason. It
 * bounds what it keeps of a program's output, and does not know what the lines mean.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { constants } from "node:os";
import { escapeText, shortened } from "../escape.ts";
import { groupStarted, killGroup } from "./groups.ts";
import { type Line, LineSplitter } from "./lines.ts";

/** An answer without an end may have so many bytes: 64 MiB. */
export const MAX_ANSWER_BYTES = 64 * 1024 ** 2;
/** A program may write so much to its standard error between two answers: 64 MiB. */
const MAX_ERROR_BYTES = 64 * 1024 ** 2;
/** So much of an answer is kept; a longer one is not read. */
export const MAX_READ_BYTES = 16 * 1024 ** 2;
/** So much of the standard error is kept, for a person. */
const LAST_WORDS_BYTES = 2048;
/** A program that closed its input has so long to end by itself, so that its exit code is known. */
const CLOSED_INPUT_MS = 2000;
/** The output of a program that has ended is read for so long; only a process that left its group holds it open. */
const READ_ON_MS = 2000;

/** The events of a program. `gone` is the last one. */
export interface Listener {
  line(line: Line): void;
  /** `reason`: the predicate of a sentence about the program. */
  gone(reason: string): void;
}

export class Program {
  readonly #child: ChildProcess;
  readonly #lines = new LineSplitter(MAX_READ_BYTES);
  #listener: Listener | null = null;
  /** The reason of its end; null while it runs. */
  #gone: string | null = null;
  /** Why it was ended, if the runner did it. */
  #ended: string | null = null;
  #errorBytes = 0;
  #lastWords = Buffer.alloc(0);

  /** Starts a command by the shell, in a separate process group. */
  constructor(command: string) {
    const child = spawn("/bin/sh", ["-c", command], { stdio: ["pipe", "pipe", "pipe"], detached: true });
    this.#child = child;
    if (child.pid !== undefined) groupStarted(child.pid);
    child.on("error", (error) => this.#isGone(`cannot be started: ${error.message}`));
    child.on("exit", () => this.#exited());
    child.on("close", (code, signal) => this.#closed(code, signal));
    child.stdin?.on("error", () => this.#inputClosed());
    child.stdout?.on("data", (chunk: Buffer) => this.#output(chunk));
    child.stderr?.on("data", (chunk: Buffer) => this.#error(chunk));
  }

  get isGone(): boolean {
    return this.#gone !== null;
  }

  /** The end of its standard error, escaped, at most 2 kB. */
  get lastWords(): string {
    return escapeText(this.#lastWords.toString("utf8").trim()).replaceAll("\\u{a}", "\n");
  }

  /** Lets somebody listen. A program that is gone already says so at once, in the next turn. */
  listen(listener: Listener): void {
    this.#listener = listener;
    const gone = this.#gone;
    if (gone !== null) queueMicrotask(() => this.#listener === listener && listener.gone(gone));
  }

  /** Sends a line. One that the program does not take shows as an answer that does not come. */
  send(line: string): void {
    if (!this.isGone) this.#child.stdin?.write(line);
  }

  /** Says that an answer was taken: what it writes beside its answers counts from here. */
  answered(): void {
    this.#errorBytes = 0;
  }

  /** Ends its input. */
  endInput(): void {
    this.#child.stdin?.end();
  }

  /** Ends the program, and resolves when it is gone. */
  end(reason: string): Promise<void> {
    return new Promise((resolve) => {
      this.listen({ line: () => undefined, gone: () => resolve() });
      this.#end(reason);
    });
  }

  #end(reason: string): void {
    if (this.isGone) return;
    this.#ended ??= reason;
    this.#kill();
  }

  #kill(): void {
    if (this.#child.pid !== undefined) killGroup(this.#child.pid);
  }

  /**
   * The rest of its group would hold the pipes open. A process that left the group does so for as long as it likes, and
   * is not waited for.
   */
  #exited(): void {
    this.#kill();
    const { stdout, stderr } = this.#child;
    const letGo = () => {
      stdout?.destroy();
      stderr?.destroy();
    };
    // In the next turn, so that a runner that was held up reads first.
    setTimeout(() => setImmediate(letGo), READ_ON_MS).unref();
  }

  #closed(code: number | null, signal: NodeJS.Signals | null): void {
    const half = this.#lines.begun > 0 ? `, behind half a line: ${excerpt(this.#lines.peek())}` : "";
    this.#isGone(this.#ended ?? `ended with ${signal ?? signalOf(code) ?? `exit code ${code}`}${half}`);
  }

  #isGone(reason: string): void {
    if (this.isGone) return;
    this.#gone = reason;
    this.#listener?.gone(reason);
  }

  #inputClosed(): void {
    setTimeout(() => this.#end("closed its standard input, and did not end"), CLOSED_INPUT_MS).unref();
  }

  #output(chunk: Buffer): void {
    if (this.#ended !== null) return;
    for (const line of this.#lines.add(chunk)) {
      this.#listener?.line(line);
      if (this.#ended !== null) return;
    }
    if (this.#lines.begun > MAX_ANSWER_BYTES) this.#end("wrote more than 64 MiB without the end of a line");
  }

  #error(chunk: Buffer): void {
    this.#lastWords = Buffer.from(Buffer.concat([this.#lastWords, chunk]).subarray(-LAST_WORDS_BYTES));
    this.#errorBytes += chunk.length;
    if (this.#errorBytes > MAX_ERROR_BYTES) this.#end("wrote more than 64 MiB to standard error without an answer");
  }

  /** Says how the line that has begun looks, for a program that went silent in the middle of it. */
  get half(): string {
    return this.#lines.begun > 0 ? `, behind half a line: ${excerpt(this.#lines.peek())}` : "";
  }
}

/** Returns the signal for which a shell gives an exit code; null for any other code. */
function signalOf(code: number | null): string | null {
  const found = Object.entries(constants.signals).find(([, number]) => code === 128 + number);
  return found?.[0] ?? null;
}

/** Returns the beginning of some bytes for a person. */
export function excerpt(bytes: Uint8Array): string {
  return escapeText(JSON.stringify(shortened(Buffer.from(bytes.subarray(0, 4096)).toString("utf8"), 160)));
}
