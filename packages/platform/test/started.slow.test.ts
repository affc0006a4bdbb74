/** `svc-platform` as a person starts it, on the data folder of a thin server: it has all that `svc-server` has. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { command } from "@svc/testkit/server/child-process";
import { Client } from "@svc/testkit/server/client";
import { environmentOf } from "@svc/testkit/server/folder-database";
import { loan } from "@svc/testkit/server/loan";
import { makeDeployment } from "@svc/testkit/server/running-server";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const MAIN = fileURLToPath(new URL("../src/main.ts", import.meta.url));

/** Starts the program with some words, until its test ends. */
async function started(t: TestContext, folder: string, ...words: readonly string[]) {
  const env = {
    PATH: process.env.PATH ?? "",
    SVC_LOG_LEVEL: "error",
    SVC_DATA: folder,
    ...(await environmentOf(folder)),
  };
  const child = spawn(process.execPath, [MAIN, ...words], { env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  return child;
}

async function outputOf(t: TestContext, folder: string, ...words: readonly string[]) {
  const child = await started(t, folder, ...words);
  let out = "";
  for await (const piece of child.stdout.setEncoding("utf8")) out += piece;
  const [code] = child.exitCode === null ? await once(child, "exit") : [child.exitCode];
  return { code, out };
}

test("it records on a thin server's folder, which verifies with the commands of both", async (t) => {
  const folder = join(temporaryFolder(), "data");
  const made = await makeDeployment(folder);
  const child = await started(t, folder, "start", "--json", "--port", "0");
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  assert.equal((await new Client(url, made.api_key ?? "").append(made.stream_id, loan(1))).status, 201);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  const own = await outputOf(t, folder, "fsck", "--json");
  assert.deepEqual([own.code, JSON.parse(own.out).ok], [0, true]);
  const thin = await command(["fsck", "--json", "--data", folder]);
  assert.deepEqual([thin.code, JSON.parse(thin.out).ok], [0, true], thin.err);
  const { code, out } = await outputOf(t, folder, "keys", "create", "--allow", "manage_webhooks", "--json");
  assert.equal(code, 0);
  assert.deepEqual(JSON.parse(out).limits?.actions ?? JSON.parse(out).allow, ["manage_webhooks"]);
});

test("its help names it, and its settings are the server's and its own", async (t) => {
  const { out } = await outputOf(t, temporaryFolder(), "start", "--help");
  assert.match(out, /^Usage: svc-platform start/);
  for (const variable of ["SVC_PORT", "SVC_SEAL_INTERVAL_MS", "SVC_DASHBOARD_PORT"])
    assert.match(out, new RegExp(variable));
  const { out: thin } = await command(["start", "--help"]);
  assert.doesNotMatch(thin, /SVC_DASHBOARD_PORT/);
});
