/**
 * The wheel: the same bytes twice; it verifies in an empty environment, without wasmtime and without a network; and the
 * guide begins with it in an empty folder.
 */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { promisify } from "node:util";
import { environment, FOLDER, pythons, saysMissing } from "@svc/testkit/python";
import { startService } from "./service.ts";

const run = promisify(execFile);
/** More than half of it is our own source with its comments, and a sixth the kernel, which no table can make up for. */
const MAX_WHEEL_BYTES = 505_000;
const [command] = await pythons();
const folder = mkdtempSync(join(tmpdir(), "svc-wheel-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const CASE = JSON.parse(
  readFileSync(new URL("../../../fixtures/cases/receipt/good.json", import.meta.url), "utf8"),
) as {
  readonly input: string;
  readonly trust: object;
};

async function built(python: string, name: string): Promise<string> {
  const out = join(folder, name);
  const words = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index", "-w", out, FOLDER];
  await run(python, words, { env: { ...process.env, SOURCE_DATE_EPOCH: "1767225600" } });
  const [wheel] = readdirSync(out);
  return join(out, wheel ?? "");
}

test("the wheel is small, the same twice, and verifies where nothing else is", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const python = await environment(command);
  const [wheel, again] = [await built(python, "one"), await built(python, "two")];
  const digest = (path: string) => createHash("sha256").update(readFileSync(path)).digest("hex");
  assert.equal(digest(wheel), digest(again));
  assert.ok(statSync(wheel).size <= MAX_WHEEL_BYTES, `${statSync(wheel).size} bytes`);
  assert.match(wheel, /svc_sdk-[\d.]+-py3-none-any\.whl$/);
  const place = join(folder, "site");
  await run(python, ["-m", "pip", "install", "--quiet", "--no-index", "--no-deps", "--target", place, wheel]);
  writeFileSync(join(folder, "receipt.json"), CASE.input);
  writeFileSync(join(folder, "trust.json"), JSON.stringify(CASE.trust));
  // A process that opens a connection ends here.
  writeFileSync(
    join(place, "usercustomize.py"),
    "import socket\n\ndef refuse(*_):\n    raise SystemExit('a connection')\n\nsocket.socket = refuse\n",
  );
  const call = ["-m", "svc", "verify", "receipt.json", "--trust", "trust.json", "--json"];
  for (const [program, kernel] of [
    // The plain Python has no wasmtime; the environment has.
    [command, "auto"],
    [python, "wasm"],
  ] as const) {
    const words = kernel === "auto" ? call : [...call, "--kernel", kernel];
    const env = { ...process.env, PYTHONPATH: place, PYTHONDONTWRITEBYTECODE: "1" };
    const { stdout } = await run(program, ["-c", "import usercustomize", "-"], { cwd: folder, env }).then(() =>
      run(program, words, { cwd: folder, env }),
    );
    const report = JSON.parse(stdout) as { verdict: string; verifier: { kernel_sha256: string | null } };
    assert.equal(report.verdict, "verified");
    assert.equal(report.verifier.kernel_sha256 === null, kernel === "auto");
  }
});

test("the guide begins in an empty folder outside of the clone: its commands, ten lines, verified", async (t) => {
  if (command === undefined) return t.skip(saysMissing());
  const empty = join(mkdtempSync(join(folder, "outside ")), "first");
  const python = join(empty, "venv/bin/python");
  for (const path of [empty, join(empty, "../svc/sdks")]) mkdirSync(path, { recursive: true });
  const isSource = (path: string) => !/[/\\](\.venv|__pycache__|\.\w+_cache)$/.test(path);
  cpSync(FOLDER, join(empty, "../svc/sdks/python"), { recursive: true, filter: isSource });
  // The package says what it needs; the lock says which release of that.
  const lock = readFileSync(join(FOLDER, "requirements.lock"), "utf8");
  writeFileSync(join(folder, "constraints.txt"), (lock.match(/^[\w.-]+==\S+(?: ;[^\\\n]*)?/gm) ?? []).join("\n"));
  const page = readFileSync(new URL("../../../docs/sdk-python.md", import.meta.url), "utf8");
  const [, commands = ""] = /```sh\n(.*?)```/s.exec(page) ?? [];
  const pip = { PIP_CONSTRAINT: join(folder, "constraints.txt"), PIP_DISABLE_PIP_VERSION_CHECK: "1" };
  await run("sh", ["-ec", commands.replace("python3", command)], { cwd: empty, env: { ...process.env, ...pip } });

  const { running, apiKey, streamId, told } = await startService(t);
  const env = {
    PATH: process.env.PATH,
    SVC_URL: running.url,
    SVC_API_KEY: apiKey,
    SVC_STREAM: streamId,
    SVC_PUBLIC_KEY: JSON.parse(told).public_key_hex,
  };
  const programs = [...page.matchAll(/^```python run\n# (\w+\.py)\n(.*?)^```$/gms)];
  const printed: string[] = [];
  for (const [, name = "", text = ""] of programs.slice(0, 3)) {
    writeFileSync(join(empty, name), text);
    printed.push((await run(python, [name], { cwd: empty, env })).stdout);
  }
  assert.deepEqual(printed, ["", "verified True\n", "True False\nrejected payload_hash_mismatch\n"]);
  // The auditor has no service any more.
  const words = ["-m", "svc", "verify", "pack.json", "--public-key-hex", env.SVC_PUBLIC_KEY];
  assert.match((await run(python, words, { cwd: empty, env: { PATH: process.env.PATH } })).stdout, /^VERIFIED/);
});
