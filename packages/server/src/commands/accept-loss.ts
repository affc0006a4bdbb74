/**
 * `svc-server accept-loss`: lets the server continue after events were lost for good, without ever giving one of their
 * numbers to another event.
 */

import { UsageError } from "@svc/host/settings";
import { Command } from "commander";
import { lossAccepted } from "../administration/events.ts";
import { lockFolder } from "../data-folder/folder-lock.ts";
import { forgetMark } from "../high-water-mark/mark-file.ts";
import { closeAllStreams, openStreams } from "../high-water-mark/mark-store.ts";
import { lossOfEither, secondPaths } from "../high-water-mark/second-file.ts";
import { lossAgainstWitness } from "../high-water-mark/witness-loss.ts";
import { kernel } from "../kernel.ts";
import type { Program } from "../program/program.ts";
import { closeServiceLog } from "../service-log/log-store.ts";
import { recordAccess } from "../tenancy/access-log-store.ts";
import { recordBeside } from "../tenancy/administration.ts";
import { WitnessMemory } from "../witness-memory/witness-memory.ts";
import { type Deployment, type DeploymentOptions, operatorOf, show, withDeployment } from "./deployment.ts";

/** Returns the command `accept-loss`. */
export function acceptLossCommand(program: Program): Command {
  return new Command("accept-loss")
    .description(
      "close all streams of a database that has lost events, so that the server starts and evidence goes on in " +
        "new ones",
    )
    .option("--data <folder>", "the data folder (default: $SVC_DATA or ./svc-data)")
    .option("--json", "print one JSON object instead of text")
    .action((options: DeploymentOptions) =>
      withDeployment(program, options, (deployment) => acceptLoss(options, deployment), { orOfBefore: true }),
    );
}

async function acceptLoss(options: DeploymentOptions, { config, database, folder, now }: Deployment): Promise<void> {
  const closing: (() => void | Promise<void>)[] = [lockFolder(folder.path)];
  try {
    const places = { first: folder.markPath, configured: config.progressFile };
    const memory = await WitnessMemory.open(folder.witnessMemoryPath);
    closing.push(() => memory.close());
    const loss = (await lossOfEither(places, database)) ?? (await lossAgainstWitness(kernel, memory, database));
    if (loss === null)
      throw new UsageError([`The last event that this server gave a receipt for is in the database: nothing is lost.`]);
    const tenants = await database.write(async (writer) => {
      const open = await openStreams(writer);
      await closeAllStreams(writer, now);
      // An epoch may be lost too, and no number of the service log is given out twice either.
      await closeServiceLog(writer, now);
      for (const { tenant_id, streams } of open) {
        const actor = operatorOf(tenant_id);
        await recordAccess(writer, actor, "service.loss_noticed", tenant_id, { ...loss.detail }, now);
        const change = { type: lossAccepted, objectId: tenant_id, before: null, after: { closed_streams: streams } };
        await recordBeside(writer)(actor, change, now);
      }
      return open;
    });
    await memory.giveUp(now);
    // The folder's own file goes last, because it names the other one.
    for (const path of await secondPaths(places)) await forgetMark(path);
    await forgetMark(folder.markPath);
    const closed = tenants.reduce((sum, { streams }) => sum + streams, 0);
    show(options, { ...loss.detail, closed_streams: closed, closed_at: now }, [
      `${closed} streams are closed: they stay readable, and what was sealed stays verifiable.`,
      "Make new streams with POST /v2/streams. Receipts of the lost events still verify by themselves; ask their " +
        "holders for copies.",
      "No further epoch of the service log is made; those that were published stay verifiable.",
      "Payloads that were erased after the time of this database are back in it: erase them again.",
    ]);
  } finally {
    for (const close of closing.reverse()) await close();
  }
}
