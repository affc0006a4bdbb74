/** The routes of the service log: one log of all checkpoints of a deployment, in published epochs. */
import { schemas } from "@svc/core";
import Type from "typebox";
import { contract } from "../contract.ts";
import { numberedPage, PageOf } from "../pages.ts";
import { requiredText, text } from "../parameters.ts";

export const anchors = contract({
  method: "GET",
  path: "/v2/anchors",
  chapter: "evidence",
  summary: "The published epochs of the service log, in order.",
  description: "Evidence of a chain is not among them: `GET /v2/anchors/{anchorId}` has it.",
  access: "public",
  query: numberedPage,
  answer: { status: 200, description: "A page of anchors, without members.", schema: PageOf(schemas.Anchor) },
  errors: [],
});

export const anchor = contract({
  method: "GET",
  path: "/v2/anchors/{anchorId}",
  chapter: "evidence",
  summary: "A published epoch of the service log, with the inclusion of a checkpoint and the evidence of a chain.",
  description:
    "`latest` is the newest epoch, `latest-anchored` the newest one that is final in a chain. Evidence is there " +
    "as soon as it is final, and is sealed then.",
  access: "public",
  query: { checkpoint: text("the id of the checkpoint whose place and path it is to show") },
  answer: { status: 200, description: "The anchor.", schema: schemas.Anchor },
  errors: ["anchor_not_found", "checkpoint_not_in_epoch"],
});

export const anchorNote = contract({
  method: "GET",
  path: "/v2/anchors/{anchorId}/note",
  chapter: "evidence",
  summary: "An epoch of the service log as a C2SP signed note.",
  access: "public",
  answer: { status: 200, description: "The note.", schema: Type.String(), mediaType: "text/plain" },
  errors: ["anchor_not_found"],
});

export const anchorConsistency = contract({
  method: "GET",
  path: "/v2/anchors/{anchorId}/consistency",
  chapter: "evidence",
  summary: "The proof that an epoch of the service log extends an earlier one.",
  access: "public",
  query: { from: requiredText("the id of the earlier anchor") },
  answer: { status: 200, description: "Consistency evidence.", schema: schemas.AnchorConsistency },
  errors: ["anchor_not_found", "anchor_not_earlier"],
});
