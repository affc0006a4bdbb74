/** Commands that work beside a running witness: they open its database, and neither its key nor its mark. */
import type { EmbeddedDatabase } from "@svc/host/store";
import { type Config, readConfig, type SettingOptions } from "../config.ts";
import { openDatabase } from "../database.ts";

/** The option of every command that names the data folder. */
export const DATA_OPTION = [
  "--data <folder>",
  "the data folder (default: $SVC_WITNESS_DATA or ./svc-witness-data)",
] as const;

/** Runs work on the database of the configured folder, and closes it. */
export async function withDatabase<T>(
  options: SettingOptions,
  work: (database: EmbeddedDatabase, config: Config) => Promise<T>,
): Promise<T> {
  const config = readConfig(process.env, options);
  const database = await openDatabase(config.dataFolder);
  try {
    return await work(database, config);
  } finally {
    await database.close();
  }
}
