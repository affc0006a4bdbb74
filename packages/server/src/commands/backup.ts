/** `svc-server backup` and `svc-server restore`: a copy of a running deployment, and a deployment from such a copy. */
import { resolve } from "node:path";
import { systemClock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { type BelongingFiles, belongingFiles } from "../archive/belonging-files.ts";
import { archiveOfBackup, type BackupOptions, makeBackup } from "../backup/make-backup.ts";
import { isOnServer, type ServerManifest } from "../backup/manifest.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { readConfig } from "../settings/config.ts";
import { type DeploymentOptions, show, withDeployment } from "./deployment.ts";
import { invocation, shownFolder } from "./invocation.ts";
import { PASSPHRASE_HELP, PASSPHRASE_OPTION, readPassphrase } from "./passphrase.ts";
import { progressLine } from "./progress-line.ts";

const JSON_HELP = "print one JSON object instead of text";

interface MakeOptions extends DeploymentOptions {
  readonly to: string;
  readonly withKeys?: true;
  readonly passphraseFile?: string;
}

interface RestoreOptions extends DeploymentOptions {
  readonly from: string;
  readonly keys?: string;
  readonly passphraseFile?: string;
  readonly progress?: string;
}

/** Returns the command `backup`. */
export function backupCommand(program: Program): Command {
  return new Command("backup")
    .description(
      "copy the database into a new folder, also while the server runs; of one on a PostgreSQL server, what its " +
        "base backup must have; private keys only where asked for",
    )
    .requiredOption("--to <folder>", "the backup to make, a folder that is not there yet")
    .option("--with-keys", "put the private files in too, sealed under a passphrase")
    .option(PASSPHRASE_OPTION, PASSPHRASE_HELP)
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", JSON_HELP)
    .action((options: MakeOptions) => backup(program, options));
}

async function backup(program: Program, options: MakeOptions): Promise<void> {
  const passphrase = options.withKeys ? readPassphrase(options.passphraseFile) : null;
  if (options.withKeys && passphrase === null)
    throw new UsageError(["--with-keys needs a passphrase: --passphrase-file, or SVC_BACKUP_PASSPHRASE."]);
  if (!options.withKeys && options.passphraseFile !== undefined)
    throw new UsageError(["--passphrase-file goes with --with-keys: without it no key is in a backup."]);
  const made: BackupOptions = { to: resolve(options.to), passphrase, kernel, clock: systemClock };
  // The next release may make a backup too, before an upgrade.
  const { manifest, archive } = await withDeployment(
    program,
    options,
    async (deployment) => {
      const { database, folder } = deployment;
      const manifest = await makeBackup(deployment, made);
      const archive = isOnServer(manifest)
        ? // The base backup is still to come, and names all that is here.
          await database.read((reader) => belongingFiles(reader, folder.archivePath))
        : await archiveOfBackup(made.to, folder);
      return { manifest, archive };
    },
    { orOlder: true },
  );
  const { events, streams, last_event, created_at } = manifest;
  show(options, { backup: made.to, ...manifest, ...(archive === null ? {} : { archive }) }, [
    `${made.to} ${isOnServer(manifest) ? "describes" : "holds"} ${events} events in ${streams} streams, as of ` +
      `${created_at}.`,
    `  last event   ${last_event === null ? "none" : `${last_event.stream_event_id}, ${last_event.received_at}`}`,
    ...(isOnServer(manifest) ? [`  database     ${inWords(manifest)}`] : []),
    passphrase === null
      ? "  keys         none: keep copies of signing-key.pem, witness-key.pem, pepper and key-endorsements.json " +
        "elsewhere"
      : "  keys         sealed: without the passphrase nobody opens them, you neither",
    ...(archive === null
      ? []
      : [
          `  archive      not in it: ${archive.files} files with ${archive.bytes} bytes in ${archive.folder} ` +
            `belong to it; copy that folder too, now`,
        ]),
    ...(archive === null || archive.missing === 0
      ? []
      : [`  warning      ${archive.missing} of the archive's files are not there: run fsck`]),
    ...(isOnServer(manifest)
      ? serverSteps(manifest)
      : ["It holds every payload that was not erased by then. Try it: docs/operations.md has the drill."]),
  ]);
}

/** Returns a server's database, and where its log is. */
function inWords({ postgresql }: ServerManifest): string {
  const { database, version, system_identifier, timeline, wal_position, wal_file } = postgresql;
  return [
    `${database} on PostgreSQL ${version}`,
    ...(system_identifier === null ? [] : [`system ${system_identifier}`]),
    ...(timeline === null ? [] : [`timeline ${timeline}`]),
    ...(wal_position === null ? [] : [`log at ${wal_position}${wal_file === null ? "" : ` in ${wal_file}`}`]),
  ].join(", ");
}

/** Returns the next steps, which are PostgreSQL's own tools' part. */
function serverSteps({ postgresql: { wal_position } }: ServerManifest): string[] {
  const upTo = wal_position === null ? "up to this moment" : `up to ${wal_position}`;
  return [
    "The events themselves are not in it. Now take a base backup with PostgreSQL's own tools (pg_basebackup, or " +
      "the provider's snapshot),",
    `or keep an older one and its archived log, at least ${upTo}. Try both together: docs/scaling.md has the drill.`,
  ];
}

/** Returns the command `restore`. */
export function restoreCommand(program: Program): Command {
  return new Command("restore")
    .description(
      "make a data folder from a backup, and verify all of it; the folder must be empty, and SVC_DATABASE_URL " +
        "name the database that was brought back, if it is on a server",
    )
    .requiredOption("--from <folder>", "the backup")
    .option("--keys <folder>", "a folder with the private files (default: those that are sealed in the backup)")
    .option(PASSPHRASE_OPTION, PASSPHRASE_HELP)
    .option(
      "--progress <file>",
      "progress.json of the folder that this one stands in for: it shows whether anything is missing",
    )
    .option("--data <folder>", "the data folder to make (default: $SVC_DATA or ./svc-data)")
    .option("--json", JSON_HELP)
    .action((options: RestoreOptions) => restore(program, options));
}

async function restore(program: Program, options: RestoreOptions): Promise<void> {
  const config = readConfig(program, process.env, options);
  const line = progressLine();
  const { databaseUrl: url, databaseRisks: risks } = config;
  const { manifest, loss, asOf, events, streams, archive } = await restoreBackup({
    program,
    from: resolve(options.from),
    dataFolder: config.dataFolder,
    keysFolder: options.keys === undefined ? null : resolve(options.keys),
    passphrase: options.keys === undefined ? readPassphrase(options.passphraseFile) : null,
    progressFile: options.progress === undefined ? null : resolve(options.progress),
    databaseLocation: url === null ? null : { url, risks },
    archiveFolder: config.archiveFolder,
    keySettings: config.keySettings,
    settings: () => config as never,
    kernel,
    clock: systemClock,
    onStep: (words) => line.say(words),
  }).finally(() => line.end());
  const { created_at } = manifest;
  const onServer = isOnServer(manifest);
  const restored = {
    data_folder: config.dataFolder,
    backup_of: created_at,
    events,
    streams,
    loss: loss?.detail ?? null,
    ...(archive === null ? {} : { archive }),
  };
  const data = shownFolder(config.dataFolder);
  show(options, restored, [
    onServer
      ? `${config.dataFolder} opens the database: ${events} events in ${streams} streams, as of ${asOf} at least, ` +
        `all of the backup of ${created_at} among them; fsck found nothing wrong.`
      : `${config.dataFolder} holds ${events} events in ${streams} streams as of ${created_at}; fsck found nothing ` +
        `wrong.`,
    `Payloads that were erased after ${onServer ? "the last commit that was brought back" : created_at} are ` +
      `back: erase them again before anybody reads them.`,
    ...(archive === null ? [] : [archiveInWords(archive)]),
    ...(loss === null ? [] : [loss.words]),
    loss === null
      ? `Nothing is missing. Next: ${invocation(program)} start --data ${data}`
      : `If it is lost for good: ${invocation(program)} accept-loss --data ${data}`,
  ]);
}

/** Returns what is here of the archive that a restored database names, and what to do. */
function archiveInWords({ folder, files, missing }: BelongingFiles): string {
  const named = `The database names ${files} files of the archive`;
  return missing === 0
    ? `${named}, and all are in ${folder}: run fsck, which verifies them.`
    : `${named}, and ${missing} of them are not in ${folder}: put the copy of that folder back, or name it in ` +
        `SVC_ARCHIVE, and run fsck. Until then their payloads are refused (archive_unavailable).`;
}
