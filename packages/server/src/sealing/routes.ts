/** The public routes of sealed evidence: windows, checkpoints and consistency. HTTP only. */
import { Router } from "express";
import { onlyMethods } from "../http/methods.ts";
import { flag, invalidQuery, pathPart, query } from "../http/requests.ts";
import { sendJson } from "../http/responses.ts";
import type { Service } from "../open-service.ts";

export function sealingRoutes({ readEvidence }: Service): Router {
  const routes = Router();

  routes
    .route("/v2/windows/:windowId")
    .get(async (request, response) => {
      const asked = { leaves: flag(request, "leaves"), event: query(request, "event") };
      sendJson(response, 200, await readEvidence.window(pathPart(request, "windowId"), asked));
    })
    .all(onlyMethods("GET"));

  routes
    .route("/v2/checkpoints/:checkpointId")
    .get(async (request, response) => {
      sendJson(response, 200, await readEvidence.checkpoint(pathPart(request, "checkpointId")));
    })
    .all(onlyMethods("GET"));

  routes
    .route("/v2/checkpoints/:checkpointId/consistency")
    .get(async (request, response) => {
      const earlierId = query(request, "from");
      if (earlierId === null) throw invalidQuery("from", "is missing: it names the earlier checkpoint");
      sendJson(response, 200, await readEvidence.consistency(pathPart(request, "checkpointId"), earlierId));
    })
    .all(onlyMethods("GET"));

  return routes;
}
