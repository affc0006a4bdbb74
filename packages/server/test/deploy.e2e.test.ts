/** What ships to run the server: the built program by itself, and the files of deploy/, against a real server where they speak of one. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { makePage } from "../../web-verify/build.ts";
import { buildServer, SERVER_PROGRAM } from "../build.ts";
import { assertVerified, Client, loan, temporaryFolder, until } from "./running-server.ts";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
const TOKEN = "a-token-of-the-metrics";
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const dockerfile = read("deploy/Dockerfile");

/** The instructions of the Dockerfile, continued lines joined. */
const instructions = dockerfile
  .replace(/\\\n\s*/g, "")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"));
const those = (name: string) =>
  instructions.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

/** The built program, in a folder with nothing else, started with nothing in its environment but these settings. */
async function builtServer(t: TestContext) {
  const home = temporaryFolder();
  await buildServer(home);
  const threads = ["reading-thread.mjs", "signing-thread.mjs", "thread.mjs"];
  assert.deepEqual(readdirSync(home).sort(), [...threads, SERVER_PROGRAM, "verify.html"].sort());
  const program = join(home, SERVER_PROGRAM);
  const data = join(home, "data");
  const init = execFileSync(process.execPath, [program, "init", "--origin", "demo.example", "--data", data, "--json"], {
    env: {},
  });
  const made = JSON.parse(init.toString());
  const environment = {
    SVC_DATA: data,
    SVC_PORT: "0",
    SVC_METRICS_TOKEN: TOKEN,
    SVC_SEAL_INTERVAL_MS: "20",
    SVC_LOG_LEVEL: "error",
  };
  const child = spawn(process.execPath, [program, "start", "--json"], {
    env: environment,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  return { made, url, child, client: new Client(url, made.api_key) };
}

test("the built program runs by itself: it records, seals, sends the page, verifies large objects on a thread, and drains", async (t) => {
  const { made, url, client, child } = await builtServer(t);
  assert.equal(await (await fetch(`${url}/verify.html`)).text(), (await makePage()).html);
  const { stream_id } = made;
  const events = Array.from({ length: 400 }, (_, index) => loan(index, { payload: { text: "x".repeat(1000) } }));
  assert.equal((await client.appendBatch(stream_id, events)).status, 201);
  await client.witnessed(stream_id, 400);
  const pack = await client.post("/v2/audit/packs", { stream_id, from_seq_no: 1, to_seq_no: 400 });
  assertVerified(pack.text, made.public_key_hex, "bundle");
  assert.ok(pack.text.length > 300_000, "large enough for a thread");
  assert.equal((await client.post("/v2/verify", pack.text)).body.verdict, "verified");
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
});

test("the health check of the image says what the server is, up or down", async (t) => {
  const { url, child } = await builtServer(t);
  const [words = ""] = those("HEALTHCHECK").map((line) => line.slice(line.indexOf("CMD ") + 4));
  const [program, ...rest] = JSON.parse(words) as string[];
  assert.equal(program, "node");
  const check = () => spawnSync(process.execPath, rest, { env: { SVC_PORT: new URL(url).port } }).status;
  assert.equal(check(), 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  assert.equal(check(), 1);
});

test("the image is made of what is there, by the commands that people and CI use, on the pinned Node, as nobody", () => {
  for (const line of those("COPY").filter((one) => !one.startsWith("--from"))) {
    const sources = line.split(" ").slice(0, -1);
    for (const source of sources) assert.ok(existsSync(join(ROOT, source)), source);
  }
  const { devDependencies } = JSON.parse(read("package.json"));
  const bases = those("FROM");
  assert.equal(bases.length, 2);
  for (const base of bases) assert.ok(base.startsWith(`node:${devDependencies.node}-`), base);
  const [install = "", build = ""] = those("RUN");
  assert.equal(install, "npx -y pnpm@12 install --frozen-lockfile");
  assert.ok(read(".ci/run").includes("pnpm install --frozen-lockfile"));
  assert.ok(read("README.md").includes(`\n${build} `), build);
  // What the build makes is what the image takes.
  assert.ok(those("COPY").some((line) => line.startsWith("--from=build /src/packages/server/dist ")));
  assert.deepEqual(those("USER"), ["10001:10001"]);
  assert.deepEqual(those("VOLUME"), ["/var/lib/svc"]);
  assert.ok(!/\.pem|SVC_SIGNING_KEY/.test(dockerfile));
  for (const page of [".pem", "node_modules", "svc-data", ".git"])
    assert.ok(read("deploy/Dockerfile.dockerignore").includes(page), page);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const skip = hasSystemd ? false : "systemd-analyze is not installed: the unit is NOT TESTED";

test("the unit is one that systemd takes, and leaves little open", { skip }, () => {
  const unit = read("deploy/svc-server.service");
  const file = join(temporaryFolder(), "svc-server.service");
  writeFileSync(file, unit.replace("/usr/bin/node", process.execPath));
  const verified = spawnSync("systemd-analyze", ["verify", file], { encoding: "utf8" });
  assert.deepEqual([verified.status, verified.stderr], [0, ""]);
  // Of ten, ten being open to all.
  const security = spawnSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", file], {
    encoding: "utf8",
  });
  assert.equal(security.status, 0, security.stdout);
  const [, seconds = "0"] = /^TimeoutStopSec=(\d+)$/m.exec(unit) ?? [];
  const [, drain = "0"] = /DRAIN_MS = (\d+)_000/.exec(read("packages/server/src/serve.ts")) ?? [];
  assert.ok(Number(seconds) > Number(drain) && Number(drain) > 0, "a drain is not cut off");
});

test("every metric of the dashboard and of the page for operators is one that a server has", async (t) => {
  const { client, made } = await builtServer(t);
  await client.append(made.stream_id, loan(1));
  await client.get("/v2/streams/str_none/head");
  const { text } = await until("the metrics", () => client.get("/metrics", { authorization: `Bearer ${TOKEN}` }));
  const has = new Set([...text.matchAll(/^(?:# TYPE )?([a-z_0-9]+)[{ ]/gm)].map(([, name]) => name));
  const dashboard = JSON.parse(read("deploy/grafana-dashboard.json"));
  const expressions: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
    targets.map(({ expr }) => expr),
  );
  const named = (from: string) => [...from.matchAll(/\b(?:svc|process|nodejs)_[a-z_0-9]+/g)].map(([name]) => name);
  const onDashboard = expressions.flatMap(named);
  assert.ok(onDashboard.length >= 15, `${onDashboard.length}`);
  const inPage = named(read("docs/operations.md"));
  assert.ok(inPage.length >= 10, `${inPage.length}`);
  for (const name of [...onDashboard, ...inPage]) assert.ok(has.has(name), name);
  // And the other way round: each of our own is explained.
  const own = [...has]
    .filter((name) => name?.startsWith("svc_"))
    .map((name) => name?.replace(/_(?:bucket|sum|count)$/, ""));
  for (const name of own) assert.ok(read("docs/operations.md").includes(`${name}`), name);
  const ids = dashboard.panels.map(({ id }: { id: number }) => id);
  assert.equal(new Set(ids).size, ids.length);
});
