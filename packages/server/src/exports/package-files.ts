/**
 * The folder of the packages: the names of the files, reading one in pieces, and removing files for good. A name holds
 * the export and the build, so that no two builds ever write to one file. Other files decide who may read a package,
 * and when it is deleted.
 */
import { type FileHandle, open, readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { makeFolderDurably } from "@svc/host/durable-file";
import type { Part } from "@svc/host/http/byte-range";
import type { ExportRow } from "./exports-store.ts";

const READ_BYTES = 256 * 1024;
/** The names of the files of builds. The folder may have others, such as the file with its own name. */
const OF_BUILD = /^exp_[^.]+\.\d+\.zip/;

/** The parts of a build's file name. */
export type BuildName = Pick<ExportRow, "export_id" | "build_no">;

/** A package that is open for reading. Close it, or read it to its end. */
export interface OpenPackage {
  readonly sizeBytes: number;
  /** Yields the bytes of a part, in order; closes the file at their end. Throws if the package is removed meanwhile. */
  pieces(part: Part): AsyncIterable<Uint8Array>;
  close(): Promise<void>;
}

/** The package files of one folder. */
export class PackageFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Makes the folder if it is missing, closed to other users. Resolves when its name is on the disk. */
  async prepare(): Promise<void> {
    makeFolderDurably(this.#folder);
  }

  /** Returns the path of the finished package of a build. */
  pathOf({ export_id, build_no }: BuildName): string {
    return join(this.#folder, `${export_id}.${build_no}.zip`);
  }

  /** Returns the path of a part while a build is running; it is removed with the build. */
  workPathOf(build: BuildName, part: string): string {
    return `${this.pathOf(build)}.${part}.unfinished`;
  }

  /** Resolves when all names that were made, changed or removed in the folder are on the disk. */
  async sync(): Promise<void> {
    const folder = await open(this.#folder, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }

  /** Resolves to the size of a finished package in bytes; null if its file is missing. */
  async sizeOf(build: BuildName): Promise<number | null> {
    const file = await openForReading(this.pathOf(build));
    try {
      return file === null ? null : (await file.stat()).size;
    } finally {
      await file?.close();
    }
  }

  /** Opens a finished package; resolves to null if its file is missing. */
  async open(build: BuildName): Promise<OpenPackage | null> {
    const file = await openForReading(this.pathOf(build));
    if (file === null) return null;
    const { size } = await file.stat();
    return { sizeBytes: size, close: () => file.close(), pieces: (part) => piecesOf(file, part) };
  }

  /** Removes every file of an export. The readings of them end at their next piece, in whatever thread they are. */
  async remove(exportId: string): Promise<void> {
    await this.#removeWhere((name) => name.startsWith(`${exportId}.`));
  }

  /** Removes all files of builds that are not in `kept`: those that a crash has left. */
  async sweep(kept: readonly BuildName[]): Promise<void> {
    const names = new Set(kept.map((build) => this.pathOf(build)));
    await this.#removeWhere((name) => OF_BUILD.test(name) && !names.has(join(this.#folder, name)));
  }

  /** Removes the parts of an ended build, and its package if `andPackage`. */
  async discard(build: BuildName, { andPackage }: { readonly andPackage: boolean }): Promise<void> {
    const own = `${build.export_id}.${build.build_no}.zip`;
    await this.#removeWhere((name) => name.startsWith(`${own}.`) || (andPackage && name === own));
  }

  async #removeWhere(isUnwanted: (name: string) => boolean): Promise<void> {
    const unwanted = (await readdir(this.#folder)).filter(isUnwanted);
    for (const name of unwanted) await rm(join(this.#folder, name), { force: true });
    if (unwanted.length > 0) await this.sync();
  }
}

async function openForReading(path: string): Promise<FileHandle | null> {
  try {
    return await open(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
    throw error;
  }
}

async function* piecesOf(file: FileHandle, { start, end }: Part): AsyncGenerator<Uint8Array> {
  try {
    for (let at = start; at <= end; ) {
      const length = Math.min(READ_BYTES, end - at + 1);
      const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(length), 0, length, at);
      if (bytesRead === 0) throw new Error("a package is shorter than it was");
      // A file without a name was removed since: erased bytes must not go on being sent.
      if ((await file.stat()).nlink === 0) throw new Error("the package was removed");
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
}
