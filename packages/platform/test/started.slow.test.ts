/** `svc-platform` as a person starts it, on the data folder of a thin server: it has all that `svc-server` has. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { listening, ran } from "./platform-process.ts";

test("it records on a thin server's folder, which verifies with the commands of both", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const { url, end } = await listening(t, folder);
  assert.equal((await new Client(url, made.api_key ?? "").append(made.stream_id, loan(1))).status, 201);
  assert.deepEqual(await end(), [0, null]);
  const own = await ran(t, folder, ["fsck", "--json"]);
  assert.deepEqual([own.code, JSON.parse(own.out).ok], [0, true], own.err);
  const thin = await command(["fsck", "--json", "--data", folder]);
  const { ok, not_looked_at } = JSON.parse(thin.out);
  assert.deepEqual([thin.code, ok, not_looked_at], [0, true, ["platform_migrations", "secrets"]], thin.err);
  const { code, out } = await ran(t, folder, ["keys", "create", "--allow", "manage_webhooks", "--json"]);
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out).limits.actions, ["manage_webhooks"]);
});

test("its help names it, and its settings are the server's and its own", async (t) => {
  const { out } = await ran(t, temporaryFolder(), ["start", "--help"]);
  assert.match(out, /^Usage: svc-platform start/);
  for (const variable of ["SVC_PORT", "SVC_SEAL_INTERVAL_MS", "SVC_DASHBOARD_PORT", "SVC_SECRETS_KEY"])
    assert.match(out, new RegExp(variable));
  const { out: thin } = await command(["start", "--help"]);
  assert.doesNotMatch(thin, /SVC_DASHBOARD_PORT|SVC_SECRETS_KEY/);
});
