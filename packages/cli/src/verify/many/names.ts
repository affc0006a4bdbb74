/**
 * Finds the files that the arguments of `svc verify` mean: files themselves, folders with all files in and under them
 * that are named as evidence is, patterns. Nothing is left out in silence: a file that is missing or cannot be read is
 * a separate entry, and the other files of a folder are listed by name.
 */
import { type Dirent, readdirSync, type Stats, statSync } from "node:fs";
import { resolve } from "node:path";
import process from "node:process";
import { Refusal } from "../../exit.ts";
import { INEXACT_NAME, isExactName, isStandardInput, RENAME, readInput } from "../../input.ts";
import { isPattern, matches, splitPattern } from "./glob.ts";
import { type Named, refusedBy } from "./named.ts";

/** The files that we issue have such names. Case does not count, as on file systems that ignore it. */
const EVIDENCE_NAME = /\.(json|zip|tlog-proof)$/i;

const CHECK_NAME = "Check the name, and that you are in the right folder.";

/** The meaning of arguments. */
export interface Meant {
  /** Each file once: argument by argument, and the names within one in ascending order. */
  readonly named: readonly Named[];
  /** The other files in folders that were walked, which nothing in the call names; ascending. */
  readonly notLookedAt: readonly string[];
}

/** Resolves to the entries that arguments mean. The trust file of the call is no evidence if it lies among them. */
export async function namedBy(args: readonly string[], trustFile: string | undefined): Promise<Meant> {
  const named = new Map<string, Named>();
  const others = new Map<string, string>();
  const isEvidence = ({ file }: Named) => trustFile === undefined || resolve(file) !== resolve(trustFile);
  for (const argument of new Set(args)) {
    const found = isStandardInput(argument)
      ? { named: [await standardInput()], others: [] }
      : entriesOf(argument, isEvidence);
    for (const entry of found.named) if (!named.has(entry.file)) named.set(entry.file, entry);
    for (const entry of found.others) others.set(resolve(entry.file), entry.file);
  }
  for (const file of named.keys()) others.delete(resolve(file));
  return { named: [...named.values()], notLookedAt: [...others.values()].sort() };
}

/**
 * Returns the paths of all files that words of a call may mean, if they name folders or patterns. Standard input is not
 * read.
 */
export function filesMeant(words: readonly string[]): string[] {
  const paths = words.filter((word) => !isStandardInput(word));
  return paths.flatMap((word) => entriesOf(word, () => true).named.map(({ file }) => file));
}

/** Says whether a single argument means one file, on any day: it is neither a folder nor a pattern. */
export function isOneFile(argument: string): boolean {
  const stats = statOf(argument);
  return isStandardInput(argument) || (stats instanceof Error ? !isPattern(argument) : !stats.isDirectory());
}

async function standardInput(): Promise<Named> {
  try {
    return { file: "-", bytes: await readInput("-") };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { file: "-", refused: refusedBy(error) };
  }
}

/** The meaning of one argument, and the other files in its folders. */
interface Entries {
  readonly named: readonly Named[];
  readonly others: readonly Other[];
}

function entriesOf(argument: string, isEvidence: (entry: Named) => boolean): Entries {
  const stats = statOf(argument);
  const isMissing = stats instanceof Error;
  if (!isMissing && stats.isDirectory())
    return orNothing(walk(argument), isEvidence, {
      file: argument,
      refused: {
        outcome: "no evidence",
        message: `There is no file in "${argument}" with a name in .json, .zip or .tlog-proof.`,
        action: CHECK_NAME,
      },
    });
  // Reading a missing file says why.
  if (!isMissing || !isPattern(argument)) return { named: [{ file: argument }], others: [] };
  const { folder, parts } = splitPattern(process.platform === "win32" ? argument.replaceAll("\\", "/") : argument);
  return orNothing(
    match(folder, parts),
    isEvidence,
    refused(argument, "no file has a name of this pattern.", CHECK_NAME),
  );
}

function orNothing(all: readonly Found[], isEvidence: (entry: Named) => boolean, nothing: Named): Entries {
  const found = all.filter(isEvidence);
  const named = found.filter((entry): entry is Named => !("isOther" in entry));
  const others = found.filter((entry): entry is Other => "isOther" in entry);
  return { named: named.length > 0 ? named : [nothing], others };
}

