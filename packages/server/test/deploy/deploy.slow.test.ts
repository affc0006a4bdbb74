/**
 * The files that ship to run the server: the built program by itself, and the files of deploy/, compared with a real
 * server if they refer to one.
 */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { copyBuilt } from "@svc/testkit/built";
import { findNode, runtimeTest } from "@svc/testkit/runtimes";
import { Client } from "@svc/testkit/server/client";
import { loan } from "@svc/testkit/server/loan";
import { assertVerified } from "@svc/testkit/server/verified";
import { temporaryFolder } from "@svc/testkit/temporary-folder";
import { until } from "@svc/testkit/until";
import { makePage } from "../../../web-verify/build.ts";
import { SERVER_PROGRAM } from "../../build.ts";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const TOKEN = "a-token-of-the-metrics";
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");

/** Returns the built program, in a folder with nothing else, started with only these settings in its environment. */
async function builtServer(t: TestContext) {
  const home = temporaryFolder();
  await copyBuilt("server", home);
  const parts = [
    "archive-thread.mjs",
    "checkpoint-thread.mjs",
    "export-thread.mjs",
    "server.mjs",
    "reading-thread.mjs",
    "recording-thread.mjs",
    "signing-thread.mjs",
    "thread.mjs",
  ];
  assert.deepEqual(readdirSync(home).sort(), [...parts, SERVER_PROGRAM, "verify.html"].sort());
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
  return { made, url, data, child, client: new Client(url, made.api_key) };
}

test(
  "the built program runs by itself: it records, seals, sends the page, verifies and " +
    "exports on threads, and drains",
  async (t) => {
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
    const { export_id } = (await client.post("/v1/exports", { streams: [stream_id] })).body;
    const { events: exported } = await until("the export is ready", async () => {
      const { body } = await client.get(`/v1/exports/${export_id}`);
      return body.state === "ready" ? body : null;
    });
    assert.equal(exported, 400);
    child.kill("SIGTERM");
    assert.deepEqual(await once(child, "exit"), [0, null]);
  },
);

runtimeTest("a Node that is too old gets an error of one line", findNode(20), async (node) => {
  const home = temporaryFolder();
  await copyBuilt("server", home);
  const { status, stdout, stderr } = spawnSync(node, [join(home, SERVER_PROGRAM), "start"], { encoding: "utf8" });
  assert.deepEqual([status, stdout], [64, ""]);
  assert.match(stderr, /^svc-server: this needs Node 24 or newer, and \S+ is Node 20\.[\d.]+\. [^\n]+\n$/);
});

