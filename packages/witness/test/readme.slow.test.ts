/** The commands of the README work as they are typed, from top to bottom. */
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { witnessProgram } from "@svc/testkit/built";
import { TestLog } from "@svc/testkit/evidence/log";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { SETTINGS } from "../src/config.ts";
import { add, madeWitness, started } from "./running.ts";

const README = readFileSync(new URL("../README.md", import.meta.url), "utf8");
const START = "svc-witness start\n";

test("every command of the README", async (t) => {
  const folder = temporaryFolder();
  const shim = join(folder, "svc-witness");
  writeFileSync(shim, `#!/bin/sh\nexec '${process.execPath}' '${await witnessProgram()}' "$@"\n`);
  chmodSync(shim, 0o755);
  const log = new TestLog("log.example/readme").growTo(2);
  const env = { PATH: `${folder}:${process.env.PATH}`, LOG_VKEY: log.vkey, SVC_WITNESS_PORT: "0" };
  const blocks = [...README.matchAll(/^```sh\n(.*?)^```/gms)].map(([, block = ""]) => block);
  assert.ok(blocks.length >= 4 && blocks[0]?.endsWith(START));
  const sh = (commands: string) => execFileSync("sh", ["-ec", commands], { cwd: folder, env, encoding: "utf8" });
  sh(blocks[0]?.replace(START, "") ?? "");
  const child = spawn(shim, ["start", "--json"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url, vkey } = JSON.parse(line) as { url: string; vkey: string };
  assert.equal((await add({ url }, await log.body(0))).status, 200);
  const said = blocks.slice(1).map(sh).join("");
  for (const expected of [vkey, "log.example/readme  size 2", "a witness runs", "No log has signed", "Copied to"])
    assert.ok(said.includes(expected), expected);
});

test("the README names every setting", () => {
  for (const { variable } of Object.values(SETTINGS)) assert.ok(README.includes(`\`${variable}\``), variable);
});

test("the README names every metric of the witness, and no other", async (t) => {
  const folder = await madeWitness();
  const { metricsUrl } = await started(t, folder, { environment: { SVC_WITNESS_METRICS_PORT: "0" } });
  const text = await (await fetch(metricsUrl ?? "")).text();
  const names = (of: string) =>
    [...of.matchAll(/\bsvc_[a-z_]+/g)].map(([name]) => name.replace(/_(?:bucket|sum|count)$/, ""));
  assert.deepEqual(new Set(names(README)), new Set(names(text)));
});
