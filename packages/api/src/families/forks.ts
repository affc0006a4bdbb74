/** The route of fork evidence. */
import { schemas } from "@svc/core";
import { contract } from "../contract.ts";
import { numberedPage, PageOf } from "../pages.ts";

export const list = contract({
  method: "GET",
  path: "/v2/streams/{streamId}/forks",
  chapter: "streams",
  summary: "Evidence that this service has signed two histories of a stream, in the order in which it was found.",
  description:
    "Each item verifies as it stands. One is kept where an object that is handed in to be verified contradicts what the server holds, as after the restore of a stale backup.",
  access: "system",
  query: numberedPage,
  answer: { status: 200, description: "A page of fork evidence.", schema: PageOf(schemas.ForkEvidence) },
  errors: ["stream_forbidden", "stream_not_found"],
});
