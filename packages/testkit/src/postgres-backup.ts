/**
 * Base backups of a running PostgreSQL server, and servers that are started on them, with an archived log or without.
 * The programs are without pg_basebackup: a copy of the data folder is made within a backup, as the manual has it.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Client } from "pg";
import type { Lifetime } from "./lifetime.ts";
import { type Administered, type Postgres, type Settings, serve } from "./postgres.ts";
import { copyDataFolder, giveAway } from "./postgres-programs.ts";
import { serverFolder } from "./server-folder.ts";
import { until } from "./until.ts";

/** A folder to which a server archives its log. */
export interface Archive {
  readonly folder: string;
  /** The settings of the server. */
  readonly settings: Settings;
}

/** Makes an empty archive, until the end of the test. */
export async function newArchive(t: Lifetime): Promise<Archive> {
  const folder = join(serverFolder(t).path, "archive");
  mkdirSync(folder);
  await giveAway(folder);
  // A file has its name only when all of it is there.
  const command = `cp %p ${folder}/part && mv ${folder}/part ${folder}/%f`;
  return { folder, settings: { archive_mode: "on", archive_command: command } };
}

/** Resolves when all that a server has written by now is in its archive. */
export async function archived(server: Administered, { folder }: Archive): Promise<void> {
  const [file] = await server.run("SELECT pg_walfile_name(pg_current_wal_insert_lsn()) AS name");
  await server.run("SELECT pg_switch_wal()");
  await until("the log is archived", async () => (existsSync(join(folder, `${file?.name}`)) ? true : null));
}

/** Copies a running server's data folder, with the label of the backup. The log is in the copy as far as it was. */
export async function copyRunning(server: Postgres, to: string): Promise<void> {
  const client = new Client({ connectionString: server.url() });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('copy', fast => true)");
    await copyDataFolder(server.dataFolder, to).catch(requireOnlyVanished);
    const { rows } = await client.query("SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)");
    writeFileSync(join(to, "backup_label"), rows[0].labelfile);
  } finally {
    await client.end();
  }
  rmSync(join(to, "postmaster.pid"));
}

/** Makes a base backup with all of the log that it needs, and resolves to its folder, until the end of the test. */
export async function baseBackup(t: Lifetime, server: Postgres): Promise<string> {
  const base = join(serverFolder(t).path, "base");
  await copyRunning(server, base);
  await copyDataFolder(join(server.dataFolder, "pg_wal"), base).catch(requireOnlyVanished);
  return base;
}

/**
 * Starts a new server on a copy of a base backup of another one, whose administrator it has. `archive`: the log that it
 * recovers to its end.
 */
export async function restoreBase(
  t: Lifetime,
  base: string,
  { of, archive = null }: { readonly of: Administered; readonly archive?: Archive | null },
): Promise<Postgres> {
  const folder = serverFolder(t);
  const data = join(folder.path, "data");
  await copyDataFolder(base, data);
  if (archive !== null) writeFileSync(join(data, "recovery.signal"), "");
  await giveAway(data);
  return serve(folder, new URL(of.url()).password, {
    archive_mode: "off",
    ...(archive === null ? {} : { restore_command: `cp ${archive.folder}/%f %p` }),
  });
}

/** Throws the failure of a copy, unless only files were missing by then: a running server deletes some. */
function requireOnlyVanished(error: unknown): void {
  const { stderr = "" } = error as { readonly stderr?: string };
  const lines = stderr.split("\n").filter((line) => line !== "");
  if (lines.length === 0 || !lines.every((line) => line.endsWith("No such file or directory"))) throw error;
}
