/**
 * Writing a result: whole or not at all, and never over a file that is there unless it is asked for. What goes to a terminal is escaped,
 * what goes anywhere else is written byte for byte.
 */
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  closeSync,
  fsyncSync,
  linkSync,
  lstatSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import process from "node:process";
import { escapeJson, escapeText } from "@svc/report";
import { EXIT, Refusal } from "../exit.ts";
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

/** Leave for anybody, of which the system takes off what the reader's mask says. */
const ANYBODY = 0o666;

/** Writes a file that must not be there yet. Until all of it is written it has another name; what ends the command leaves no half of it. */
export function createFile(path: string, bytes: Uint8Array, mode: number = ANYBODY): void {
  if (lstatSync(path, { throwIfNoEntry: false }) !== undefined) throw alreadyThere();
  const next = writeBeside(path, bytes, mode);
  try {
    // Unlike a rename, a link never takes the place of a file that came in between.
    linkSync(next, path);
  } catch (error) {
    if (!NO_LINKS.includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
    closeSync(openSync(path, "wx"));
    renameSync(next, path);
  } finally {
    rmSync(next, { force: true });
  }
}

/** What a file system says that knows no links. */
const NO_LINKS: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/** Writes a file in the place of what is there. The old one stays until the new one is whole. Something that is no file, like a device, is left alone. */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const isThere = statSync(path, { throwIfNoEntry: false });
  if (isThere !== undefined && !isThere.isFile()) throw Object.assign(new Error("no file"), { code: "EISDIR" });
  // Where a symbolic link leads, so that the file is replaced and not the link.
  const place = isThere === undefined ? path : realpathSync(path);
  const next = writeBeside(place, bytes, ANYBODY);
  try {
    if (isThere !== undefined) chmodSync(next, isThere.mode & 0o777);
    renameSync(next, place);
  } catch (error) {
    rmSync(next, { force: true });
    throw error;
  }
}

/**
 * Writes bytes under another name in the same folder, on disk too, and answers with that name. It is a random one: what an earlier call left
 * behind must not stand in the way.
 */
function writeBeside(path: string, bytes: Uint8Array, mode: number): string {
  const next = `${path}.${randomBytes(4).toString("hex")}.tmp`;
  const file = openSync(next, "wx", mode);
  try {
    writeFileSync(file, bytes);
    fsyncSync(file);
  } catch (error) {
    rmSync(next);
    throw error;
  } finally {
    closeSync(file);
  }
  return next;
}

function alreadyThere(): Error {
  return Object.assign(new Error("already there"), { code: "EEXIST" });
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
