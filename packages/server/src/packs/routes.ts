/** The route that makes audit packs (system key). HTTP only. */
import { atoms } from "@svc/core";
import { Router } from "express";
import Type from "typebox";
import { readJson } from "../http/body.ts";
import { onlyMethods } from "../http/methods.ts";
import { authenticate } from "../http/requests.ts";
import { sendText } from "../http/responses.ts";
import { shape } from "../http/shapes.ts";
import { MAX_BODY_BYTES } from "../limits.ts";
import type { Service } from "../open-service.ts";

const PackBody = atoms.Closed({
  stream_id: Type.String(),
  from_seq_no: atoms.Ordinal,
  to_seq_no: atoms.Ordinal,
  payloads: Type.Optional(atoms.OneOf("included", "redacted")),
});

export function packRoutes({ ground, systemKeys, createPack }: Service): Router {
  const packBody = shape(PackBody);
  const routes = Router();
  routes
    .route("/v2/audit/packs")
    .post(async (request, response) => {
      const principal = await authenticate(request, systemKeys);
      const { value } = await readJson(request, ground.kernel, MAX_BODY_BYTES);
      sendText(response, 201, await createPack.create(principal, packBody(value)));
    })
    .all(onlyMethods("POST"));
  return routes;
}
