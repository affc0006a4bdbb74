/**
 * `svc-server keys rotate-signing`: another key seals from now on, endorsed by the one before it, also while the server
 * runs.
 */

import { systemClock } from "@svc/host/clock";
import { Command } from "commander";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { requireOwnWitness } from "../deployment/own-database.ts";
import { kernel } from "../kernel.ts";
import { rotateSigningKey } from "../keys/rotate.ts";
import type { Program } from "../program/program.ts";
import { openKeySource } from "../signing/key-source.ts";
import { serviceRow } from "../signing/service-store.ts";
import { witnessKeys } from "../signing/witness-keys.ts";
import { type Deployment, type DeploymentOptions, show, withDeployment } from "./deployment.ts";

/** Returns the command `keys rotate-signing`. */
export function rotateSigningCommand(program: Program): Command {
  return new Command("rotate-signing")
    .description("seal with another key from now on, endorsed by the one before it; also while the server runs")
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", "print one JSON object instead of text")
    .action((options: DeploymentOptions) =>
      withDeployment(program, options, (deployment) => rotate(options, deployment)),
    );
}

async function rotate(options: DeploymentOptions, { config, folder, database }: Deployment): Promise<void> {
  const source = openKeySource(config.keySettings, kernel, folder.path);
  // A server that cannot find the new key could seal nothing more, so it must not be running.
  const unlock = source.isLive ? () => undefined : lockFolder(folder.path);
  try {
    const context = { database, kernel, clock: systemClock, source, dataFolder: folder.path };
    const { endorsement, ...rotated } = await rotateSigningKey(context, async (successor, reader) => {
      const { evidence_origin } = (await serviceRow(reader)) ?? { evidence_origin: "" };
      await requireOwnWitness(reader, { evidence_origin }, successor, witnessKeys(kernel, folder.path));
    });
    show(options, { ...rotated, endorsement }, [
      `${rotated.kid} seals from ${rotated.valid_from} on; ${rotated.replaces} seals nothing more.`,
      `  public key  ${rotated.public_key_hex}`,
      ...(config.keySettings.kind === "file"
        ? [`  private key ${source.place}; the old one is gone, so copy this one now`]
        : []),
      ...(source.isLive ? [] : ["Next: put the new key into SVC_SIGNING_KEY, clear SVC_NEXT_SIGNING_KEY, and start."]),
      "Who pins the old key follows the endorsement, which packs and GET /v2/keys carry. Tell them the new " +
        "fingerprint all the same,",
      "and give it to outside witnesses: they know this service by its key.",
    ]);
  } finally {
    unlock();
    source.close();
  }
}
