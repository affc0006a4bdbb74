/** The description of a database on a server by which a copy of it is recognised: its content, and where its log is. */
import { type Database, StoreUnavailable } from "@svc/host/store";
import { findEventHash, newestEvent } from "../high-water-mark/mark-store.ts";
import { type Contents, contentsOf } from "./contents-store.ts";
import type { ServerManifest } from "./manifest.ts";
import { serverFigures } from "./server-figures-store.ts";

/** The content of a database on a server, with the hash of its last event. */
export interface ServerContents extends Omit<Contents, "last_event"> {
  /** The event that was recorded last, or null. */
  readonly last_event: Awaited<ReturnType<typeof newestEvent>>;
}

/** Resolves to the content, all from one snapshot. */
export function serverContents(database: Pick<Database, "read">): Promise<ServerContents> {
  return database.read(async (reader) => ({ ...(await contentsOf(reader)), last_event: await newestEvent(reader) }));
}

/**
 * Resolves to the description. Rejects with StoreUnavailable if another server took over meanwhile, without the last
 * event: the position of its log would say nothing.
 */
export async function describeServer(
  database: Pick<Database, "read">,
): Promise<ServerContents & Pick<ServerManifest, "postgresql">> {
  const contents = await serverContents(database);
  const { last_event: last } = contents;
  const postgresql = await serverFigures(database, async (reader) => {
    if (last === null || (await findEventHash(reader, last.stream_event_id)) === last.event_hash) return;
    throw new StoreUnavailable("Another database took over during the backup, and lacks an event. Run it again.");
  });
  return { ...contents, postgresql };
}
