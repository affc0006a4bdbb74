/** What metrics say of the store: how much waits for the sealer, how large the database is, and how often it was
 * waited for. */
import { stat } from "node:fs/promises";
import type { EmbeddedDatabase } from "@svc/host/store";
import { waitingExports } from "../exports/exports-store.ts";
import { uncheckpointedWindows, unwindowedEvents } from "./backlog-store.ts";

export interface Backlog {
  readonly unwindowedEvents: number;
  readonly uncheckpointedWindows: number;
  readonly waitingExports: number;
  readonly databaseBytes: number;
  readonly commits: number;
}

export class ReadBacklog {
  readonly #database: EmbeddedDatabase;
  readonly #databasePath: string;

  constructor(database: EmbeddedDatabase, databasePath: string) {
    this.#database = database;
    this.#databasePath = databasePath;
  }

  async read(): Promise<Backlog> {
    const waiting = await this.#database.read(async (reader) => ({
      unwindowedEvents: await unwindowedEvents(reader),
      uncheckpointedWindows: await uncheckpointedWindows(reader),
      waitingExports: await waitingExports(reader),
    }));
    const { size: databaseBytes } = await stat(this.#databasePath);
    return { ...waiting, databaseBytes, commits: this.#database.commits };
  }
}
