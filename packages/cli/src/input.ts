/**
 * Reads files and standard input as bytes. A file that cannot be read ends the command with its own line. This file
 * does not look at the content.
 */
import { closeSync, constants, fstatSync, openSync, readSync } from "node:fs";
import process from "node:process";
import { EXIT, Refusal } from "./exit.ts";

/** The largest input, in bytes: 1 GiB. */
export const MAX_INPUT_BYTES = 1024 ** 3;
/**
 * The largest truth package, in bytes: 4 GiB, the most that its format holds. Only parts of its content are ever a
 * value.
 */
export const MAX_PACKAGE_BYTES = 4 * MAX_INPUT_BYTES;
/** So much is read at once if the length is not known. */
const CHUNK_BYTES = 64 * 1024;
/** The runtime reads less than 2 GiB in one call. */
const CALL_BYTES = 1024 ** 3;

/**
 * How long a named pipe may give nothing, in milliseconds: while nobody holds its other end, and while somebody does.
 */
export interface Patience {
  readonly unheldMs: number;
  readonly silentMs: number;
}
const PATIENCE: Patience = { unheldMs: 3_000, silentMs: 60_000 };
const PAUSE_MS = 10;

/** Reads a file, or standard input for `-`. Refuses a file that cannot be read, and one larger than `maxBytes` (66). */
export async function readInput(path: string, maxBytes = MAX_INPUT_BYTES, patience = PATIENCE): Promise<Uint8Array> {
  try {
    requireExactName(path);
    return isStandardInput(path) ? await readStandardInput(path, maxBytes) : await readFile(path, maxBytes, patience);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    if (error instanceof RangeError) throw noRoom(path);
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

/**
 * Says whether a name is known byte for byte: the runtime turns bytes that are no UTF-8 into U+FFFD, which may be the
 * name of another file.
 */
export function isExactName(path: string): boolean {
  return !path.includes("\ufffd");
}

/** Refuses a name that is not known byte for byte (66): it would read another file than the one that is named. */
export function requireExactName(path: string): void {
  if (!isExactName(path)) throw new Refusal(EXIT.input, `Cannot read "${path}": ${INEXACT_NAME}`, RENAME);
}

/** The reason why such a name is refused, and the next step. */
export const INEXACT_NAME = "its name has bytes that are not UTF-8, or U+FFFD, which stands for such bytes.";
export const RENAME = "Give it another name: another file could be meant by this one.";

/** Says whether a path means standard input. Its names in the file system cannot be opened if it is a socket. */
export function isStandardInput(path: string): boolean {
  return ["-", "/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"].includes(path);
}

async function readFile(path: string, maxBytes: number, patience: Patience): Promise<Uint8Array> {
  // Without waiting: to open a pipe that nobody writes to would never end. Windows has neither.
  const file = openSync(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (stat.isFIFO()) return await readPipe(file, path, maxBytes, patience);
    if (stat.size > maxBytes) throw tooLarge(path, maxBytes);
    const chunks: Uint8Array[] = [];
    // One byte more than the file has, so that a whole file is one chunk that does not become full.
    let chunk = new Uint8Array(stat.size > 0 ? stat.size + 1 : CHUNK_BYTES);
    let total = 0;
    for (let length = chunk.length; length === chunk.length; ) {
      if (chunks.length > 0) chunk = new Uint8Array(CHUNK_BYTES);
      length = fill(file, chunk);
      total += length;
      if (total > maxBytes) throw tooLarge(path, maxBytes);
      chunks.push(chunk.subarray(0, length));
    }
    return joined(chunks);
  } finally {
    closeSync(file);
  }
}

/** Reads until the memory is full or the file at its end. Returns the number of bytes. */
function fill(file: number, memory: Uint8Array): number {
  let at = 0;
  for (let length = 1; length > 0 && at < memory.length; at += length)
    length = readSync(file, memory, at, Math.min(memory.length - at, CALL_BYTES), null);
  return at;
}

/** Reads a pipe until its last writer has gone. */
async function readPipe(file: number, path: string, maxBytes: number, patience: Patience): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  let heardAt = performance.now();
  for (;;) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const length = readAvailable(file, chunk);
    if (length !== null && length > 0) {
      total += length;
      if (total > maxBytes) throw tooLarge(path, maxBytes);
      chunks.push(chunk.subarray(0, length));
      heardAt = performance.now();
      continue;
    }
    // Nobody holds the other end: the end of the input, or nobody has come yet.
    if (length === 0 && total > 0) return joined(chunks);
    const limitMs = length === 0 ? patience.unheldMs : patience.silentMs;
    if (performance.now() - heardAt > limitMs) throw silentPipe(path, limitMs);
    await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
  }
}

/** Returns the number of bytes that a pipe gave; null if it is held open and has nothing now. */
function readAvailable(file: number, chunk: Uint8Array): number | null {
  try {
    return readSync(file, chunk);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EAGAIN") return null;
    throw error;
  }
}

/** Yields standard input as it arrives; the next piece is read on demand. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable("-", error as NodeJS.ErrnoException);
  }
}

async function readStandardInput(path: string, maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of standardInput()) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge(path, maxBytes);
    chunks.push(chunk);
  }
  return joined(chunks);
}

function joined(chunks: readonly Uint8Array[]): Uint8Array {
  const [only, ...more] = chunks;
  if (only !== undefined && more.length === 0) return only;
  const whole = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.length;
  }
  return whole;
}

function nameOf(path: string): string {
  return path === "-" ? "standard input" : `"${path}"`;
}

function tooLarge(path: string, maxBytes: number): Refusal {
  return new Refusal(
    EXIT.input,
    `Cannot read ${nameOf(path)}: it is larger than ${maxBytes} bytes, the most that svc reads.`,
    maxBytes < MAX_PACKAGE_BYTES
      ? "Check that it is the file you meant; a truth package of up to 4 GiB is read by svc verify truth-package."
      : "Check that it is the file you meant; ask for an export of a shorter range if it is.",
  );
}

/** Returns the refusal for the RangeError that the runtime throws if it cannot make room for the bytes. */
function noRoom(path: string): Refusal {
  return new Refusal(
    EXIT.input,
    `Cannot read ${nameOf(path)}: it is larger than the memory that there is.`,
    "Verify it on a larger machine, or ask for an export of a shorter range.",
  );
}

function silentPipe(path: string, limitMs: number): Refusal {
  return new Refusal(
    EXIT.input,
    `Cannot read ${nameOf(path)}: it is a pipe, and nothing came out of it for ${limitMs / 1000} seconds.`,
    "Start what writes into it first, or name a file.",
  );
}

function unreadable(path: string, { code = "unknown" }: NodeJS.ErrnoException): Refusal {
  const reasons: Readonly<Record<string, readonly [string, string]>> = {
    ENOENT: ["there is no such file.", "Check the name, and that you are in the right folder."],
    ENOTDIR: ["a part of the path is not a folder.", "Check the path."],
    EISDIR: ["it is a folder, not a file.", "Name the file inside it."],
    EACCES: ["you are not allowed to read it.", "Ask its owner for leave to read it, or copy it to a place of yours."],
    ELOOP: ["its symbolic links lead in a circle.", "Name the file itself."],
    ENAMETOOLONG: ["the name is too long.", "Check the name; an option may be missing in front of it."],
    ENXIO: ["it is a socket, not a file.", "Name a file."],
  };
  const [reason, action] = reasons[code] ?? [`the system says ${code}.`, "Copy it to a local disk and try again."];
  return new Refusal(EXIT.input, `Cannot read ${nameOf(path)}: ${reason}`, action);
}
