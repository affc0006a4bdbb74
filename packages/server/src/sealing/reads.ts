/** The reads of sealed evidence that the reading thread does: windows with leaves, lists, and consistency. */
import type { PageRequest } from "@svc/api";
import type { Principal } from "@svc/host/principal";
import type { Read } from "@svc/host/reads";
import type { ReadContext } from "../context.ts";
import { ReadEvidence } from "./read-evidence.ts";

/** A page of a stream's list, which goes on behind a number. */
interface ListAsked {
  readonly principal: Principal;
  readonly streamId: string;
  readonly page: PageRequest<number>;
}

/** A window, with its leaves or with the proof of an event. */
export const windowRead: Read<
  ReadContext,
  { readonly windowId: string; readonly leaves: boolean; readonly event: string | null },
  string
> = {
  name: "window",
  run: async (context, { windowId, ...query }) =>
    JSON.stringify(await new ReadEvidence(context).window(windowId, query)),
};

/** The proof that a checkpoint extends an earlier one. */
export const consistencyRead: Read<ReadContext, { readonly checkpointId: string; readonly earlierId: string }, string> =
  {
    name: "consistency",
    run: async (context, { checkpointId, earlierId }) =>
      JSON.stringify(await new ReadEvidence(context).consistency(checkpointId, earlierId)),
  };

/** The windows of a stream. */
export const windowsRead: Read<ReadContext, ListAsked, string> = {
  name: "windows",
  run: async (context, { principal, streamId, page }) =>
    JSON.stringify(await new ReadEvidence(context).windows(principal, streamId, page)),
};

/** The checkpoints of a stream. */
export const checkpointsRead: Read<ReadContext, ListAsked, string> = {
  name: "checkpoints",
  run: async (context, { principal, streamId, page }) =>
    JSON.stringify(await new ReadEvidence(context).checkpoints(principal, streamId, page)),
};
