/**
 * The capabilities of the server's families. They are made once, in open-service.ts, and passed to each family when it
 * is opened; nothing here is global.
 */

import type { Kernel } from "@svc/core";
import type { Administration } from "@svc/host/administration";
import type { Channel } from "@svc/host/channel";
import type { Clock } from "@svc/host/clock";
import type { Family } from "@svc/host/family";
import type { MetricsRegistry } from "@svc/host/metrics";
import type { Parts } from "@svc/host/parts";
import type { Readings } from "@svc/host/reads";
import type { SettingTable, ValuesOf } from "@svc/host/settings";
import type { Database, DatabaseLocation, EmbeddedDatabase } from "@svc/host/store";
import type { ArchivedPayloads } from "./archived/archived-payloads.ts";
import type { CheckContext, DiagnoseContext } from "./check-context.ts";
import type { DataFolder } from "./data-folder/data-folder.ts";
import type { ServerKeyedHash } from "./signing/keyed-hash.ts";
import type { SigningKey } from "./signing/signing-key.ts";
import type { WitnessMemory } from "./witness-memory/witness-memory.ts";

/** The capabilities of a deployment that is open, on the side that answers and on the side that records. */
interface Capabilities {
  readonly kernel: Kernel;
  /** Where other threads can open the database; null for a database in memory. */
  readonly databaseLocation: DatabaseLocation | null;
  /** The same kernel, faster, for issuing only (issuing-kernel.ts). */
  readonly issuing: Kernel;
  readonly clock: Clock;
  /** The deployment's evidence origin; a stream's origin is this, `/` and the stream id. */
  readonly origin: string;
  readonly keyedHash: ServerKeyedHash;
  /** The channel over which families tell each other about events in this process. */
  readonly channel: Channel;
  /** Returns the values of a family's settings. */
  readonly settings: <Table extends SettingTable>(table: Table) => ValuesOf<Table>;
  readonly folder: DataFolder;
  /** Fetches payloads that are in archive files. */
  readonly archived: ArchivedPayloads;
}

/** The capabilities of the side that records: it alone writes the database, and has the private keys. */
export interface Context extends Capabilities {
  readonly database: Database;
  /** The same database, for operations of an embedded one only, such as forgetting; null for one on a server. */
  readonly embedded: EmbeddedDatabase | null;
  /**
   * The key that seals receipts, windows, checkpoints and bundles. Each transaction asks for it, since it can be
   * rotated between two.
   */
  readonly signingKey: SigningKey;
  /** The trees that the service's own witness has signed. */
  readonly witnessMemory: WitnessMemory;
  /** Transactions with changes of the administration, which are recorded in them. */
  readonly administration: Administration;
}

/** The capabilities of the side that answers requests, which can be on another thread. */
export interface AnsweringContext extends Capabilities {
  readonly database: Pick<Database, "read">;
  /** The key that seals now, whose private half is on the other side. */
  readonly signingKey: Pick<SigningKey, "current" | "carried">;
  /** The parts of the other side, which record for the routes. */
  readonly parts: Parts<Context>;
  /** Reads beside the thread that answers requests. */
  readonly readings: Readings<ReadContext>;
  /** The registry of the families' metrics; it is read only in a deployment that serves metrics. */
  readonly metrics: MetricsRegistry;
}

/** The capabilities of reads, which can be on a thread beside both sides. */
export type ReadContext = Pick<Capabilities, "kernel" | "archived"> & {
  readonly database: Pick<Database, "read">;
  readonly signingKey: Pick<SigningKey, "current" | "carried">;
};

/** A family of the server. */
export type ServerFamily = Family<AnsweringContext, Context, CheckContext, DiagnoseContext, ReadContext>;
