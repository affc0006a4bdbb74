/** The public verify routes: the bare object in, the report out, 200 whatever the verdict. HTTP only. */
import type { Kind } from "@svc/core";
import { type RequestHandler, Router } from "express";
import { readJson } from "../http/body.ts";
import { onlyMethods } from "../http/methods.ts";
import { sendJson } from "../http/responses.ts";
import { MAX_VERIFY_BODY_BYTES } from "../limits.ts";
import type { Service } from "../open-service.ts";

export function verifyRoutes({ ground, verifyEvidence }: Service): Router {
  const verifyAs =
    (kind: Kind | null): RequestHandler =>
    async (request, response) => {
      const { bytes, value } = await readJson(request, ground.kernel, MAX_VERIFY_BODY_BYTES);
      sendJson(response, 200, await verifyEvidence.verify(bytes, value, kind));
    };
  const routes = Router();
  routes.route("/v2/verify").post(verifyAs(null)).all(onlyMethods("POST"));
  routes.route("/v2/verify/receipt").post(verifyAs("receipt")).all(onlyMethods("POST"));
  return routes;
}
