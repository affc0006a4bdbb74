/** `svc-server backup` and `svc-server restore`: a copy of a running deployment, and a deployment from such a copy. */
import { resolve } from "node:path";
import { systemClock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { type BelongingFiles, belongingFiles } from "../archive/belonging-files.ts";
import { type BackupOptions, makeBackup } from "../backup/make-backup.ts";
import { restoreBackup } from "../backup/restore-backup.ts";
import { readConfig } from "../config.ts";
import { requireEmbedded } from "../database.ts";
import { kernel } from "../kernel.ts";
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
export function backupCommand(): Command {
  return new Command("backup")
    .description("copy the database into a new folder, also while the server runs; private keys only where asked for")
    .requiredOption("--to <folder>", "the backup to make, a folder that is not there yet")
    .option("--with-keys", "put the private files in too, sealed under a passphrase")
    .option(PASSPHRASE_OPTION, PASSPHRASE_HELP)
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", JSON_HELP)
    .action(backup);
}

async function backup(options: MakeOptions): Promise<void> {
  const passphrase = options.withKeys ? readPassphrase(options.passphraseFile) : null;
  if (options.withKeys && passphrase === null)
    throw new UsageError(["--with-keys needs a passphrase: --passphrase-file, or SVC_BACKUP_PASSPHRASE."]);
  if (!options.withKeys && options.passphraseFile !== undefined)
    throw new UsageError(["--passphrase-file goes with --with-keys: without it no key is in a backup."]);
  const made: BackupOptions = { to: resolve(options.to), passphrase, kernel, clock: systemClock };
  // The next release may make a backup too, before an upgrade.
  const { manifest, archive } = await withDeployment(
    options,
    async (deployment) => {
      const { folder } = deployment;
      const database = requireEmbedded(deployment, "this backup");
      const manifest = await makeBackup({ folder, database }, made);
      // After the copy, so that none of its files is left out of what is told.
      return { manifest, archive: await database.read((reader) => belongingFiles(reader, folder.archivePath)) };
    },
    { orOlder: true },
  );
  const { events, streams, last_event, created_at } = manifest;
  show(options, { backup: made.to, ...manifest, ...(archive === null ? {} : { archive }) }, [
    `${made.to} holds ${events} events in ${streams} streams, as of ${created_at}.`,
    `  last event   ${last_event === null ? "none" : `${last_event.stream_event_id}, ${last_event.received_at}`}`,
    passphrase === null
      ? "  keys         none: keep copies of signing-key.pem, witness-key.pem, pepper and key-endorsements.json elsewhere"
      : "  keys         sealed: without the passphrase nobody opens them, you neither",
    ...(archive === null
      ? []
      : [
          `  archive      not in it: ${archive.files} files with ${archive.bytes} bytes in ${archive.folder} belong to it; copy that folder too, now`,
        ]),
    ...(archive === null || archive.missing === 0
      ? []
      : [`  warning      ${archive.missing} of the archive's files are not there: run fsck`]),
    "It holds every payload that was not erased by then. Try it: docs/operations.md has the drill.",
  ]);
}

/** Returns the command `restore`. */
export function restoreCommand(): Command {
  return new Command("restore")
    .description("make a data folder from a backup, and verify all of it; the folder must be empty")
    .requiredOption("--from <folder>", "the backup")
    .option("--keys <folder>", "a folder with the private files (default: those that are sealed in the backup)")
    .option(PASSPHRASE_OPTION, PASSPHRASE_HELP)
    .option(
      "--progress <file>",
      "progress.json of the folder that this one stands in for: it shows whether anything is missing",
    )
    .option("--data <folder>", "the data folder to make (default: $SVC_DATA or ./svc-data)")
    .option("--json", JSON_HELP)
    .action(restore);
}

async function restore(options: RestoreOptions): Promise<void> {
  const config = readConfig(process.env, options);
  const line = progressLine();
  const { manifest, loss, archive } = await restoreBackup({
    from: resolve(options.from),
    dataFolder: config.dataFolder,
    keysFolder: options.keys === undefined ? null : resolve(options.keys),
    passphrase: options.keys === undefined ? readPassphrase(options.passphraseFile) : null,
    progressFile: options.progress === undefined ? null : resolve(options.progress),
    archiveFolder: config.archiveFolder,
    keySettings: config.keySettings,
    kernel,
    clock: systemClock,
    onStep: (words) => line.say(words),
  }).finally(() => line.end());
  const { created_at, events, streams } = manifest;
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
    `${config.dataFolder} holds ${events} events in ${streams} streams as of ${created_at}; fsck found nothing wrong.`,
    `Payloads that were erased after ${created_at} are back: erase them again before anybody reads them.`,
    ...(archive === null ? [] : [archiveInWords(archive)]),
    ...(loss === null ? [] : [loss.words]),
    loss === null
      ? `Nothing is missing. Next: ${invocation()} start --data ${data}`
      : `If it is lost for good: ${invocation()} accept-loss --data ${data}`,
  ]);
}

/** Returns what is here of the archive that a restored database names, and what to do. */
function archiveInWords({ folder, files, missing }: BelongingFiles): string {
  const named = `The database names ${files} files of the archive`;
  return missing === 0
    ? `${named}, and all are in ${folder}: run fsck, which verifies them.`
    : `${named}, and ${missing} of them are not in ${folder}: put the copy of that folder back, or name it in SVC_ARCHIVE, and run fsck. Until then their payloads are refused (archive_unavailable).`;
}
