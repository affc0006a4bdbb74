/**
 * The program of the thread that makes one archive file: its own reading connections to the database, no private key,
 * and a heap with a limit, which ends with it.
 */
import { openReaders } from "@svc/host/store";
import { serveTasks, toThrown } from "@svc/host/threads";
import { ArchivedPayloads } from "../archived/archived-payloads.ts";
import { kernel } from "../kernel.ts";
import { remoteSigningKey } from "../signing/remote-signing-key.ts";
import type { ArchiveAnswer, ArchiveAsked, ArchiveReply, ArchiveTask } from "./archive-maker.ts";
import { makeArchive } from "./make-archive.ts";

async function make(
  { databaseLocation, folder, order }: ArchiveTask,
  ask: (asked: ArchiveAsked) => Promise<ArchiveReply>,
): Promise<ArchiveAnswer> {
  const database = openReaders(databaseLocation, { rowByRow: true });
  const signingKey = remoteSigningKey(kernel, async (message, kid) => {
    const reply = await ask({ message, kid });
    if ("refused" in reply) throw new Error(reply.refused);
    return reply.signature;
  });
  try {
    return { made: await makeArchive({ database, kernel, signingKey, archived: new ArchivedPayloads(folder) }, order) };
  } catch (error) {
    return { thrown: toThrown(error) };
  } finally {
    database.close();
  }
}

serveTasks<ArchiveTask, ArchiveAnswer, ArchiveAsked, ArchiveReply>(make);
