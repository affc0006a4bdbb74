/**
 * What every capability of the server stands on. Made once, in open-service.ts, and handed to constructors; nothing here is global.
 */
import type { Kernel } from "@svc/core";
import type { Clock } from "@svc/host/clock";
import type { Database } from "@svc/host/store";
import type { ServerKeyedHash } from "./keys/keyed-hash.ts";
import type { SigningKey } from "./keys/signing-key.ts";

export interface Foundation {
  readonly database: Database;
  readonly kernel: Kernel;
  /** The same, quicker, for what is issued (issuing-kernel.ts). */
  readonly issuing: Kernel;
  readonly clock: Clock;
  /** The deployment's evidence origin; a stream's is that, `/` and the stream id. */
  readonly origin: string;
  /** The key that seals receipts, windows, checkpoints and bundles: asked for in each transaction, since it can be rotated between two. */
  readonly signingKey: SigningKey;
  readonly keyedHash: ServerKeyedHash;
}
