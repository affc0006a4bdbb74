/**
 * The actions of processes on the files of one folder, one after the other, and their messages to others: writes,
 * sizes, names, syncs, each with its moment. Files have their own identity, because names move. `svc.db-shm` is no
 * durable state, and left out: SQLite makes it again.
 */
import { mkdirSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { answeredPath, bytesOf, type Call, descriptorOf } from "./strace-log.ts";

/** A file or a folder. */
export type FileId = number;

/** A name that a folder gains or loses; null: it is gone. */
export interface NameChange {
  readonly folder: FileId;
  readonly name: string;
  readonly file: FileId | null;
}

/** A change that may or may not be on the disk until it is synced. */
export type Change =
  | { readonly kind: "write"; readonly file: FileId; readonly offset: number; readonly data: Buffer }
  | { readonly kind: "size"; readonly file: FileId; readonly bytes: number }
  | { readonly kind: "names"; readonly file: FileId; readonly changes: readonly NameChange[] };

/** A moment is a whole number that rises over all processes. */
export type Step =
  | { readonly kind: "change"; readonly at: number; readonly done: number; readonly change: Change }
  | { readonly kind: "sync"; readonly at: number; readonly done: number; readonly file: FileId }
  | { readonly kind: "told"; readonly at: number; readonly done: number; readonly bytes: Buffer };

/** The folder of everything else. */
export const ROOT: FileId = 0;

const LEFT_OUT = /-shm$/;

export class History {
  readonly steps: Step[] = [];
  readonly folders = new Set<FileId>([ROOT]);
  readonly #root: string;
  readonly #names = new Map<FileId, Map<string, FileId>>([[ROOT, new Map()]]);
  readonly #sizes = new Map<FileId, number>();
  #files = 0;
  #now = 0;

  /** `root`: an absolute path of an empty folder; everything in it is recorded from now on. */
  constructor(root: string) {
    mkdirSync(root, { recursive: true });
    if (readdirSync(root).length > 0) throw new Error(`${root} is not empty`);
    this.#root = root;
  }

  /** The moment behind all records. */
  get end(): number {
    return this.#now;
  }

  /** Adds the calls of one process that has ended. */
  add(calls: readonly Call[]): void {
    const open = new Map<number, { readonly file: FileId | null; at: number; readonly isAppending: boolean }>();
    const from = this.#now;
    let last = from;
    // A descriptor exists from the end of its opening on: another thread may have closed one of the same number
    // meanwhile.
    const inOrder = [...calls].sort((one, other) => takesEffect(one) - takesEffect(other));
    for (const call of inOrder) {
      // A call that never returned may have been done.
      if (call.answer !== null && call.answer < 0) continue;
      const moment = { at: from + call.at, done: from + call.done };
      last = Math.max(last, moment.at, Number.isFinite(moment.done) ? moment.done : 0);
      this.#take(call, moment, open);
    }
    this.#now = last + 1;
    this.steps.sort((one, other) => one.at - other.at);
  }

  /** Throws Error unless the recorded calls turn an empty folder into exactly this one. */
  mustBeWhole(contents: ReadonlyMap<string, Buffer>): void {
    const found = readdirSync(this.#root, { recursive: true, withFileTypes: true })
      .filter((one) => one.isFile() && !LEFT_OUT.test(one.name))
      .map((one) => join(one.parentPath, one.name).slice(this.#root.length + 1));
    const [is, should] = [found.sort().join(" "), [...contents.keys()].sort().join(" ")];
    if (is !== should) throw new Error(`the folder has ${is}, and what was recorded makes ${should}`);
    for (const name of found)
      if (!readFileSync(join(this.#root, name)).equals(contents.get(name) ?? Buffer.alloc(0)))
        throw new Error(`${name} is not what the recorded writes make of it`);
  }

  #take(
    call: Call,
    moment: { readonly at: number; readonly done: number },
    open: Map<number, { readonly file: FileId | null; at: number; readonly isAppending: boolean }>,
  ): void {
    const { name, words, answer } = call;
    const change = (made: Change) => this.steps.push({ kind: "change", ...moment, change: made });
    const fd = descriptorOf(call);
    const opened = open.get(fd);
    switch (name) {
      case "open":
      case "openat": {
        if (answer === null) return;
        const path = answeredPath(call);
        const known = this.#fileAt(path, words.includes("O_CREAT") ? change : null);
        open.set(answer, { file: known, at: 0, isAppending: words.includes("O_APPEND") });
        if (known === null || !words.includes("O_TRUNC") || this.#sizes.get(known) === 0) return;
        this.#sizes.set(known, 0);
        change({ kind: "size", file: known, bytes: 0 });
        return;
      }
      case "close":
        open.delete(fd);
        return;
      case "write":
      case "writev":
      case "sendmsg":
      case "sendto": {
        const bytes = bytesOf(words);
        if (opened === undefined) this.steps.push({ kind: "told", ...moment, bytes });
        else if (opened.file !== null) {
          const offset = opened.isAppending ? (this.#sizes.get(opened.file) ?? 0) : opened.at;
          opened.at = offset + this.#write(opened.file, offset, bytes.subarray(0, answer ?? bytes.length), change);
        }
        return;
      }
      case "pwrite64": {
        if (opened === undefined) throw new Error(`a write to a file that nobody opened: ${words.slice(0, 200)}`);
        const offset = Number(/, (\d+)$/.exec(words)?.[1]);
        const bytes = bytesOf(words);
        // A call that was interrupted before strace had read it has written nothing.
        if (Number.isNaN(offset) || bytes.length === 0) return;
        if (opened.file !== null) this.#write(opened.file, offset, bytes.subarray(0, answer ?? bytes.length), change);
        return;
      }
      case "ftruncate": {
        const bytes = Number(/, (\d+)$/.exec(words)?.[1]);
        if (opened?.file === undefined || opened.file === null) return;
        this.#sizes.set(opened.file, bytes);
        change({ kind: "size", file: opened.file, bytes });
        return;
      }
      case "fsync":
      case "fdatasync":
        if (opened?.file !== undefined && opened.file !== null)
          this.steps.push({ kind: "sync", ...moment, file: opened.file });
        return;
      case "rename":
      case "unlink":
      case "rmdir":
      case "mkdir":
        this.#renameOrRemove(name, words, change);
        return;
      default:
        // Calls about sockets and pipes alone, or about files elsewhere, change nothing here.
        if (words.includes(hexOf(this.#root)) || opened?.file != null)
          throw new Error(`a call that is not understood: ${name}(${words.slice(0, 200)})`);
    }
  }

  #write(file: FileId, offset: number, data: Buffer, change: (made: Change) => void): number {
    this.#sizes.set(file, Math.max(this.#sizes.get(file) ?? 0, offset + data.length));
    change({ kind: "write", file, offset, data });
    return data.length;
  }

  #renameOrRemove(name: string, words: string, change: (made: Change) => void): void {
    const [from = "", to] = [...words.matchAll(/"([^"]*)"/g)].map(([text]) => bytesOf(text).toString());
    if (!this.#isInside(from) || LEFT_OUT.test(from)) return;
    const folder = this.#folderOf(from);
    const file = name === "mkdir" ? this.#newFile(true) : (this.#names.get(folder)?.get(basename(from)) ?? null);
    if (file === null) throw new Error(`${name} of a file that nobody made: ${from}`);
    const changes: NameChange[] = [{ folder, name: basename(from), file: name === "mkdir" ? file : null }];
    if (to !== undefined && name === "rename") changes.push({ folder: this.#folderOf(to), name: basename(to), file });
    if (changes.some((one) => one.folder !== folder)) throw new Error(`a rename between folders: ${from}, ${to}`);
    this.#name(changes);
    change({ kind: "names", file: folder, changes });
  }

  #name(changes: readonly NameChange[]): void {
    for (const { folder, name, file } of changes)
      if (file === null) this.#names.get(folder)?.delete(name);
      else this.#names.get(folder)?.set(name, file);
  }

  /** Returns the file of a path, and makes it if it is missing and may be made; null for an irrelevant file. */
  #fileAt(path: string, change: ((made: Change) => void) | null): FileId | null {
    if (path === this.#root) return ROOT;
    if (!this.#isInside(path) || LEFT_OUT.test(path)) return null;
    const folder = this.#folderOf(path);
    const known = this.#names.get(folder)?.get(basename(path));
    if (known !== undefined) return known;
    if (change === null) throw new Error(`a file that nobody made is opened: ${path}`);
    const changes = [{ folder, name: basename(path), file: this.#newFile(false) }];
    this.#name(changes);
    change({ kind: "names", file: folder, changes });
    return changes[0]?.file ?? null;
  }

  #folderOf(path: string): FileId {
    const parent = dirname(path);
    if (parent === this.#root) return ROOT;
    const folder = this.#names.get(this.#folderOf(parent))?.get(basename(parent));
    if (folder === undefined) throw new Error(`a folder that nobody made: ${parent}`);
    return folder;
  }

  #newFile(isFolder: boolean): FileId {
    this.#files += 1;
    if (isFolder) {
      this.folders.add(this.#files);
      this.#names.set(this.#files, new Map());
    } else this.#sizes.set(this.#files, 0);
    return this.#files;
  }

  #isInside(path: string): boolean {
    return path.startsWith(`${this.#root}/`);
  }
}

function takesEffect({ name, at, done }: Call): number {
  return name.startsWith("open") ? done : at;
}

/** Returns a text as strace writes it. */
function hexOf(text: string): string {
  return [...Buffer.from(text)].map((byte) => `\\x${byte.toString(16).padStart(2, "0")}`).join("");
}
