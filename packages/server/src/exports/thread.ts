/**
 * The program of the thread that makes one package: its own reading connections to the database, no private key, and a
 * heap with a limit, which ends with it.
 */
import { SqliteReaders } from "@svc/host/store";
import { serveTasks, toThrown } from "@svc/host/threads";
import { kernel } from "../kernel.ts";
import { evidenceKernel } from "../packs/evidence-kernel.ts";
import type { ChosenBundle } from "./exports-store.ts";
import { makePackage } from "./make-package.ts";
import type { MakingAnswer, MakingReply, MakingStep, MakingTask } from "./making-messages.ts";
import { PackageFiles } from "./package-files.ts";
import { pulseOf } from "./package-maker.ts";

serveTasks<MakingTask, MakingAnswer, MakingStep, MakingReply>(async ({ databaseFile, folder, order }, ask) => {
  const database = new SqliteReaders(databaseFile, { rowByRow: true });
  const needs = { database, kernel: evidenceKernel(kernel), files: new PackageFiles(folder) };
  try {
    const made = await makePackage(needs, order, {
      keep: async (streamId, evidence) => (await ask({ keep: { streamId, evidence } })) as ChosenBundle,
      sign: async (message) => (await ask({ sign: message })) as Uint8Array,
      pulse: pulseOf(async () => {
        await ask({ check: true });
      }),
    });
    return { made };
  } catch (error) {
    return { thrown: toThrown(error) };
  } finally {
    database.close();
  }
});
