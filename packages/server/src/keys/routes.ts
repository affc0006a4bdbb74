/** The public routes that say who this service is: its keys, and that it is up. HTTP only. */
import { VERSION } from "@svc/core";
import { Router } from "express";
import { onlyMethods } from "../http/methods.ts";
import { sendJson } from "../http/responses.ts";
import type { Service } from "../open-service.ts";

export function keyRoutes({ readKeys }: Service): Router {
  const routes = Router();
  routes
    .route("/v2/keys")
    .get(async (_request, response) => {
      sendJson(response, 200, await readKeys.read());
    })
    .all(onlyMethods("GET"));
  routes
    .route("/health")
    .get((_request, response) => {
      sendJson(response, 200, { status: "ok", version: VERSION });
    })
    .all(onlyMethods("GET"));
  return routes;
}
