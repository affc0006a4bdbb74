/** The message after each step of anchoring; the metrics listen to it. */
import { topic } from "@svc/host/channel";
import type { AnchorFaultCode } from "../chain/anchor-fault.ts";

/** A step. */
export type AnchorStep =
  | "sent"
  | "sent_again"
  | "replaced"
  | "renumbered"
  | "adopted"
  | "mined"
  | "removed"
  | "restored"
  | "confirmed"
  | "failed";

/** The topic of steps. */
export const anchorStep = topic<AnchorStep>("anchor step");
/** The topic of faults; `internal`: on this side. */
export const anchorFault = topic<AnchorFaultCode | "internal">("anchor fault");
