/**
 * The dependencies of scripts are installed once; without a network the scripts say so, and what to type, instead of
 * waiting for it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";
import { SCRIPTS } from "../../run.mjs";

const ROOT = fileURLToPath(new URL("../../..", import.meta.url));
/** Nobody listens there. */
const AWAY = "http://127.0.0.1:9/";

/** Makes a repository in which nothing is installed, for a user who has nothing either. */
function bareRepository(t: TestContext): { readonly root: string; readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), "svc-install-"));
  t.after(() => rmSync(home, { recursive: true }));
  const root = join(home, "a repository");
  const left = /(?:^|\/)(?:node_modules|dist|src|test)$/;
  for (const path of [
    "package.json",
    "pnpm-lock.yaml",
    "pnpm-workspace.yaml",
    "tools",
    "packages",
    "demo/package.json",
  ])
    cpSync(join(ROOT, path), join(root, path), {
      recursive: true,
      filter: (file) => !left.test(file.slice(ROOT.length)),
    });
  mkdirSync(join(home, "empty"));
  return { root, home: join(home, "empty") };
}

test("without a network, and with nothing stored, it says what is missing and what to type", (t) => {
  const { root, home } = bareRepository(t);
  // pnpm, where one of its scripts would find it; its own look at the store needs no network.
  const env = { PATH: process.env.PATH, npm_execpath: process.env.npm_execpath, HOME: home };
  const { status, stderr } = spawnSync(process.execPath, ["tools/install-tools.mjs", "compiler"], {
    cwd: root,
    env: { ...env, npm_config_registry: AWAY, npm_config_cache: join(home, "npm"), npm_config_offline: "true" },
    encoding: "utf8",
  });
  assert.equal(status, 69, stderr);
  assert.match(stderr, /needs tools\/compiler, which is not installed yet, and 127\.0\.0\.1:9 cannot be reached\./);
  const [, script = ""] = /type once: npx -y pnpm@12 run (\w+)\./.exec(stderr) ?? [];
  assert.ok(script in JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")).scripts, script);
});

test("without Python, what comes from PyPI is named, and what to type", (t) => {
  const { root, home } = bareRepository(t);
  const { status, stderr } = spawnSync(process.execPath, ["tools/install-tools.mjs", "go"], {
    cwd: root,
    env: { PATH: "/nowhere", HOME: home },
    encoding: "utf8",
  });
  assert.equal(status, 69, stderr);
  assert.match(stderr, /needs tools\/go, .* it takes Python 3 with pip.* node tools\/install-tools\.mjs go\n$/);
});

test("what is installed is not installed again, and asks nobody", () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(ROOT, "tools/install-tools.mjs"), "compiler", "programs", "test-tools"],
    { env: { PATH: "/nowhere", npm_execpath: "/nowhere/pnpm", npm_config_registry: AWAY }, encoding: "utf8" },
  );
  assert.deepEqual([status, stdout, stderr], [0, "", ""]);
});

test("demo, start and the server's build ask for no tools; what other scripts ask for is there", () => {
  for (const name of ["demo", "start", "svc", "svc-server", "build:server"])
    assert.deepEqual(SCRIPTS[name]?.tools, [], name);
  const asked = new Set(Object.values(SCRIPTS).flatMap(({ tools }) => tools));
  assert.ok(["compiler", "programs", "test-tools"].every((one) => asked.has(one)));
  for (const name of asked)
    assert.equal(JSON.parse(readFileSync(join(ROOT, "tools", name, "package.json"), "utf8")).name, `@svc/${name}`);
});

test("each script of package.json is run by name, and no other is described", () => {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8")) as {
    readonly scripts: Readonly<Record<string, string>>;
  };
  assert.deepEqual(Object.keys(scripts).sort(), Object.keys(SCRIPTS).sort());
  for (const [name, call] of Object.entries(scripts)) assert.equal(call, `node tools/run.mjs ${name}`);
});

test("a script that there is not is refused by name, and the exit code of a step is the script's", () => {
  const run = (...words: string[]) =>
    spawnSync(process.execPath, [join(ROOT, "tools/run.mjs"), ...words], { encoding: "utf8" });
  const unknown = run("constructor");
  assert.deepEqual([unknown.status, unknown.stdout], [64, ""]);
  assert.match(unknown.stderr, /^There is no script constructor\. There are: bench, /);
  assert.match(run().stderr, /^There is no script undefined\./);
  const wrong = run("svc", "verify", "no-such-file.json");
  assert.equal(wrong.status, 66, wrong.stderr);
  const version = run("svc", "--version");
  assert.deepEqual([version.status, version.stderr], [0, ""]);
});
