/** The folder of the archive: the names of its files, and writing and removing them durably. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { FOLDER_ID } from "../exports/shared-folder.ts";

/** The names of files that the server makes; the folder may have others, such as the file with its own name. */
const OF_ARCHIVE = /^str_[0-9A-Za-z]+\.\d+-\d+\.bundle_[0-9A-Za-z]+\.json(?:\.unfinished)?$/;

/** Names that a folder has by itself, besides those that begin with a dot: its own, and that of the disk it is on. */
const OF_FOLDER: readonly string[] = [FOLDER_ID, "lost+found"];

/** Returns the id of the bundle in a file, by its name. */
export function bundleOf(name: string): string {
  return name.split(".")[2] ?? "";
}

/** The files of one folder. */
export class ArchiveFiles {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Returns the name of a new file. The bundle's id keeps it apart from every other one, also of the same range. */
  static nameOf(streamId: string, fromSeqNo: number, toSeqNo: number, bundleId: string): string {
    return `${streamId}.${fromSeqNo}-${toSeqNo}.${bundleId}.json`;
  }

  pathOf(name: string): string {
    return join(this.#folder, name);
  }

  /** Returns the path under which a file is written. */
  unfinishedPathOf(name: string): string {
    return `${this.pathOf(name)}.unfinished`;
  }

  /** Gives a written file its name, and resolves when that is on the disk. */
  async name(name: string): Promise<void> {
    await rename(this.unfinishedPathOf(name), this.pathOf(name));
    await this.#sync();
  }

  /** Removes a file, finished or not, and resolves when its name is gone from the disk. */
  async remove(name: string): Promise<void> {
    await rm(this.pathOf(name), { force: true });
    await rm(this.unfinishedPathOf(name), { force: true });
    await this.#sync();
  }

  /** Resolves to the SHA-256 of a file (64 lowercase hex characters); null if it is not there. */
  async sha256Of(name: string): Promise<string | null> {
    const hash = createHash("sha256");
    try {
      for await (const piece of createReadStream(this.pathOf(name))) hash.update(piece as Uint8Array);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
    return hash.digest("hex");
  }

  /** Resolves to the names of all files of archives in the folder; null if there is no folder. */
  async names(): Promise<string[] | null> {
    return (await this.#all())?.filter((name) => OF_ARCHIVE.test(name)) ?? null;
  }

  /** Resolves to the names of all else in the folder that somebody has put there. */
  async foreignNames(): Promise<string[]> {
    const all = (await this.#all()) ?? [];
    return all.filter((name) => !OF_ARCHIVE.test(name) && !OF_FOLDER.includes(name) && !name.startsWith("."));
  }

  async #all(): Promise<string[] | null> {
    try {
      return (await readdir(this.#folder)).sort();
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return null;
      throw error;
    }
  }

  async #sync(): Promise<void> {
    const folder = await open(this.#folder, "r");
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
