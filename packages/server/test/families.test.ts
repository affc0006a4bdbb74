/** The families of a server: each is known by its name, and its jobs run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ON_POSTGRES } from "@svc/testkit/drivers";
import { startServer } from "@svc/testkit/server/running-server";
import { FAMILIES } from "../src/families.ts";
import { SECRET_VARIABLES } from "../src/settings.ts";

test("each family has a name of its own, that of its folder", () => {
  const names = FAMILIES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of ["erasure", "exports", "idempotency", "keys", "sealing", "streams", "tenancy"])
    assert.ok(names.includes(name), name);
});

test("the jobs of every family run in a server", async (t) => {
  const { server } = await startServer(t);
  assert.deepEqual(server.service.jobs.map(({ name }) => name).sort(), [
    "archive",
    "exports",
    ...(ON_POSTGRES ? [] : ["file-clearing"]),
    "idempotency-records",
    "sealer",
    "service-log",
  ]);
});

test("the variables that hold secrets are known, so that a running server can forget them", () => {
  assert.deepEqual([...SECRET_VARIABLES].sort(), [
    "SVC_ANCHOR_RPC",
    "SVC_DATABASE_URL",
    "SVC_METRICS_TOKEN",
    "SVC_NEXT_SIGNING_KEY",
    "SVC_SIGNING_KEY",
  ]);
});
