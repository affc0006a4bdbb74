/**
 * Runs Go for the tests of its SDK. `go` is looked for on the PATH: scripts have tools/go there, once
 * `node tools/install-tools.mjs go` has installed it.
 */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { type TestContext, test } from "node:test";
import { fileURLToPath } from "node:url";

/** The folder of the module that users import; the others are in it. */
const HOME = fileURLToPath(new URL("..", import.meta.url));
/** The modules, as folders in it. */
export const MODULES = [".", "wasmkernel", "cmd/svc", "interop"] as const;
/** The packages of the first module whose tests start a server. */
export const SERVED: readonly string[] = ["svc.example/go/client", "svc.example/go/queue"];
const OLDEST = 26;

/** Whether Go is there. */
export const isThere = hasGo();
if (!isThere && !process.env.CI) console.error(`NOT RUN: Go SDK, no go ≥ 1.${OLDEST}`);

/** Adds a test that needs Go. Without Go it is skipped, and fails under CI. */
export function goTest(name: string, run: (t: TestContext) => void | Promise<void>): void {
  const missing = isThere ? null : `no go ≥ 1.${OLDEST} on the PATH: node tools/install-tools.mjs go`;
  if (missing === null) test(name, run);
  else if (process.env.CI) test(name, () => assert.fail(missing));
  else test(name, { skip: missing }, () => undefined);
}

/** Runs `go` in the folder of a module, and returns what it writes on standard output. Fails unless it succeeds. */
export function go(module: string, words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  return succeed(["go", ...words], module, env);
}

/** Returns the paths of a module's packages; none without Go. */
export function packagesOf(module: string): string[] {
  return isThere ? go(module, ["list", "./..."]).trim().split("\n") : [];
}

/** The packages of the first module whose tests wait for no server; services.slow.test.ts tries the others. */
export const SERVERLESS: readonly string[] = packagesOf(".").filter((path) => !SERVED.includes(path));

/** Runs another program in the same way. */
export function succeed(words: readonly string[], module = ".", env: Readonly<Record<string, string>> = {}): string {
  const { status, stdout, stderr, error } = start(words, module, env);
  assert.equal(status, 0, `${words.join(" ")}\n${stdout}${stderr}${error?.message ?? ""}`);
  return stdout;
}

function start([name = "", ...words]: readonly string[], module: string, env: Readonly<Record<string, string>>) {
  // The toolchain that is there, and the modules as go.sum names them.
  const own = { GOTOOLCHAIN: "local", GOFLAGS: "-mod=readonly -buildvcs=false" };
  return spawnSync(name, words, { cwd: join(HOME, module), env: { ...process.env, ...own, ...env }, encoding: "utf8" });
}

function hasGo(): boolean {
  const { stdout } = start(["go", "env", "GOVERSION"], ".", {});
  return Number(/^go1\.(\d+)/.exec(stdout ?? "")?.[1] ?? 0) >= OLDEST;
}