/** Returns the files that the parts of a pattern mean from a folder on; a folder that they mean is walked. */
function match(folder: string, [part = "", ...rest]: readonly string[]): Found[] {
  if (part === "**") return traverse(folder, (place, entries) => deepSteps(place, entries, rest));
  const entries = list(folder);
  if (!Array.isArray(entries)) return [entries];
  return entries.flatMap((entry): Found[] => {
    if (!matches(part, entry.name)) return [];
    const path = joined(folder, entry.name);
    const type = typeOf(entry, path);
    if (type === "folder") return rest.length > 0 ? match(path, rest) : walk(path);
    // An entry that may be a folder and cannot be looked at is not left out: reading it says why.
    return rest.length === 0 || type === "closed" ? [{ file: path }] : [];
  });
}

/** Returns the steps in one folder of those that `**` means: first the rest of the pattern in it, then its folders. */
function deepSteps(folder: string, entries: readonly Dirent[], rest: readonly string[]): Step[] {
  const below = entries.flatMap((entry): Step[] => {
    if (!matches("*", entry.name)) return [];
    const path = joined(folder, entry.name);
    const type = typeOf(entry, path);
    if (type === "folder") return [{ folder: path }];
    return rest.length === 0 || type === "closed" ? [{ file: path }] : [];
  });
  return rest.length === 0 ? below : [...match(folder, rest), ...below];
}

/** Returns every file in a folder and under it. */
function walk(folder: string): Found[] {
  return traverse(folder, (place, entries) =>
    entries.flatMap((entry): Step[] => {
      const path = joined(place, entry.name);
      const type = typeOf(entry, path);
      if (type === "folder") return [{ folder: path }];
      if (type === "closed") return [{ file: path }];
      if (!EVIDENCE_NAME.test(entry.name)) return [{ file: path, isOther: true }];
      // Reading a pipe that nobody writes to would never end.
      return [
        type === "file" ? { file: path } : refused(path, "it is not a file.", "Name it by itself to have it read."),
      ];
    }),
  );
}

/** A file in a folder that is not named as evidence is. */
interface Other {
  readonly file: string;
  readonly isOther: true;
}
type Found = Named | Other;
/** An entry, or a folder whose entries are in its place. */
type Step = Found | { readonly folder: string };

/**
 * Walks a folder and everything under it, in the order of `stepsIn`. It follows links; it visits a folder that several
 * lead to once, so no circle is endless.
 */
function traverse(folder: string, stepsIn: (folder: string, entries: readonly Dirent[]) => readonly Step[]): Found[] {
  const seen = new Set<string>();
  const found: Found[] = [];
  // A list and no recursion: folders can nest deeper than calls can. The last one is the next.
  const left: Step[] = [{ folder }];
  for (let step = left.pop(); step !== undefined; step = left.pop()) {
    if (!("folder" in step)) {
      found.push(step);
      continue;
    }
    const entries = list(step.folder);
    if (!Array.isArray(entries)) found.push(entries);
    else if (isFirstVisit(step.folder, seen))
      for (const next of stepsIn(step.folder, entries).toReversed()) left.push(next);
  }
  return found;
}

/**
 * Returns the type of the entry at a path, with its links followed. A link that leads nowhere counts as a file: reading
 * it says so.
 */
function typeOf(entry: Dirent, path: string): "folder" | "file" | "closed" | "other" {
  const at = entry.isSymbolicLink() ? statOf(path) : entry;
  if (at instanceof Error)
    return ["ENOENT", "ELOOP"].includes((at as NodeJS.ErrnoException).code ?? "") ? "file" : "closed";
  return at.isDirectory() ? "folder" : at.isFile() ? "file" : "other";
}

/** Returns the content of a folder, ascending by name; the entry to show if it cannot be looked into. */
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

/** A folder is known by its place on the disk, under any path that leads to it. */
function isFirstVisit(folder: string, seen: Set<string>): boolean {
  const at = statSync(folder === "" ? "." : folder, { bigint: true, throwIfNoEntry: false });
  if (at === undefined) return true;
  const place = `${at.dev}:${at.ino}`;
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
  // Neither an option nor standard input for somebody who copies it.
  if (folder === "") return name.startsWith("-") ? `./${name}` : name;
  return folder.endsWith("/") ? `${folder}${name}` : `${folder}/${name}`;
}

function refused(file: string, reason: string, action: string): Named {
  return { file, refused: { outcome: "unreadable", message: `Cannot read "${file}": ${reason}`, action } };
}
