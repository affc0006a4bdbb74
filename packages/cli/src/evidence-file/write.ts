/**
 * Writes a result: whole or not at all, and never over an existing file unless that is asked for. Output to a terminal
 * is escaped, all other output is written byte for byte.
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

/**
 * The way in which a result is made safe for a terminal: JSON keeps its meaning, any other text is shown line by line.
 */
export type Form = "json" | "text";

/**
 * Writes bytes to the place that the options name. Returns whether it wrote a file, about which words may follow on
 * stdout.
 */
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

/** Permission for everybody; the system removes those that the user's mask excludes. */
const ANYBODY = 0o666;

/**
 * Writes a file that must not exist yet. It has another name until all of it is written, so that a command that ends
 * early leaves no half of it.
 */
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

/** The errors of file systems without links. */
const NO_LINKS: readonly string[] = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EMLINK"];

/**
 * Writes a file in the place of an existing one. The old one stays until the new one is whole. A device, or anything
 * else that is no file, is left alone.
 */
export function replaceFile(path: string, bytes: Uint8Array): void {
  const isThere = statSync(path, { throwIfNoEntry: false });
  if (isThere !== undefined && !isThere.isFile()) throw Object.assign(new Error("no file"), { code: "EISDIR" });
  // The target of a symbolic link, so that the file is replaced and not the link.
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
 * Writes bytes under another name in the same folder, to the disk too, and returns that name. It is a random one: the
 * remains of an earlier call must not stand in the way.
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

/** Returns the refusal for a path at which nothing could be written. */
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
