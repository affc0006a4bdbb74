/**
 * `svc-server keys rotate-pepper`: secrets and requests are hashed under another pepper from now on. The one before it
 * stays in the data folder as long as anything stored needs it.
 */
import { systemClock } from "@svc/host/clock";
import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { type DataFolder, DataFolderError, openDataFolder, requirePrivateFiles } from "../data-folder/data-folder.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { locationOfDatabase, openDatabaseAt } from "../deployment/database.ts";
import { takeExclusiveLock } from "../moving/exclusive-lock.ts";
import { rotatePepper, settlePepper } from "../pepper/rotate.ts";
import { neededUntil, type PepperWaits, waitsForPepper, waitsInWords } from "../pepper/waits.ts";
import type { Program } from "../program/program.ts";
import { readConfig } from "../settings/config.ts";
import { type Deployment, type DeploymentOptions, show, withDeployment } from "./deployment.ts";

interface Options extends DeploymentOptions {
  readonly finish?: true;
  readonly revokeUnused?: true;
}

/** Returns the command `keys rotate-pepper`. */
export function rotatePepperCommand(program: Program): Command {
  return new Command("rotate-pepper")
    .description(
      "hash secrets and requests under another pepper from now on; only while no server runs. The one before it " +
        "stays as long as anything needs it",
    )
    .option("--finish", "delete the pepper of before, or say what still needs it; a start does the same by itself")
    .option("--revoke-unused", "with --finish: revoke the keys that were not used since the rotation")
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", "print one JSON object instead of text")
    .action((options: Options) => rotate(program, options));
}

async function rotate(program: Program, options: Options): Promise<void> {
  if (options.revokeUnused && !options.finish)
    throw new UsageError(["--revoke-unused goes with --finish: a rotation revokes no key."]);
  const config = readConfig(program, process.env, options);
  const folder = openDataFolder(config.dataFolder, config);
  requirePrivateFiles(folder.path);
  const unlock = lockFolder(folder.path);
  try {
    await withDeployment(program, options, (deployment) => finish(options, deployment));
    if (options.finish) return;
    await change(program, folder, config);
    await withDeployment(program, options, (deployment) => tell(options, deployment));
  } finally {
    unlock();
  }
}

/** Deletes the earlier pepper, and says so if that was asked for. Rejects with DataFolderError while it is needed. */
async function finish(options: Options, { config, database, folder, keyedHash }: Deployment): Promise<void> {
  const { waits, revoked } = await settlePepper(
    { database, clock: systemClock, folder, keyedHash },
    { revokeUnused: options.revokeUnused === true },
  );
  if (waits === null) {
    if (options.finish)
      show(options, { finished: true, revoked }, [
        ...(revoked.length === 0 ? [] : [`Revoked: ${revoked.join(", ")}.`]),
        "There is one pepper, and nothing is under another one.",
      ]);
    return;
  }
  const advice = waits.keys.length === 0 ? "" : " keys rotate-pepper --finish --revoke-unused revokes these keys.";
  throw new DataFolderError(
    `The pepper was rotated at ${waits.rotated_at}, and the one before it is still needed by ` +
      `${waitsInWords(waits, config)}.${advice}`,
  );
}

/** Rotates, on a new connection: it must be the only one. */
async function change(program: Program, folder: DataFolder, config: Deployment["config"]): Promise<void> {
  const place = locationOfDatabase(folder, config);
  const { database } = await openDatabaseAt(place);
  try {
    await rotatePepper({ database, clock: systemClock, folder }, async (writer) => {
      // The folder's lock keeps servers off a file.
      if ("url" in place) await takeExclusiveLock(writer, program, systemClock);
    });
  } finally {
    await database.close();
  }
}

/** Prints what waits after the rotation. */
async function tell(options: Options, { config, database, folder, keyedHash, now }: Deployment): Promise<void> {
  const waits = (await database.read((reader) => waitsForPepper(reader, keyedHash, now))) as PepperWaits;
  const { rotated_at, keys } = waits;
  const needed_until = neededUntil(waits, config);
  show(options, { rotated_at, keys: keys.map(({ credential_id }) => credential_id), needed_until }, [
    `Secrets and requests are hashed under another pepper from ${rotated_at} on: pepper.next in ${folder.path}; ` +
      `copy it now, with pepper.`,
    `The one before it, pepper, is still needed by ${waitsInWords(waits, config)}.`,
    "Each key works as before, and is hashed anew when it is used. A start that finds nothing left deletes the " +
      "pepper of before.",
  ]);
}
