/** The route of the verify page. */
import Type from "typebox";
import { contract } from "../contract.ts";

export const page = contract({
  method: "GET",
  path: "/verify.html",
  chapter: "verify",
  summary: "The verifier as a page: it checks a dropped file in the browser, and sends nothing.",
  description: "One file, which works from a disk too. `svc verify page` says whether it is the published one.",
  access: "public",
  answer: { status: 200, description: "The page.", schema: Type.String(), mediaType: "text/html" },
  errors: ["route_not_found"],
});
