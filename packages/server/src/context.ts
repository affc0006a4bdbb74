/**
 * What the families of the server stand on. Made once, in open-service.ts, and handed to each family as it is opened;
 * nothing here is global.
 */
import type { Kernel } from "@svc/core";
import type { Channel } from "@svc/host/channel";
import type { Clock } from "@svc/host/clock";
import type { Family } from "@svc/host/family";
import type { MetricsRegistry } from "@svc/host/metrics";
import type { SettingTable, ValuesOf } from "@svc/host/settings";
import type { Database, EmbeddedDatabase } from "@svc/host/store";
import type { CheckContext, DiagnoseContext } from "./check-context.ts";
import type { DataFolder } from "./data-folder/data-folder.ts";
import type { ServerKeyedHash } from "./keys/keyed-hash.ts";
import type { SigningKey } from "./keys/signing-key.ts";
import type { Readings } from "./reading/readings.ts";

export interface Context {
  readonly database: Database;
  /** The same, for what only an embedded database needs: forgetting, and the figures of its file. */
  readonly embedded: EmbeddedDatabase;
  readonly kernel: Kernel;
  /** The same, quicker, for what is issued (issuing-kernel.ts). */
  readonly issuing: Kernel;
  readonly clock: Clock;
  /** The deployment's evidence origin; a stream's is that, `/` and the stream id. */
  readonly origin: string;
  /** The key that seals receipts, windows, checkpoints and bundles: asked for in each transaction, since it can be rotated between two. */
  readonly signingKey: SigningKey;
  readonly keyedHash: ServerKeyedHash;
  /** Over which families tell each other what has happened in this process. */
  readonly channel: Channel;
  /** The values of a family's settings. */
  readonly settings: <Table extends SettingTable>(table: Table) => ValuesOf<Table>;
  readonly folder: DataFolder;
  /** Reads beside the thread that answers requests. */
  readonly readings: Readings;
  /** Where families count; empty in a deployment that serves no metrics. */
  readonly metrics: MetricsRegistry;
}

export type ServerFamily = Family<Context, CheckContext, DiagnoseContext>;