/** Returns the commands in the head of a unit, without those that tell systemd or make users, under another root. */
function recipe(unit: string, root: string): string {
  const lines = [...read(`deploy/${unit}`).matchAll(/^# {3}(install .+)$/gm)].map(([, line = ""]) => line);
  assert.ok(lines.length > 0, unit);
  return lines
    .map((line) => line.replace(/ && .*| {2,}#.*/, "").replace("-o svc -g svc ", ""))
    .map((line) => line.replaceAll(/ \/(?!dev\/null)(\S*)/g, ` "${root}/$1"`))
    .join("\n");
}

test("the steps of the unit and of the Dockerfile choose the origin before the first start", () => {
  const [, steps = ""] = /^([\s\S]*?)systemctl enable --now svc-server$/m.exec(read("deploy/svc-server.service")) ?? [];
  assert.match(steps, /^# {3}echo SVC_ORIGIN=evidence\.example\.com >> \/etc\/svc\/server\.env/m);
  assert.match(read("deploy/Dockerfile"), /^# {3}docker run .* -e SVC_ORIGIN=evidence\.example\.com .*svc-server$/m);
});

test(
  "the recipe of the unit installs what it starts, with the page; that of backups makes one, and throws old ones " +
    "away",
  async (t) => {
    const { made, client, data } = await builtServer(t);
    await client.append(made.stream_id, loan(1));
    const root = temporaryFolder();
    const dist = join(root, "packages/server/dist");
    await copyBuilt("server", dist);
    execFileSync("ln", ["-s", join(ROOT, "deploy"), join(root, "deploy")]);
    for (const unit of ["svc-server.service", "svc-backup.service"])
      execFileSync("sh", ["-e", "-c", recipe(unit, root)], { cwd: root });
    assert.deepEqual(readdirSync(join(root, "opt/svc")), readdirSync(dist));
    assert.deepEqual(readdirSync(join(root, "etc/systemd/system")), [
      "svc-backup.service",
      "svc-backup.timer",
      "svc-server.service",
    ]);

    // A shell runs the command as systemd reads its words, with the shell's own signs escaped.
    const unit = read("deploy/svc-backup.service");
    const steps = [...unit.matchAll(/^ExecStart(?:Post)?=(.+)$/gm)].map(([, line = ""]) =>
      line
        .replaceAll("%%", "%")
        .replaceAll("$$", "$")
        .replaceAll("/usr/bin/node", `"${process.execPath}"`)
        .replaceAll(/ \/((?:opt\/svc|var\/backups)\S*)/g, ` "${root}/$1"`)
        .replaceAll(/"\/(?=var\/backups)/g, `"${root}/`)
        .replace(/(?<=-exec rm -r )\{\} \+$/, "'{}' +"),
    );
    const backups = join(root, "var/backups/svc");
    const kept = join(backups, "2020-01-01 of somebody else");
    const old = join(backups, "2020-01-01T023000Z");
    for (const folder of [kept, old]) {
      mkdirSync(folder);
      execFileSync("touch", ["-d", "2020-01-01", folder]);
    }
    assert.equal(steps.length, 2);
    for (const step of steps) execFileSync("sh", ["-c", step], { env: { PATH: process.env.PATH, SVC_DATA: data } });
    assert.ok(existsSync(kept) && !existsSync(old));
    const [backup = ""] = readdirSync(backups).filter((name) => join(backups, name) !== kept);
    assert.match(backup, /^\d{4}-\d\d-\d\dT\d{6}Z$/);
    assert.ok(existsSync(join(backups, backup, "svc.db")));
  },
);

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;
const skip = hasSystemd ? false : "systemd-analyze is not installed: the units are NOT TESTED";

test("the units are such that systemd takes them, and leave little open", { skip }, () => {
  const folder = temporaryFolder();
  const units = ["svc-server.service", "svc-backup.service", "svc-backup.timer"];
  for (const name of units)
    writeFileSync(join(folder, name), read(`deploy/${name}`).replaceAll("/usr/bin/node", process.execPath));
  const files = units.map((name) => join(folder, name));
  const verified = spawnSync("systemd-analyze", ["verify", ...files], { encoding: "utf8" });
  assert.deepEqual([verified.status, verified.stderr], [0, ""]);
  for (const file of files.slice(0, 2)) {
    // The threshold is 2.0 on a scale of ten, where ten is open to everybody.
    const words = ["security", "--offline=true", "--threshold=20", file];
    const security = spawnSync("systemd-analyze", words, { encoding: "utf8" });
    assert.equal(security.status, 0, security.stdout);
  }
  const [, seconds = "0"] = /^TimeoutStopSec=(\d+)$/m.exec(read("deploy/svc-server.service")) ?? [];
  const [, drain = "0"] = /DRAIN_MS = (\d+)_000/.exec(read("packages/host/src/http/listening.ts")) ?? [];
  assert.ok(Number(seconds) > Number(drain) && Number(drain) > 0, "a drain is not cut off");
  assert.match(read("deploy/compose.yaml"), new RegExp(`stop_grace_period: ${seconds}s`));
});

/** Returns the names of metrics in a text, those of histograms without their suffixes. */
const metricsIn = (text: string) =>
  [...text.matchAll(/\b(?:svc|process|nodejs)_[a-z_0-9]+/g)].map(([name]) =>
    name.replace(/_(?:bucket|sum|count)$/, ""),
  );

test(
  "dashboard, alert rules and the page for operators name only metrics that a server has; dashboard and page name " +
    "every svc_ metric",
  async (t) => {
    const { client, made } = await builtServer(t);
    await client.append(made.stream_id, loan(1));
    await client.get("/v2/streams/str_none/head");
    const { text } = await until("the metrics", () => client.get("/metrics", { authorization: `Bearer ${TOKEN}` }));
    const has = new Set(metricsIn(text));
    const own = [...has].filter((name) => name.startsWith("svc_"));
    assert.ok(own.length >= 15, `${own.length}`);
    const dashboard = JSON.parse(read("deploy/grafana-dashboard.json"));
    const expressions: string[] = dashboard.panels.flatMap(({ targets }: { targets: { expr: string }[] }) =>
      targets.map(({ expr }) => expr),
    );
    const onDashboard = metricsIn(expressions.join("\n"));
    const inPage = metricsIn(read("docs/operations.md"));
    for (const name of [...onDashboard, ...inPage]) assert.ok(has.has(name), name);
    for (const name of own) assert.ok(onDashboard.includes(name) && inPage.includes(name), name);
    const ids = dashboard.panels.map(({ id }: { id: number }) => id);
    assert.equal(new Set(ids).size, ids.length);

    const rules = read("deploy/prometheus-alerts.yml")
      .split(/^ +- alert: /m)
      .slice(1);
    assert.ok(rules.length >= 15, `${rules.length}`);
    for (const rule of rules) {
      const [name = ""] = rule.split("\n");
      assert.match(rule, /^ {8}expr: \S/m, name);
      assert.match(rule, /^ {8}labels: \{ severity: (?:page|ticket) \}$/m, name);
      assert.match(rule, /^ {8}annotations:\s+\{\s+summary: "[^"]+\."/m, name);
      const [, expression = ""] = /expr: (.+)/.exec(rule) ?? [];
      assert.match(expression, /\b(?:up|svc_|process_|nodejs_|node_)/, name);
      for (const metric of metricsIn(expression))
        assert.ok(has.has(metric) || /^nodejs_|^process_/.test(metric), metric);
      // A filter by a job would be silent for ever if the job has another name.
      for (const [, labels = ""] of expression.matchAll(/\b(?:up|(?:svc|process|nodejs)_\w+)(\{[^}]*\})?/g))
        assert.ok(labels.startsWith('{job="svc"'), `${name}: ${expression}`);
      for (const [, route = ""] of expression.matchAll(/route="([^"]+)"/g))
        assert.ok(text.includes(`route="${route}"`), `${name}: no requests of ${route}`);
    }
    // Each row of the page that wakes an operator has its rule.
    const table = [...read("docs/operations.md").matchAll(/^\| (`(?:svc|process|nodejs)_.+?) \|.*\| (.+) \|$/gm)];
    assert.ok(table.length >= 15, `${table.length}`);
    for (const [, names = "", when = ""] of table) {
      if (/^(?:never|not at night)$/.test(when)) continue;
      assert.ok(
        metricsIn(names).some((name) => rules.some((rule) => rule.includes(name))),
        `no rule for ${names}`,
      );
    }
  },
);
