/**
 * The reads beside the answering thread: evidence that may take longer than a few milliseconds to read or assemble.
 * Each read has a name and plain arguments, so that another thread can do it. The caller must have checked the
 * permission before.
 */
import type { PageRequest } from "@svc/api";
import type { Principal } from "@svc/host/principal";
import type { Database } from "@svc/host/store";
import type { Context } from "../context.ts";
import type { SigningKey } from "../keys/signing-key.ts";
import type { MissingEvidence } from "../packs/missing-evidence.ts";
import { PortableReceipts } from "../packs/portable-receipt.ts";
import {
  type ChosenPack,
  checkArchived,
  choosePack,
  type PackAsked,
  type PackChosen,
  writePack,
} from "../packs/write-pack.ts";
import { ReadEvidence } from "../sealing/read-evidence.ts";

/** The capabilities that reads need. */
export type ReadContext = Pick<Context, "kernel" | "archived"> & {
  readonly database: Pick<Database, "read">;
  readonly signingKey: Pick<SigningKey, "current" | "carried">;
};

/** The arguments of the reads with one result, by name. */
export interface ReadArguments {
  readonly window: { readonly windowId: string; readonly leaves: boolean; readonly event: string | null };
  readonly consistency: { readonly checkpointId: string; readonly earlierId: string };
  readonly windows: { readonly principal: Principal; readonly streamId: string; readonly page: PageRequest<number> };
  readonly checkpoints: {
    readonly principal: Principal;
    readonly streamId: string;
    readonly page: PageRequest<number>;
  };
  readonly portableReceipt: { readonly tenantId: string; readonly eventId: string };
  readonly wholeReceipt: { readonly tenantId: string; readonly eventId: string };
  readonly tlogProof: { readonly tenantId: string; readonly eventId: string };
  readonly packChoice: PackAsked;
  readonly packArchived: Pick<PackAsked, "tenantId" | "streamId" | "range">;
}

/** Their results: JSON text, or plain values, which cross between threads unchanged. */
export interface ReadResults {
  readonly window: string;
  readonly consistency: string;
  readonly windows: string;
  readonly checkpoints: string;
  readonly portableReceipt: string;
  readonly wholeReceipt: string | MissingEvidence;
  readonly tlogProof: string | MissingEvidence;
  readonly packChoice: PackChosen | MissingEvidence;
  readonly packArchived: number;
}

/** The arguments of the reads that yield text in pieces, by name. */
export interface PieceReads {
  readonly pack: ChosenPack;
}

/** The reads with one result, by name. Each rejects with ServiceError. */
export const READS: {
  readonly [Name in keyof ReadArguments]: (
    context: ReadContext,
    args: ReadArguments[Name],
  ) => Promise<ReadResults[Name]>;
} = {
  window: async (context, { windowId, ...query }) =>
    JSON.stringify(await new ReadEvidence(context).window(windowId, query)),
  consistency: async (context, { checkpointId, earlierId }) =>
    JSON.stringify(await new ReadEvidence(context).consistency(checkpointId, earlierId)),
  windows: async (context, { principal, streamId, page }) =>
    JSON.stringify(await new ReadEvidence(context).windows(principal, streamId, page)),
  checkpoints: async (context, { principal, streamId, page }) =>
    JSON.stringify(await new ReadEvidence(context).checkpoints(principal, streamId, page)),
  portableReceipt: (context, { tenantId, eventId }) => new PortableReceipts(context).ofNow(tenantId, eventId),
  wholeReceipt: (context, { tenantId, eventId }) => new PortableReceipts(context).whole(tenantId, eventId),
  tlogProof: (context, { tenantId, eventId }) => new PortableReceipts(context).tlogProof(tenantId, eventId),
  packChoice: choosePack,
  packArchived: checkArchived,
};

/** The reads that yield the pieces of a text, by name. Each throws ServiceError. */
export const PIECE_READS: {
  readonly [Name in keyof PieceReads]: (context: ReadContext, args: PieceReads[Name]) => AsyncIterable<Uint8Array>;
} = {
  pack: (context, chosen) => writePack(context, chosen),
};
