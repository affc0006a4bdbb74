/** The public route of witness policies. HTTP only. */
import { Router } from "express";
import { onlyMethods } from "../http/methods.ts";
import { ordinal, pathPart } from "../http/requests.ts";
import { sendJson } from "../http/responses.ts";
import type { Service } from "../open-service.ts";

export function witnessRoutes({ readPolicies }: Service): Router {
  const routes = Router();
  routes
    .route("/v2/witness/policies/:policyId")
    .get(async (request, response) => {
      const version = ordinal(request, "version");
      sendJson(response, 200, await readPolicies.read(pathPart(request, "policyId"), version));
    })
    .all(onlyMethods("GET"));
  return routes;
}
