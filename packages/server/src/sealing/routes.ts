/** The routes of sealed evidence: windows, checkpoints and consistency, and the lists of a stream. HTTP only. */
import { sealing as contracts } from "@svc/api";
import { ServiceError } from "@svc/host/errors";
import { bind, json, type Route } from "@svc/host/http";
import type { Readings } from "@svc/host/reads";
import type { ReadContext } from "../context.ts";
import type { ProofStateContext, ReadEvidence } from "./read-evidence.ts";
import { checkpointsRead, consistencyRead, windowRead, windowsRead } from "./reads.ts";

/** Returns the routes of sealed evidence. */
export function sealingRoutes(
  readEvidence: ReadEvidence,
  readings: Readings<ReadContext>,
  stateContext: () => ProofStateContext,
): Route[] {
  return [
    bind(contracts.window, async ({ path: { windowId }, query, asker, used }) => {
      // A window without leaves is small, however many events it covers.
      if (!query.leaves && query.event === null) return json(await readEvidence.window(windowId, query));
      return { text: await readings.read(asker, windowRead, { windowId, ...query }, used) };
    }),
    bind(contracts.checkpoint, async ({ path }) => json(await readEvidence.checkpoint(path.checkpointId))),
    bind(contracts.note, async ({ path }) => ({ text: await readEvidence.note(path.checkpointId) })),
    bind(contracts.tlogPolicy, async ({ path }) => ({ text: await readEvidence.tlogPolicy(path.checkpointId) })),
    bind(contracts.epoch, ({ path }) => {
      throw new ServiceError("ivc_epoch_not_found", `There is no IVC epoch ${JSON.stringify(path.ivcEpochId)}.`);
    }),
    bind(contracts.proofState, async ({ principal, path }) =>
      json(await readEvidence.proofState(principal, path.streamId, stateContext())),
    ),
    bind(
      contracts.windows,
      async ({ principal, path: { streamId }, query: { limit, cursor: after }, asker, used }) => ({
        text: await readings.read(asker, windowsRead, { principal, streamId, page: { limit, after } }, used),
      }),
    ),
    bind(
      contracts.checkpoints,
      async ({ principal, path: { streamId }, query: { limit, cursor: after }, asker, used }) => ({
        text: await readings.read(asker, checkpointsRead, { principal, streamId, page: { limit, after } }, used),
      }),
    ),
    bind(contracts.consistency, async ({ path: { checkpointId }, query: { from: earlierId }, asker, used }) => ({
      text: await readings.read(asker, consistencyRead, { checkpointId, earlierId }, used),
    })),
  ];
}
