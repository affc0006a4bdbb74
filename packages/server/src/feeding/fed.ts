/** The message after each try to have a note cosigned by an outside witness. */
import { topic } from "@svc/host/channel";
import type { FeedFaultCode } from "./feed-fault.ts";

/** A try. */
export interface Fed {
  /** The name of the witness. */
  readonly witness: string;
  /** `internal`: a fault on this side. */
  readonly outcome: "cosigned" | "internal" | FeedFaultCode;
  readonly seconds: number;
}

/** The topic of tries. */
export const fed = topic<Fed>("fed");
