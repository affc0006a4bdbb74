/** The families of a server: each is known by its name, and its jobs run. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startServer } from "@svc/testkit/server/running-server";
import { FAMILIES } from "../src/families.ts";

test("each family has a name of its own, that of its folder", () => {
  const names = FAMILIES.map(({ name }) => name);
  assert.equal(new Set(names).size, names.length);
  for (const name of ["erasure", "exports", "idempotency", "keys", "sealing", "streams", "tenancy"])
    assert.ok(names.includes(name), name);
});

test("the jobs of every family run in a server", async (t) => {
  const { server } = await startServer(t);
  assert.deepEqual(server.service.jobs.map(({ name }) => name).sort(), [
    "exports",
    "file-clearing",
    "idempotency-records",
    "sealer",
  ]);
});
