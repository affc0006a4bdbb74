/**
 * The possible contents of a disk after a power cut at a moment: everything that was synced, and any part of the rest,
 * in any order and in any pieces that the seed chooses. Stricter than any file system that we know: names and contents
 * are independent, and a folder's own name is on disk only after its parent folder was synced.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Seeded } from "../seeded.ts";
import { type Change, type FileId, type History, type NameChange, ROOT, type Step } from "./history.ts";

/** The fate of changes that were not synced. */
export const FATES = ["nothing", "all", "the first", "some", "some, reordered", "pages", "sectors"] as const;
export type Fate = (typeof FATES)[number];
const PIECE_BYTES: Partial<Record<Fate, number>> = { pages: 4096, sectors: 512 };

type ContentChange = Exclude<Change, { readonly kind: "names" }>;

/** Folders by their contents, and files by their bytes. */
interface Raw {
  readonly names: ReadonlyMap<FileId, ReadonlyMap<string, FileId>>;
  readonly contents: ReadonlyMap<FileId, Buffer>;
}

/** The files of a disk by their paths from the root; folders have null. */
export type Disk = ReadonlyMap<string, Buffer | null>;

/** A disk that follows a history, moment by moment. */
export class Disks {
  readonly #steps: readonly Step[];
  readonly #folders: ReadonlySet<FileId>;
  readonly #syncs: readonly Extract<Step, { kind: "sync" }>[];
  readonly #contents = new Map<FileId, Content>();
  readonly #names = new Map<FileId, Map<string, FileId>>([[ROOT, new Map()]]);
  /** The changes that were not synced, by file or folder. */
  readonly #pending = new Map<FileId, { readonly done: number; readonly change: Change }[]>();
  #nextStep = 0;
  #nextSync = 0;

  constructor({ steps, folders }: Pick<History, "steps" | "folders">) {
    this.#steps = steps;
    this.#folders = folders;
    this.#syncs = steps
      .filter((step) => step.kind === "sync")
      .filter(({ done }) => Number.isFinite(done))
      .sort((one, other) => one.done - other.done);
  }

  /** Advances to a moment, which must not be before the last one. */
  advance(to: number): void {
    const dueSync = () => this.#syncs[this.#nextSync];
    for (
      let step = this.#steps[this.#nextStep];
      step !== undefined && step.at < to;
      step = this.#steps[this.#nextStep]
    ) {
      for (let sync = dueSync(); sync !== undefined && sync.done < step.at; sync = dueSync()) this.#sync(sync);
      this.#nextStep += 1;
      if (step.kind !== "change") continue;
      const { file } = step.change;
      this.#pending.set(file, [...(this.#pending.get(file) ?? []), step]);
    }
    for (let sync = dueSync(); sync !== undefined && sync.done < to; sync = dueSync()) this.#sync(sync);
  }

