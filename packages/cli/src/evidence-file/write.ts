/**
 * Writing a result: whole or not at all, and never over a file that is there unless it is asked for. What goes to a terminal is escaped,
 * what goes anywhere else is written byte for byte.
 */
import { closeSync, openSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import process from "node:process";
import { EXIT, Refusal } from "../exit.ts";
import { escapeJson, escapeText } from "../render/escape.ts";
import type { OutOptions } from "./options.ts";

/** How a result is made safe for a terminal: JSON keeps its meaning, any other text is shown line by line. */
export type Form = "json" | "text";

/** Writes bytes where the options say. Answers whether a file was written, of which words may follow on stdout. */
export function writeResult({ out, force }: OutOptions, bytes: Uint8Array, form: Form): boolean {
  if (out === "-") {
    process.stdout.write(process.stdout.isTTY === true ? forTerminal(bytes, form) : bytes);
    return false;
  }
  try {
    if (force) replaceFile(out, bytes);
    else createFile(out, bytes);
  } catch (error) {
    throw unwritable(out, error as NodeJS.ErrnoException);
  }
  return true;
}

/** Writes a file that must not be there yet. What was written of it goes again where not all can be. */
export function createFile(path: string, bytes: Uint8Array): void {
  const file = openSync(path, "wx");
  try {
    writeFileSync(file, bytes);
  } catch (error) {
    rmSync(path);
    throw error;
  } finally {
    closeSync(file);
  }
}

/** The old file stays until the new one is whole. Something that is no file, like a device, is left alone. */
function replaceFile(path: string, bytes: Uint8Array): void {
  const isThere = statSync(path, { throwIfNoEntry: false });
  if (isThere !== undefined && !isThere.isFile()) throw Object.assign(new Error("no file"), { code: "EISDIR" });
  const next = `${path}.${process.pid}.tmp`;
  createFile(next, bytes);
  renameSync(next, path);
}

function forTerminal(bytes: Uint8Array, form: Form): string {
  const lines = new TextDecoder().decode(bytes).split("\n");
  return lines.map(form === "json" ? escapeJson : escapeText).join("\n");
}

/** The refusal for a path at which nothing could be written. */
export function unwritable(path: string, { code = "unknown" }: NodeJS.ErrnoException): Refusal {
  const reasons: Readonly<Record<string, readonly [string, string]>> = {
    EEXIST: ["it is there already.", "Give another name, or --force to write over it."],
    ENOENT: ["there is no such folder.", "Make the folder first, or check the name."],
    ENOTDIR: ["a part of the path is not a folder.", "Check the path."],
    EISDIR: ["it is a folder or a device, not a file.", "Name a file."],
    EACCES: ["you are not allowed to write there.", "Write to a folder of yours."],
    ENOSPC: ["the disk is full.", "Make room, or write elsewhere."],
  };
  const [reason, action] = reasons[code] ?? [`the system says ${code}.`, "Write to a folder of a local disk."];
  return new Refusal(code === "EEXIST" ? EXIT.usage : EXIT.internal, `Cannot write "${path}": ${reason}`, action);
}
