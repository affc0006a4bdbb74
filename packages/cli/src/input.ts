/**
 * Reading files and standard input as bytes. Whatever keeps a file from being read ends the command with its own line; what
 * the bytes say is not looked at here.
 */
import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import process from "node:process";
import { EXIT, Refusal } from "./exit.ts";

/** The largest input that is read, in bytes: 1 GiB. */
export const MAX_INPUT_BYTES = 1024 ** 3;
/** How much is read at once where the length is not known. */
const CHUNK_BYTES = 64 * 1024;

/** Reads a file, or standard input for `-`. */
export async function readInput(path: string, maxBytes = MAX_INPUT_BYTES): Promise<Uint8Array> {
  try {
    return path === "-" ? await readStandardInput(maxBytes) : readWholeFile(path, maxBytes);
  } catch (error) {
    if (error instanceof Refusal) throw error;
    throw unreadable(path, error as NodeJS.ErrnoException);
  }
}

function readWholeFile(path: string, maxBytes: number): Uint8Array {
  const file = openSync(path, "r");
  try {
    const stat = fstatSync(file);
    if (stat.isDirectory()) throw Object.assign(new Error("a folder"), { code: "EISDIR" });
    if (stat.size > maxBytes) throw tooLarge(path, maxBytes);
    const chunks: Uint8Array[] = [];
    // One byte more than the file has, so that a whole file comes in one read and its end shows in the next.
    let chunk = new Uint8Array(stat.size > 0 ? stat.size + 1 : CHUNK_BYTES);
    let total = 0;
    for (let length = readSync(file, chunk); length > 0; length = readSync(file, chunk)) {
      total += length;
      if (total > maxBytes) throw tooLarge(path, maxBytes);
      chunks.push(chunk.subarray(0, length));
      chunk = new Uint8Array(CHUNK_BYTES);
    }
    return joined(chunks);
  } finally {
    closeSync(file);
  }
}

/** Standard input as it arrives; the next piece is read when it is asked for. */
export async function* standardInput(): AsyncGenerator<Uint8Array> {
  try {
    yield* process.stdin as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw unreadable("-", error as NodeJS.ErrnoException);
  }
}

async function readStandardInput(maxBytes: number): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let total = 0;
  for await (const chunk of standardInput()) {
    total += chunk.length;
    if (total > maxBytes) throw tooLarge("-", maxBytes);
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
    "Check that it is the file you meant; ask for an export of a shorter range if it is.",
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
  };
  const [reason, action] = reasons[code] ?? [`the system says ${code}.`, "Copy it to a local disk and try again."];
  return new Refusal(EXIT.input, `Cannot read ${nameOf(path)}: ${reason}`, action);
}
