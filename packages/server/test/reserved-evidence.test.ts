/** Evidence that this release does not make yet: its routes answer, and say so. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client } from "@svc/testkit/server/client";
import { startServer } from "@svc/testkit/server/running-server";

test("IVC epochs have a route, with a separate error code", async (t) => {
  const { server, client } = await startServer(t);
  const anybody = new Client(server.url, "");
  const { body: document } = await client.get("/openapi.json");
  for (const [path, template, code] of [
    ["/v2/ivc/epochs/ivc_01k3c0h7wz0000000000000000", "/v2/ivc/epochs/{ivcEpochId}", "ivc_epoch_not_found"],
  ] as const) {
    const { status, body } = await anybody.get(path);
    assert.deepEqual([status, body.detail.code], [404, code]);
    assert.match(document.paths[template].get.description, new RegExp(code));
  }
});
