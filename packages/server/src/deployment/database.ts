/**
 * Which database a deployment has: the file in its folder, or one on a PostgreSQL server that several servers share.
 * The folder says which; the address of a server, which holds a password, comes from the environment alone.
 */
import {
  type DatabaseLocation,
  type EmbeddedDatabase,
  type OpenedDatabase,
  openDatabase,
  type Reader,
  type Risk,
  requireServer,
  StoreUnavailable,
  UnfitServer,
} from "@svc/host/store";
import { type DataFolder, DataFolderError } from "../data-folder/data-folder.ts";
import { requireNoStoreMigration } from "./store-migration.ts";

/** The settings that say where the database is. */
export interface DatabaseSettings {
  /** The address of a database on a server, with its password; null for the file. */
  readonly databaseUrl: string | null;
  /** The settings of that server that may be less than safe. */
  readonly databaseRisks: readonly Risk[];
}

/** The settings of a deployment whose database is the file in its folder. */
export const IN_FOLDER: DatabaseSettings = { databaseUrl: null, databaseRisks: [] };

/** Opens the file of an embedded database; tests pass another function. */
export type OpenFile = (path: string, onUncertain?: (error: Error) => void) => EmbeddedDatabase;

/**
 * Returns the place of a folder's database. Throws DataFolderError where folder and settings do not name the same kind
 * of place.
 */
export function locationOfDatabase(
  { path, databaseFile }: Pick<DataFolder, "path" | "databaseFile">,
  { databaseUrl, databaseRisks }: DatabaseSettings,
): DatabaseLocation {
  if (databaseFile !== null && databaseUrl !== null)
    throw new DataFolderError(
      `SVC_DATABASE_URL is set, and the database of ${path} is the file svc.db in it. Unset it, or name another ` +
        `folder with --data.`,
    );
  if (databaseFile !== null) return { file: databaseFile };
  if (databaseUrl === null)
    throw new DataFolderError(
      `The database of ${path} is on a PostgreSQL server. Name it: ` +
        `SVC_DATABASE_URL=postgres://user:password@host:5432/database`,
    );
  return { url: databaseUrl, risks: databaseRisks };
}

/** The options for opening a database. */
type OpenOptions = Omit<Parameters<typeof openDatabase>[1] & object, "check"> & {
  readonly check?: () => ((reader: Reader) => Promise<void>) | null;
};

/**
 * Opens the database at a place, after a look at the server if it is on one. Rejects with DataFolderError for a server
 * that is not fit, with StoreUnavailable for one that cannot be reached, and with the errors of SQLite. `check`: as for
 * `openDatabase`, or null while nobody is served; a database that the deployment has left is refused as well, and to
 * those that are served it is one that cannot be reached.
 */
export async function openDatabaseAt(place: DatabaseLocation, options: OpenOptions = {}): Promise<OpenedDatabase> {
  if ("url" in place)
    await requireServer(place).catch((error: unknown) => {
      throw error instanceof UnfitServer ? new DataFolderError(error.message) : error;
    });
  const { check, ...others } = options;
  return openDatabase(place, {
    ...others,
    check: () => {
      const further = check?.() ?? null;
      return async (reader) => {
        await requireNoStoreMigration(reader).catch((error: unknown) => {
          const isServing = further !== null && error instanceof DataFolderError;
          throw isServing ? new StoreUnavailable(error.message, { cause: error }) : error;
        });
        await further?.(reader);
      };
    },
  });
}
