/** An opened database that a backup describes, before fsck has looked at it: from a file, or on a server. */
import type { Fault } from "@svc/host/checks";
import type { Database } from "@svc/host/store";
import type { Checked } from "../fsck/check-evidence.ts";
import type { Contents } from "./contents-store.ts";

/** The database, and what differs by its kind. */
export interface RestoredDatabase {
  readonly database: Database;
  readonly contents: Pick<Contents, "streams" | "events" | "last_event">;
  /** The time of its state: it has all that was recorded before. */
  readonly asOf: string;
  /** The source of the contents, in words. */
  readonly name: string;
  /** Yields the faults that fsck finds. */
  readonly faults: (checked: Checked) => AsyncIterable<Fault>;
  /** The advice for a database with faults. */
  readonly advice: string;
  /** Does the last work on a database without faults. `now`: a service time. */
  readonly settle: (now: string) => Promise<void>;
}
