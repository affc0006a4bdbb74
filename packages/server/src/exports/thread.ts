/**
 * The program of the thread that makes one package: its own reading connections to the database, no private key, and a
 * heap with a limit, which ends with it.
 */
import { openReaders } from "@svc/host/store";
import { serveTasks, toThrown, yieldToOthers } from "@svc/host/threads";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import { kernel } from "../kernel.ts";
import { evidenceKernel } from "../packs/evidence-kernel.ts";
import type { ChosenBundle } from "./exports-store.ts";
import { makePackage } from "./make-package.ts";
import type { MakingAnswer, MakingReply, MakingStep, MakingTask } from "./making-messages.ts";
import { PackageFiles } from "./package-files.ts";
import { pulseOf } from "./package-maker.ts";

/**
 * The processor time after which the thread lets others go first. A small package must not wait for ever on a busy
 * machine, and disturbs nobody for long.
 */
const OWN_MS = 2000;

/** Returns a function that lets others go first once the thread has used its own time. */
function yieldLater(): () => void {
  let yields = false;
  return () => {
    if (yields) return;
    const { user, system } = process.threadCpuUsage();
    if ((user + system) / 1000 < OWN_MS) return;
    yields = true;
    yieldToOthers();
  };
}

async function make(
  { databaseLocation, folder, archivePath, order }: MakingTask,
  ask: (step: MakingStep) => Promise<MakingReply>,
) {
  const database = openReaders(databaseLocation, { rowByRow: true });
  const archived = new ArchivedPayloads(archivePath);
  const needs = { database, archived, kernel: evidenceKernel(kernel), files: new PackageFiles(folder) };
  const check = pulseOf(async () => {
    await ask({ check: true });
  });
  const yieldOnce = yieldLater();
  try {
    const made = await makePackage(needs, order, {
      keep: async (streamId, evidence) => (await ask({ keep: { streamId, evidence } })) as ChosenBundle,
      sign: async (message) => (await ask({ sign: message })) as Uint8Array,
      pulse: async () => {
        yieldOnce();
        await check();
      },
    });
    return { made };
  } catch (error) {
    return { thrown: toThrown(error) };
  } finally {
    database.close();
  }
}

serveTasks<MakingTask, MakingAnswer, MakingStep, MakingReply>(make, { yields: false });