  /** The number of changes that were not synced. */
  get unsynced(): number {
    return [...this.#pending.values()].reduce((sum, { length }) => sum + length, 0);
  }

  /** Returns the disk after a power cut at this moment. */
  cut(random: Seeded, fate: () => Fate): Disk {
    const names = new Map([...this.#names].map(([folder, entries]) => [folder, new Map(entries)]));
    const contents = new Map([...this.#contents].map(([file, content]) => [file, content.bytes]));
    for (const [file, pending] of this.#pending) {
      const chosen = choose(
        pending.map(({ change }) => change),
        random,
        fate(),
      );
      const content = this.#contents.get(file)?.copy() ?? new Content();
      for (const change of chosen)
        if (change.kind === "names") applyNames(names, change.changes);
        else content.apply(change);
      contents.set(file, content.bytes);
    }
    return this.#treeOf({ names, contents }, ROOT, "", new Map());
  }

  #sync({ file, at }: Extract<Step, { kind: "sync" }>): void {
    this.#nextSync += 1;
    const pending = this.#pending.get(file) ?? [];
    const content = this.#contents.get(file) ?? new Content();
    this.#contents.set(file, content);
    for (const { change } of pending.filter(({ done }) => done < at))
      if (change.kind === "names") applyNames(this.#names, change.changes);
      else content.apply(change);
    this.#pending.set(
      file,
      pending.filter(({ done }) => done >= at),
    );
  }

  #treeOf(
    { names, contents }: Raw,
    folder: FileId,
    before: string,
    tree: Map<string, Buffer | null>,
  ): Map<string, Buffer | null> {
    for (const [name, file] of names.get(folder) ?? []) {
      const path = before + name;
      if (this.#folders.has(file)) {
        tree.set(path, null);
        this.#treeOf({ names, contents }, file, `${path}/`, tree);
      } else tree.set(path, contents.get(file) ?? Buffer.alloc(0));
    }
    return tree;
  }
}

/** Writes a disk into a folder that is not there yet; private, as a data folder must be. */
export function writeDisk(disk: Disk, folder: string): void {
  mkdirSync(folder, { mode: 0o700 });
  for (const [path, content] of disk)
    if (content === null) mkdirSync(join(folder, path), { mode: 0o700 });
    else writeFileSync(join(folder, path), content, { mode: 0o600 });
}

/** Returns the changes that reached the disk, in the order in which they did. */
function choose(changes: readonly Change[], random: Seeded, fate: Fate): Change[] {
  if (fate === "nothing") return [];
  if (fate === "all") return [...changes];
  if (fate === "the first") return changes.slice(0, random.whole(0, changes.length));
  const share = random.number();
  const pieceBytes = PIECE_BYTES[fate];
  const pieces = pieceBytes === undefined ? changes : changes.flatMap((change) => piecesOf(change, pieceBytes));
  const kept = pieces.filter(() => random.number() < share);
  return fate === "some" ? kept : shuffled(kept, random);
}

/** Splits a write into pieces that a disk writes whole or not at all. */
function piecesOf(change: Change, bytes: number): Change[] {
  if (change.kind === "names") return change.changes.length === 0 ? [] : [change];
  if (change.kind === "size") return [change];
  const pieces: Change[] = [];
  const { file, offset, data } = change;
  for (let at = 0; at < data.length; ) {
    const next = Math.min(data.length, at + bytes - ((offset + at) % bytes));
    pieces.push({ kind: "write", file, offset: offset + at, data: data.subarray(at, next) });
    at = next;
  }
  return pieces;
}

function shuffled<Value>(values: readonly Value[], random: Seeded): Value[] {
  const left = [...values];
  return values.map(() => left.splice(random.whole(0, left.length - 1), 1)[0] as Value);
}

/** The bytes of a file that grows and is truncated. */
class Content {
  #bytes: Buffer;
  #size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.#bytes = bytes;
    this.#size = bytes.length;
  }

  get bytes(): Buffer {
    return this.#bytes.subarray(0, this.#size);
  }

  copy(): Content {
    return new Content(Buffer.from(this.bytes));
  }

  apply(change: ContentChange): void {
    const end = change.kind === "size" ? change.bytes : Math.max(this.#size, change.offset + change.data.length);
    if (end > this.#bytes.length) {
      const larger = Buffer.alloc(2 * end);
      this.bytes.copy(larger);
      this.#bytes = larger;
    }
    // Bytes that were never written read as zeros, also if the file was truncated and grows again.
    if (end < this.#size) this.#bytes.fill(0, end, this.#size);
    this.#size = end;
    if (change.kind === "write") change.data.copy(this.#bytes, change.offset);
  }
}

function applyNames(names: Map<FileId, Map<string, FileId>>, changes: readonly NameChange[]): void {
  for (const { folder, name, file } of changes) {
    const entries = names.get(folder) ?? new Map<string, FileId>();
    names.set(folder, entries);
    if (file === null) entries.delete(name);
    else entries.set(name, file);
  }
}
