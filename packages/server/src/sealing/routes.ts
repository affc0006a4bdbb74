/** The routes of sealed evidence: windows, checkpoints and consistency, public one by one, and the lists of a stream. HTTP only. */
import { schemas } from "@svc/core";
import Type from "typebox";
import { ServiceError } from "../errors.ts";
import { numberedPage, PageOf } from "../http/pages.ts";
import { flag, requiredText, text } from "../http/parameters.ts";
import { json, type Route, route } from "../http/route.ts";
import type { Service } from "../open-service.ts";

export function sealingRoutes({ readEvidence, readings }: Service): Route[] {
  return [
    route({
      method: "GET",
      path: "/v2/windows/{windowId}",
      chapter: "evidence",
      summary: "A window.",
      access: "public",
      query: {
        leaves: flag("all event hashes of the window"),
        event: text("the inclusion of one event, named by its sequence number or id"),
      },
      answer: { status: 200, description: "The window.", schema: schemas.Window },
      errors: ["window_not_found", "event_not_in_window"],
      handle: async ({ path: { windowId }, query, asker, used }) => {
        // A window itself is small, whatever it holds.
        if (!query.leaves && query.event === null) return json(await readEvidence.window(windowId, query));
        return { text: await readings.text(asker, "window", { windowId, ...query }, used) };
      },
    }),
    route({
      method: "GET",
      path: "/v2/checkpoints/{checkpointId}",
      chapter: "evidence",
      summary: "A checkpoint, with the frontier from which its root can be recomputed.",
      access: "public",
      answer: { status: 200, description: "The checkpoint.", schema: schemas.Checkpoint },
      errors: ["checkpoint_not_found"],
      handle: async ({ path }) => json(await readEvidence.checkpoint(path.checkpointId)),
    }),
    route({
      method: "GET",
      path: "/v2/checkpoints/{checkpointId}/note",
      chapter: "evidence",
      summary: "A checkpoint as a C2SP signed note, with the cosignatures so far.",
      access: "public",
      answer: { status: 200, description: "The note.", schema: Type.String(), mediaType: "text/plain" },
      errors: ["checkpoint_not_found"],
      handle: async ({ path }) => ({ text: await readEvidence.note(path.checkpointId) }),
    }),
    route({
      method: "GET",
      path: "/v2/anchors/{anchorId}",
      chapter: "evidence",
      summary: "An anchor.",
      description: "This release makes no anchors: the answer is always `anchor_not_found`.",
      access: "public",
      answer: { status: 200, description: "The anchor.", schema: schemas.Anchor },
      errors: ["anchor_not_found"],
      handle: ({ path }) => {
        throw new ServiceError("anchor_not_found", `There is no anchor ${JSON.stringify(path.anchorId)}.`);
      },
    }),
    route({
      method: "GET",
      path: "/v2/ivc/epochs/{ivcEpochId}",
      chapter: "evidence",
      summary: "An epoch of incrementally verifiable computation.",
      description: "This release makes no such epochs: the answer is always `ivc_epoch_not_found`.",
      access: "public",
      answer: { status: 200, description: "The epoch; its form is reserved.", schema: Type.Object({}) },
      errors: ["ivc_epoch_not_found"],
      handle: ({ path }) => {
        throw new ServiceError("ivc_epoch_not_found", `There is no IVC epoch ${JSON.stringify(path.ivcEpochId)}.`);
      },
    }),
    route({
      method: "GET",
      path: "/v2/streams/{streamId}/windows",
      chapter: "streams",
      summary: "The windows of a stream, in order.",
      access: "system",
      query: numberedPage,
      answer: { status: 200, description: "A page of windows.", schema: PageOf(schemas.Window) },
      errors: ["stream_forbidden", "stream_not_found"],
      handle: async ({ principal, path: { streamId }, query: { limit, cursor: after }, asker, used }) => ({
        text: await readings.text(asker, "windows", { principal, streamId, page: { limit, after } }, used),
      }),
    }),
    route({
      method: "GET",
      path: "/v2/streams/{streamId}/checkpoints",
      chapter: "streams",
      summary: "The checkpoints of a stream, in order.",
      access: "system",
      query: numberedPage,
      answer: { status: 200, description: "A page of checkpoints.", schema: PageOf(schemas.Checkpoint) },
      errors: ["stream_forbidden", "stream_not_found"],
      handle: async ({ principal, path: { streamId }, query: { limit, cursor: after }, asker, used }) => ({
        text: await readings.text(asker, "checkpoints", { principal, streamId, page: { limit, after } }, used),
      }),
    }),
    route({
      method: "GET",
      path: "/v2/checkpoints/{checkpointId}/consistency",
      chapter: "evidence",
      summary: "The proof that a checkpoint extends an earlier one.",
      access: "public",
      query: { from: requiredText("the id of the earlier checkpoint") },
      answer: { status: 200, description: "Consistency evidence.", schema: schemas.Consistency },
      errors: ["checkpoint_not_found", "checkpoint_not_earlier"],
      handle: async ({ path: { checkpointId }, query: { from: earlierId }, asker, used }) => ({
        text: await readings.text(asker, "consistency", { checkpointId, earlierId }, used),
      }),
    }),
  ];
}
