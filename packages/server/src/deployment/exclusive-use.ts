/**
 * Whether anybody else uses a database on a server: what must not be done under a server that is running asks first. A
 * server that starts behind the question is NOT seen.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Reader } from "@svc/host/store";
import { DataFolderError } from "../data-folder/data-folder.ts";
import { otherConnections } from "./connections-store.ts";

/** How long servers and commands that have just ended may still seem to be there. */
const ENDED_MS = 6_000;
const LOOK_MS = 250;
/**
 * Rejects with DataFolderError if others are connected, or hold a job, and stay. `reader`: on the caller's only
 * connection. `held` resolves to the name of a job that somebody holds; null if nobody does.
 */
export async function requireNobody(
  reader: Reader,
  held: () => Promise<string | null> = async () => null,
): Promise<void> {
  for (const until = performance.now() + ENDED_MS; ; ) {
    const [other] = await otherConnections(reader);
    const job = await held();
    if (other === undefined && job === null) return;
    if (performance.now() > until)
      throw new DataFolderError(
        other === undefined
          ? `A server that has not ended works on this database: it holds the job ${job}. Stop every svc-server on ` +
              `it, and run this again.`
          : `Another svc-server is connected to this database, process ${other.pid} ` +
              `there${other.client === null ? "" : ` from ${other.client}`}. Stop every svc-server on it, and run ` +
              `this again; a pooler may keep the connections of one that has ended.`,
      );
    await pause(LOOK_MS);
  }
}
