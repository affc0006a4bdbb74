/** The reads of evidence to take away that the reading thread does: portable receipts, tlog proofs, and packs. */
import type { PieceRead, Read } from "@svc/host/reads";
import type { ReadContext } from "../context.ts";
import type { MissingEvidence } from "./missing-evidence.ts";
import { PortableReceipts } from "./portable-receipt.ts";
import {
  type ChosenPack,
  checkArchived,
  choosePack,
  type PackAsked,
  type PackChosen,
  writePack,
} from "./write-pack.ts";

/** An event of a tenant. */
interface EventAsked {
  readonly tenantId: string;
  readonly eventId: string;
}

/** The portable receipt of an event, with the evidence that there is now. */
export const portableReceiptRead: Read<ReadContext, EventAsked, string> = {
  name: "portable receipt",
  run: (context, { tenantId, eventId }) => new PortableReceipts(context).ofNow(tenantId, eventId),
};

/** The same with all evidence, or what is missing. */
export const wholeReceiptRead: Read<ReadContext, EventAsked, string | MissingEvidence> = {
  name: "whole receipt",
  run: (context, { tenantId, eventId }) => new PortableReceipts(context).whole(tenantId, eventId),
};

/** The tlog proof of an event, or what is missing. */
export const tlogProofRead: Read<ReadContext, EventAsked, string | MissingEvidence> = {
  name: "tlog proof",
  run: (context, { tenantId, eventId }) => new PortableReceipts(context).tlogProof(tenantId, eventId),
};

/** The choice for a pack. */
export const packChoiceRead: Read<ReadContext, PackAsked, PackChosen | MissingEvidence> = {
  name: "choice of a pack",
  run: choosePack,
};

/** The number of a pack's payloads that are in the archive, which can be read. */
export const packArchivedRead: Read<ReadContext, Pick<PackAsked, "tenantId" | "streamId" | "range">, number> = {
  name: "archived payloads of a pack",
  run: checkArchived,
};

/** The text of a pack. */
export const packRead: PieceRead<ReadContext, ChosenPack> = {
  name: "pack",
  pieces: (context, chosen) => writePack(context, chosen),
};
