/**
 * From the arguments of `svc verify` to the files that they mean: files as they are, folders with every *.json in and under them, patterns.
 * Nothing is left out in silence: what is not there or cannot be looked into is an entry of its own.
 */
import { type Dirent, readdirSync, realpathSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { Refusal } from "../exit.ts";
import { INEXACT_NAME, isExactName, isStandardInput, RENAME, readInput } from "../input.ts";
import { isPattern, matches, splitPattern } from "./glob.ts";
import type { Named } from "./named.ts";

/** In any case, as file systems that do not tell them apart have it. */
const JSON_NAME = /\.json$/i;

/**
 * The entries that arguments mean, each file once: argument by argument, and the names within one in ascending order. The trust file of the
 * call is no evidence where it lies among it.
 */
export async function namedBy(args: readonly string[], trustFile: string | undefined): Promise<Named[]> {
  const named = new Map<string, Named>();
  const isEvidence = ({ file }: Named) => trustFile === undefined || resolve(file) !== resolve(trustFile);
  for (const argument of new Set(args)) {
    const found = isStandardInput(argument) ? [await standardInput()] : entriesOf(argument, isEvidence);
    for (const entry of found) if (!named.has(entry.file)) named.set(entry.file, entry);
  }
  return [...named.values()];
}

/** The paths of all files that words of a call may mean, where they name folders or patterns. Standard input is not read. */
export function filesMeant(words: readonly string[]): string[] {
  const paths = words.filter((word) => !isStandardInput(word));
  return paths.flatMap((word) => entriesOf(word, () => true).map(({ file }) => file));
}

/** Whether a single argument means one file, whatever lies on the disk tomorrow: it is neither a folder nor a pattern. */
export function isOneFile(argument: string): boolean {
  const stats = statOf(argument);
  return isStandardInput(argument) || (stats instanceof Error ? !isPattern(argument) : !stats.isDirectory());
}

async function standardInput(): Promise<Named> {
  try {
    return { file: "-", bytes: await readInput("-") };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { file: "-", refused: { message: error.message, action: error.action } };
  }
}

function entriesOf(argument: string, isEvidence: (entry: Named) => boolean): Named[] {
  const stats = statOf(argument);
  const isMissing = stats instanceof Error;
  if (!isMissing && stats.isDirectory())
    return orNothing(walk(argument).filter(isEvidence), argument, "there is no file with a name in .json in it.");
  // Reading what cannot be found says why.
  if (!isMissing || !isPattern(argument)) return [{ file: argument }];
  const { folder, parts } = splitPattern(process.platform === "win32" ? argument.replaceAll("\\", "/") : argument);
  return orNothing(match(folder, parts).filter(isEvidence), argument, "no file has a name of this pattern.");
}

function orNothing(found: Named[], file: string, message: string): Named[] {
  return found.length > 0 ? found : [refused(file, message, "Check the name, and that you are in the right folder.")];
}

/** The files that the parts of a pattern mean from a folder on; in folders that they mean, every *.json. */
function match(folder: string, [part = "", ...rest]: readonly string[], seen = new Set<string>()): Named[] {
  const entries = list(folder);
  if (!Array.isArray(entries)) return [entries];
  const isDeep = part === "**";
  if (isDeep && !isFirstVisit(folder, seen)) return [];
  const here = isDeep && rest.length > 0 ? match(folder, rest) : [];
  const below = entries.flatMap((entry): Named[] => {
    if (!matches(isDeep ? "*" : part, entry.name)) return [];
    const path = joined(folder, entry.name);
    const type = typeOf(entry, path);
    const isFolder = type === "folder";
    if (isDeep && isFolder) return match(path, [part, ...rest], seen);
    if (rest.length > 0) {
      // What may be a folder and cannot be looked at is not left out: reading it says why.
      if (type === "closed") return [{ file: path }];
      return isFolder && !isDeep ? match(path, rest) : [];
    }
    return isFolder ? walk(path) : [{ file: path }];
  });
  return [...here, ...below];
}

/** Every *.json in a folder and under it. Links are followed; a folder that several lead to is walked once, so no circle is endless. */
function walk(folder: string, seen: Set<string> = new Set()): Named[] {
  const entries = list(folder);
  if (!Array.isArray(entries)) return [entries];
  if (!isFirstVisit(folder, seen)) return [];
  return entries.flatMap((entry): Named[] => {
    const path = joined(folder, entry.name);
    const type = typeOf(entry, path);
    if (type === "folder") return walk(path, seen);
    if (type === "closed") return [{ file: path }];
    if (!JSON_NAME.test(entry.name)) return [];
    // Reading a pipe that nobody writes to would never end.
    return [
      type === "file" ? { file: path } : refused(path, "it is not a file.", "Name it by itself to have it read."),
    ];
  });
}

/** What stands at a path, its links followed. A link that leads nowhere counts as a file: reading it says so. */
function typeOf(entry: Dirent, path: string): "folder" | "file" | "closed" | "other" {
  const at = entry.isSymbolicLink() ? statOf(path) : entry;
  if (at instanceof Error)
    return ["ENOENT", "ELOOP"].includes((at as NodeJS.ErrnoException).code ?? "") ? "file" : "closed";
  return at.isDirectory() ? "folder" : at.isFile() ? "file" : "other";
}

/** What is in a folder, ascending by name; the entry to show where it cannot be looked into. */
function list(folder: string): Dirent[] | Named {
  if (!isExactName(folder)) return refused(folder, INEXACT_NAME, RENAME);
  try {
    const entries = readdirSync(folder === "" ? "." : folder, { withFileTypes: true });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    const { code = "unknown" } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return [];
    const reason = code === "EACCES" ? "you are not allowed to look into it." : `the system says ${code}.`;
    return refused(folder, reason, "Ask its owner for leave to read it, or copy it to a place of yours.");
  }
}

function isFirstVisit(folder: string, seen: Set<string>): boolean {
  const place = realpathSync.native(folder === "" ? "." : folder);
  const isFirst = !seen.has(place);
  seen.add(place);
  return isFirst;
}

function statOf(path: string): Stats | Error {
  try {
    return statSync(path);
  } catch (error) {
    return error as Error;
  }
}

function joined(folder: string, name: string): string {
  // Neither an option nor standard input where somebody copies it.
  if (folder === "") return name.startsWith("-") ? `./${name}` : name;
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}

function refused(file: string, reason: string, action: string): Named {
  return { file, refused: { message: `Cannot read "${file}": ${reason}`, action } };
}
